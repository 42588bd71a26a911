// Translate.cpp - the module of the tile dialect of a CUDA Tile program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Translate.h"

#include "KernelTranslator.h"
#include "OperationTable.h"
#include "ReadBytecode.h"
#include "tile/IR/ProgramFormat.h"
#include "tile/Import/CudaTile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Verifier.h"

using namespace mlir;

OwningOpRef<ModuleOp> tile::cudatile::translate(const Program &program,
                                                Location file) {
  MLIRContext *context = file.getContext();
  context->loadDialect<TileDialect, arith::ArithDialect, math::MathDialect,
                       memref::MemRefDialect, scf::SCFDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(file);
  OpBuilder builder(context);
  for (const SourceFunction &function : program.functions) {
    if (!function.isEntry)
      continue;
    builder.setInsertionPointToEnd(module->getBody());
    if (failed(KernelTranslator(builder, program, function).run()))
      return nullptr;
  }
  if (failed(verify(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> tile::importCudaTile(llvm::MemoryBufferRef file,
                                           MLIRContext *context) {
  std::unique_ptr<cudatile::Program> program =
      cudatile::readBytecode(file, context);
  if (!program)
    return nullptr;
  return cudatile::translate(
      *program, FileLineColLoc::get(context, file.getBufferIdentifier(), 0, 0));
}

/// Whether an operation has a translation: its own, or with the operation whose
/// region it ends.
static bool isTranslated(StringRef operation) {
  constexpr StringRef kEnds[] = {"break", "continue", "return", "yield"};
  return tile::cudatile::getHandlers().contains(operation) ||
         llvm::is_contained(kEnds, operation);
}

void tile::printCudaTileOperations(llvm::raw_ostream &os) {
  os << "operation,since,translated\n";
  for (const tile::cudatile::OperationFormat &op :
       tile::cudatile::getOperations())
    os << op.name << ",13." << op.since << ","
       << (isTranslated(op.name) ? "yes" : "no") << "\n";
}

namespace {
struct CudaTileFormat : tile::ProgramFormatInterface {
  using ProgramFormatInterface::ProgramFormatInterface;

  bool matches(llvm::MemoryBufferRef file) const override {
    return file.getBuffer().starts_with(tile::kCudaTileMagic);
  }
  OwningOpRef<ModuleOp> read(llvm::MemoryBufferRef file,
                             MLIRContext *context) const override {
    return tile::importCudaTile(file, context);
  }
};
} // namespace

void tile::registerCudaTileFormat(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, TileDialect *dialect) {
    dialect->addInterfaces<CudaTileFormat>();
  });
}
