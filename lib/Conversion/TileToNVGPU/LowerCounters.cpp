// LowerCounters.cpp - counters of channels as indices of stages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code holds a counter of a channel with S stages modulo S:
//
//   %next = tile_gpu.next %n          %sum = %n + 1
//                                     %next = select (%sum == S), 0, %sum

#include "LowerCounters.h"

#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

static Value lowerConstant(OpBuilder &builder, CounterOp op) {
  int64_t numStages = op.getType().getNumStages();
  int64_t value = op.getValue();
  return arith::ConstantIndexOp::create(builder, op.getLoc(),
                                        value % numStages);
}

// The operands of the following operations are already indices, so their typed
// accessors may not be called.

static Value lowerNext(OpBuilder &builder, NextOp op) {
  Location loc = op.getLoc();
  int64_t numStages = op.getType().getNumStages();
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value end = arith::ConstantIndexOp::create(builder, loc, numStages);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value sum = arith::AddIOp::create(builder, loc, op->getOperand(0), one);
  Value wraps =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, sum, end);
  return arith::SelectOp::create(builder, loc, wraps, zero, sum);
}

static Value lowerStage(OpBuilder &builder, StageOp op) {
  MemRefType source = op.getSource().getType();
  SmallVector<OpFoldResult> offsets(source.getRank(), builder.getIndexAttr(0)),
      sizes, strides(source.getRank(), builder.getIndexAttr(1));
  offsets[0] = op->getOperand(1);
  sizes.push_back(builder.getIndexAttr(1));
  for (int64_t extent : source.getShape().drop_front())
    sizes.push_back(builder.getIndexAttr(extent));
  return memref::SubViewOp::create(builder, op.getLoc(), op.getType(),
                                   op.getSource(), offsets, sizes, strides);
}

void tile::lowerCounters(KernelOp kernel) {
  // Loops and branches carry indices instead of counters.
  Type index = IndexType::get(kernel.getContext());
  auto retype = [&](Value value) {
    if (isa<CounterType>(value.getType()))
      value.setType(index);
  };
  SmallVector<Operation *> replaced;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (isa<CounterOp, NextOp, StageOp>(op))
      return replaced.push_back(op);
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
  });
  for (Operation *op : replaced) {
    OpBuilder builder(op);
    Value value =
        llvm::TypeSwitch<Operation *, Value>(op)
            .Case([&](CounterOp op) { return lowerConstant(builder, op); })
            .Case([&](NextOp op) { return lowerNext(builder, op); })
            .Case([&](StageOp op) { return lowerStage(builder, op); });
    op->getResult(0).replaceAllUsesWith(value);
    op->erase();
  }
}
