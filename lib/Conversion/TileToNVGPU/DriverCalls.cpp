// DriverCalls.cpp - functions that the driver provides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DriverCalls.h"

#include "tile/Conversion/ConstantText.h"
#include "tile/IR/SourceLine.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tile;

static KernelOp getKernel(OpBuilder &builder) {
  return builder.getInsertionBlock()->getParent()->getParentOfType<KernelOp>();
}

static Value createInteger(OpBuilder &builder, Location loc, int bits,
                           int64_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerType(bits),
                                  value);
}

static Value createText(OpBuilder &builder, Location loc, StringRef text) {
  return createConstantText(builder, loc, getKernel(builder).getSymName(),
                            text);
}

static Value createCall(OpBuilder &builder, Location loc, StringRef name,
                        TypeRange results, ValueRange arguments) {
  auto module = getKernel(builder)->getParentOfType<ModuleOp>();
  auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!function) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type result = results.empty()
                      ? LLVM::LLVMVoidType::get(builder.getContext())
                      : results.front();
    function = LLVM::LLVMFuncOp::create(
        builder, module.getLoc(), name,
        LLVM::LLVMFunctionType::get(result,
                                    llvm::to_vector(arguments.getTypes())));
  }
  auto call = LLVM::CallOp::create(builder, loc, function, arguments);
  return results.empty() ? Value() : call.getResult();
}

/// Stores the arguments one after the other in memory of this thread, and
/// returns a pointer to them. The memory is allocated once in the kernel, not
/// in a loop.
static Value packArguments(OpBuilder &builder, Location loc,
                           ValueRange arguments) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  if (arguments.empty())
    return LLVM::ZeroOp::create(builder, loc, pointer);
  Value memory;
  {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(&getKernel(builder).getBody().front());
    memory = LLVM::AllocaOp::create(
        builder, loc, pointer, builder.getI64Type(),
        createInteger(builder, loc, 32, arguments.size()));
  }
  for (auto [i, argument] : llvm::enumerate(arguments)) {
    Value address =
        LLVM::GEPOp::create(builder, loc, pointer, builder.getI64Type(), memory,
                            ArrayRef<LLVM::GEPArg>(static_cast<int32_t>(i)));
    LLVM::StoreOp::create(builder, loc, argument, address);
  }
  return memory;
}

void tile::emitPrintf(OpBuilder &builder, Location loc, StringRef format,
                      ValueRange arguments) {
  Value text = createText(builder, loc, format);
  Value packed = packArguments(builder, loc, arguments);
  createCall(builder, loc, "vprintf", builder.getI32Type(), {text, packed});
}

void tile::emitAssertFail(OpBuilder &builder, Location loc, StringRef message) {
  std::optional<FileLineColLoc> location = getFileLocation(loc);
  StringRef file = location ? location->getFilename().getValue() : "";
  Value arguments[] = {
      createText(builder, loc, message), createText(builder, loc, file),
      createInteger(builder, loc, 32, location ? location->getLine() : 0),
      createText(builder, loc, getKernel(builder).getSymName()),
      createInteger(builder, loc, 64, sizeof(char))};
  createCall(builder, loc, "__assertfail", {}, arguments);
}
