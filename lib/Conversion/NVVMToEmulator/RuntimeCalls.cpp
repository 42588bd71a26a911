// RuntimeCalls.cpp - calls of C functions from a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeCalls.h"

using namespace mlir;
using namespace tile;

static void markPure(LLVM::LLVMFuncOp function) {
  auto none = LLVM::ModRefInfo::NoModRef;
  function.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      function.getContext(), none, none, none, none, none, none));
  function.setWillReturn(true);
}

/// Marks a function a call of which may switch to another thread of the block.
static void markCollective(LLVM::LLVMFuncOp function) {
  function.setConvergent(true);
  Builder builder(function.getContext());
  function.setPassthroughAttr(
      builder.getStrArrayAttr({"nomerge", "noduplicate"}));
}

LLVM::LLVMFuncOp RuntimeCalls::declare(StringRef name, Type result,
                                       ValueRange arguments, bool isPure) {
  if (auto found = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return found;
  if (!result)
    result = LLVM::LLVMVoidType::get(module.getContext());
  auto builder = OpBuilder::atBlockEnd(module.getBody());
  auto function = LLVM::LLVMFuncOp::create(
      builder, module.getLoc(), name,
      LLVM::LLVMFunctionType::get(result,
                                  llvm::to_vector(arguments.getTypes())));
  function.setNoUnwind(true);
  if (isPure)
    markPure(function);
  else
    markCollective(function);
  return function;
}

static Value createCall(OpBuilder &builder, Location loc,
                        LLVM::LLVMFuncOp callee, ValueRange arguments) {
  auto call = LLVM::CallOp::create(builder, loc, callee, arguments);
  return call.getNumResults() ? call.getResult() : Value();
}

static SmallVector<Value> addThread(OpBuilder &builder, ValueRange arguments) {
  SmallVector<Value> all{getThread(builder)};
  llvm::append_range(all, arguments);
  return all;
}

Value RuntimeCalls::callMachine(OpBuilder &builder, Location loc,
                                StringRef name, Type result,
                                ValueRange arguments) {
  SmallVector<Value> all = addThread(builder, arguments);
  return createCall(builder, loc, declare(name, result, all, false), all);
}

Value RuntimeCalls::askMachine(OpBuilder &builder, Location loc, StringRef name,
                               ValueRange arguments) {
  SmallVector<Value> all = addThread(builder, arguments);
  return createCall(builder, loc,
                    declare(name, builder.getI32Type(), all, true), all);
}

Value RuntimeCalls::callMath(OpBuilder &builder, Location loc, StringRef name,
                             Type result, ValueRange arguments) {
  return createCall(builder, loc, declare(name, result, arguments, true),
                    arguments);
}

static Block &getEntry(OpBuilder &builder) {
  Operation *op = builder.getInsertionBlock()->getParentOp();
  return op->getRegion(0).front();
}

Value tile::getThread(OpBuilder &builder) {
  return getEntry(builder).getArgument(0);
}

Value tile::createI32(OpBuilder &builder, Location loc, uint32_t value) {
  return LLVM::ConstantOp::create(builder, loc, builder.getI32Type(),
                                  builder.getI32IntegerAttr(value));
}

Value tile::createStackBuffer(OpBuilder &builder, Location loc, int64_t bytes) {
  // The allocation is in the entry block: one in a loop would grow the stack.
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(&getEntry(builder));
  return LLVM::AllocaOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      LLVM::LLVMArrayType::get(builder.getI8Type(), bytes),
      createI32(builder, loc, 1), /*alignment=*/16);
}

Value tile::createOffset(OpBuilder &builder, Location loc, Value pointer,
                         int64_t bytes) {
  if (bytes == 0)
    return pointer;
  return LLVM::GEPOp::create(builder, loc, pointer.getType(),
                             builder.getI8Type(), pointer,
                             ArrayRef<LLVM::GEPArg>{int32_t(bytes)});
}
