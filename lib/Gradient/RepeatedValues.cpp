// RepeatedValues.cpp - arithmetic on values before they are repeated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RepeatedValues.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

/// Returns the operation that repeats elements to make the value; null if there
/// is none.
static Operation *getRepetition(Value value) {
  Operation *op = value.getDefiningOp();
  return isa_and_present<FillOp, BroadcastOp>(op) && op->getNumOperands() == 1
             ? op
             : nullptr;
}

/// Returns `value`, which is computed from what `repetition` repeats, repeated
/// in the same way; `type` is that of the result.
static Value repeatLike(ValueBuilder &b, Operation *repetition, Value value,
                        Type type) {
  OperationState state(repetition->getLoc(), repetition->getName(), value, type,
                       repetition->getAttrs());
  return b.create(state)->getResult(0);
}

//===----------------------------------------------------------------------===//
// Elementwise operations
//===----------------------------------------------------------------------===//

/// Returns the operation that repeats the elements of an operand, if all
/// operands are repeated like it or are real constants; null otherwise.
static Operation *getCommonRepetition(Operation *op) {
  Operation *common = nullptr;
  for (Value operand : op->getOperands()) {
    Operation *repetition = getRepetition(operand);
    if (!repetition && getRealConstant(operand))
      continue;
    if (!repetition ||
        (common &&
         !OperationEquivalence::isEquivalentTo(
             common, repetition, OperationEquivalence::ignoreValueEquivalence,
             nullptr, OperationEquivalence::IgnoreLocations)))
      return nullptr;
    common = common ? common : repetition;
  }
  return common;
}

/// Whether the operation computes a tile of the type of its operands, and
/// scalars as it does the elements of tiles.
static bool canComputeBefore(Operation *op) {
  return isa<arith::ArithDialect, math::MathDialect>(op->getDialect()) &&
         op->hasTrait<OpTrait::Elementwise>() && op->getNumResults() == 1 &&
         isa<TileType>(op->getResult(0).getType()) &&
         isa<FloatType>(getElementType(op->getResult(0).getType())) &&
         llvm::all_equal(op->getOperandTypes()) &&
         op->getOperand(0).getType() == op->getResult(0).getType();
}

static void computeBefore(Operation *op) {
  Operation *repetition =
      canComputeBefore(op) ? getCommonRepetition(op) : nullptr;
  if (!repetition)
    return;
  ValueBuilder b(op->getLoc(), op->getContext());
  b.setInsertionPoint(op);
  Type type = repetition->getOperand(0).getType();
  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    Operation *own = getRepetition(operand);
    return own ? own->getOperand(0) : b.real(type, *getRealConstant(operand));
  });
  OperationState state(op->getLoc(), op->getName(), operands, type,
                       op->getAttrs());
  Value result = op->getResult(0);
  result.replaceAllUsesWith(repeatLike(
      b, repetition, b.create(state)->getResult(0), result.getType()));
  op->erase();
}

//===----------------------------------------------------------------------===//
// Quotients
//===----------------------------------------------------------------------===//

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
  return repeatLike(b, repetition, b.div(b.real(value.getType(), 1), value),
                    repetition->getResult(0).getType());
}

static void multiplyByReciprocals(KernelOp kernel) {
  DenseMap<Value, Value> reciprocals;
  kernel.walk([&](arith::DivFOp op) {
    Value divisor = op.getRhs();
    Operation *repetition = getRepetition(divisor);
    if (!repetition || !hasReciprocals(op.getType()))
      return;
    Value &reciprocal = reciprocals[divisor];
    if (!reciprocal)
      reciprocal = repeatReciprocal(repetition);
    ValueBuilder b(op.getLoc(), op.getContext());
    b.setInsertionPoint(op);
    op.replaceAllUsesWith(b.mul(op.getLhs(), reciprocal));
    op.erase();
  });
}

void tile::computeBeforeRepetition(KernelOp kernel) {
  kernel.walk([](Operation *op) { computeBefore(op); });
  multiplyByReciprocals(kernel);
}
