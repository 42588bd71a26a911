// main.cpp - runs the C++ fragments of docs/Embedding.md unchanged
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   frontend PTXAS
//
// Builds and compiles a kernel by the page's fragment on builders, and lowers
// it by the fragment on options.

#include "headers.inc" // those that the page names

#include "tile/Pipelines/TileToNVVM.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

using namespace mlir;

/// A kernel that negates the 64 numbers of an array.
static OwningOpRef<ModuleOp> build(MLIRContext &context) {
  Location loc = UnknownLoc::get(&context);
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  OpBuilder builder = OpBuilder::atBlockBegin(module->getBody());
  Type element = builder.getF32Type();
  Type array = MemRefType::get({64}, element);
  auto kernel = tile::KernelOp::create(
      builder, loc, "negate", builder.getFunctionType({array}, {}),
      /*sym_visibility=*/nullptr, /*block=*/nullptr, /*grid=*/nullptr,
      /*arg_attrs=*/nullptr, /*res_attrs=*/nullptr);
  Block &body = kernel.getBody().emplaceBlock();
  body.addArgument(array, loc);
  builder.setInsertionPointToStart(&body);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value numbers = tile::LoadOp::create(
      builder, loc, tile::TileType::get({64}, element), body.getArgument(0),
      zero, /*pad=*/nullptr, /*inBounds=*/false);
  Value negated = arith::NegFOp::create(builder, loc, numbers);
  tile::StoreOp::create(builder, loc, negated, body.getArgument(0), zero,
                        /*mask=*/nullptr, /*in_bounds=*/false,
                        /*dims=*/nullptr);
  tile::ReturnOp::create(builder, loc);
  return module;
}

static int compile(const std::string &ptxas) {
#include "builders.inc"
  if (failed(compiled))
    return 1;
  llvm::outs() << compiled->metadata.kernels[0].name << ": cubin of "
               << compiled->cubin.size() << " bytes\n"
               << compiled->ptx;
  return 0;
}

static int lower() {
  DialectRegistry registry;
  tile::registerAllDialects(registry);
  MLIRContext context(registry);
  context.loadDialect<tile::TileDialect, arith::ArithDialect>();
  OwningOpRef<ModuleOp> module = build(context);
  PassManager passManager(&context);
#include "options.inc"
  if (failed(passManager.run(*module)))
    return 1;
  module->print(llvm::outs());
  return 0;
}

int main(int, char **argv) { return compile(argv[1]) || lower(); }
