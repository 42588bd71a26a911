// Reciprocals.cpp - quotients by one value, as multiplications
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reciprocals.h"

#include "tile/Gradient/ValueBuilder.h"

using namespace mlir;
using namespace tile;

/// Whether an operation repeats the elements of its operand.
static bool repeats(Operation *op) {
  return isa_and_present<FillOp, BroadcastOp>(op) && op->getNumOperands() == 1;
}

static bool hasReciprocals(Type type) {
  Type element = getElementType(type);
  return element.isF32() || element.isF64();
}

/// Returns the reciprocals of the elements that `repetition` repeats, repeated
/// in the same way.
static Value repeatReciprocal(Operation *repetition) {
  ValueBuilder b(repetition->getLoc(), repetition->getContext());
  b.setInsertionPoint(repetition);
  Value value = repetition->getOperand(0);
  IRMapping mapping;
  mapping.map(value, b.div(b.real(value.getType(), 1), value));
  return b.clone(*repetition, mapping)->getResult(0);
}

void tile::multiplyByReciprocals(KernelOp kernel) {
  DenseMap<Value, Value> reciprocals;
  kernel.walk([&](arith::DivFOp op) {
    Value divisor = op.getRhs();
    if (!repeats(divisor.getDefiningOp()) || !hasReciprocals(op.getType()))
      return;
    Value &reciprocal = reciprocals[divisor];
    if (!reciprocal)
      reciprocal = repeatReciprocal(divisor.getDefiningOp());
    OpBuilder b(op);
    op.replaceAllUsesWith(
        arith::MulFOp::create(b, op.getLoc(), op.getLhs(), reciprocal)
            .getResult());
    op.erase();
  });
}
