// ArithRules.cpp - derivatives of the operations of the arith dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"

#include "tile/IR/AttachModels.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Tangents
//===----------------------------------------------------------------------===//

/// Returns the tangent of the greater or the lesser of two values, as
/// `isFirst` and `isSecond` decide; half of each tangent where the values are
/// equal. Where a value is NaN the weight is the result, NaN.
static Value selectTangent(TangentBuilder &b, Value result, Value first,
                           Value second, arith::CmpFPredicate isFirst,
                           arith::CmpFPredicate isSecond,
                           ArrayRef<Value> tangents) {
  Type type = result.getType();
  auto weight = [&](arith::CmpFPredicate isChosen) {
    Value isEqual = b.compare(arith::CmpFPredicate::OEQ, first, second);
    Value isNaN = b.compare(arith::CmpFPredicate::UNO, first, second);
    Value ifUnequal = b.select(isNaN, result, Value());
    Value ifNotChosen = b.select(isEqual, b.real(type, 0.5), ifUnequal);
    return b.select(b.compare(isChosen, first, second), b.real(type, 1),
                    ifNotChosen);
  };
  Value ofFirst = tangents[0] ? b.mul(tangents[0], weight(isFirst)) : Value();
  Value ofSecond = tangents[1] ? b.mul(tangents[1], weight(isSecond)) : Value();
  return b.add(ofFirst, ofSecond);
}

/// Returns the tangent of maxnumf or minnumf. It is that of selectTangent,
/// except that an operand that is NaN has no weight: the other one is returned.
static Value selectTangentOfNumber(TangentBuilder &b, Value first, Value second,
                                   arith::CmpFPredicate isFirst,
                                   arith::CmpFPredicate isSecond,
                                   ArrayRef<Value> tangents) {
  Type type = first.getType();
  auto weight = [&](arith::CmpFPredicate isChosen, Value other) {
    Value isEqual = b.compare(arith::CmpFPredicate::OEQ, first, second);
    Value isOnly = b.compare(arith::CmpFPredicate::UNO, other, other);
    Value one = b.real(type, 1);
    Value ifUnequal = b.select(isOnly, one, Value());
    Value ifNotChosen = b.select(isEqual, b.real(type, 0.5), ifUnequal);
    return b.select(b.compare(isChosen, first, second), one, ifNotChosen);
  };
  Value ofFirst =
      tangents[0] ? b.mul(tangents[0], weight(isFirst, second)) : Value();
  Value ofSecond =
      tangents[1] ? b.mul(tangents[1], weight(isSecond, first)) : Value();
  return b.add(ofFirst, ofSecond);
}

namespace tile {
static Derivatives makeTangents(arith::AddFOp, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({b.add(tangents[0], tangents[1])});
}

static Derivatives makeTangents(arith::SubFOp, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({b.sub(tangents[0], tangents[1])});
}

static Derivatives makeTangents(arith::MulFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (op.getLhs() == op.getRhs()) {
    // The transpose doubles the cotangent, often one value for many elements.
    Value half = b.mul(tangents[0], op.getRhs());
    return values({b.add(half, half)});
  }
  return values({b.add(b.mul(tangents[0], op.getRhs()),
                       b.mul(tangents[1], op.getLhs()))});
}

/// d(x / y) = (dx - (x / y) dy) / y
static Derivatives makeTangents(arith::DivFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value ofDivisor = b.mul(tangents[1], op.getResult());
  return values({b.div(b.sub(tangents[0], ofDivisor), op.getRhs())});
}

/// d(x - trunc(x / y) y) = dx - trunc(x / y) dy
static Derivatives makeTangents(arith::RemFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value ofDivisor;
  if (tangents[1])
    ofDivisor = b.mul(tangents[1],
                      b.apply<math::TruncOp>(b.div(op.getLhs(), op.getRhs())));
  return values({b.sub(tangents[0], ofDivisor)});
}

static Derivatives makeTangents(arith::MaximumFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({selectTangent(b, op.getResult(), op.getLhs(), op.getRhs(),
                               arith::CmpFPredicate::OGT,
                               arith::CmpFPredicate::OLT, tangents)});
}

static Derivatives makeTangents(arith::MinimumFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({selectTangent(b, op.getResult(), op.getLhs(), op.getRhs(),
                               arith::CmpFPredicate::OLT,
                               arith::CmpFPredicate::OGT, tangents)});
}

static Derivatives makeTangents(arith::MaxNumFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({selectTangentOfNumber(b, op.getLhs(), op.getRhs(),
                                       arith::CmpFPredicate::OGT,
                                       arith::CmpFPredicate::OLT, tangents)});
}

static Derivatives makeTangents(arith::MinNumFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({selectTangentOfNumber(b, op.getLhs(), op.getRhs(),
                                       arith::CmpFPredicate::OLT,
                                       arith::CmpFPredicate::OGT, tangents)});
}

static Derivatives makeTangents(arith::TruncFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  if (failed(verifyRounding(op)))
    return failure();
  return applyToTangents(op, b, tangents);
}

static Derivatives makeTangents(arith::SelectOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({b.select(op.getCondition(), tangents[1], tangents[2])});
}
} // namespace tile

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

namespace tile {
static Derivatives makeTranspose(arith::AddFOp, TransposeBuilder &,
                                 ArrayRef<Value> cotangents) {
  return values({cotangents[0], cotangents[0]});
}

static Derivatives makeTranspose(arith::SubFOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value second = b.isTangent(op.getRhs()) ? b.neg(cotangents[0]) : Value();
  return values({cotangents[0], second});
}

static Derivatives makeTranspose(arith::NegFOp, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values({b.neg(cotangents[0])});
}

static Derivatives makeTranspose(arith::MulFOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  if (b.isTangent(op.getLhs()))
    return values({b.mul(cotangents[0], op.getRhs()), Value()});
  return values({Value(), b.mul(cotangents[0], op.getLhs())});
}

static Derivatives makeTranspose(arith::DivFOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values({b.div(cotangents[0], op.getRhs()), Value()});
}

static Derivatives makeTranspose(arith::SelectOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  auto take = [&](Value value, bool isFirst) {
    if (!b.isTangent(value))
      return Value();
    return b.select(op.getCondition(), isFirst ? cotangents[0] : Value(),
                    isFirst ? Value() : cotangents[0]);
  };
  return values({Value(), take(op.getTrueValue(), true),
                 take(op.getFalseValue(), false)});
}

/// Rounding counts as the identity: the transpose rounds the other way.
template <typename Op>
static Derivatives buildTransposeOfCast(Op op, TransposeBuilder &b,
                                        ArrayRef<Value> cotangents) {
  return values({b.cast(cotangents[0], getElementType(op.getIn().getType()))});
}

static Derivatives makeTranspose(arith::ExtFOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return buildTransposeOfCast(op, b, cotangents);
}

static Derivatives makeTranspose(arith::TruncFOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return buildTransposeOfCast(op, b, cotangents);
}
} // namespace tile

void tile::addArithRules(MLIRContext &context) {
  attachModels<TangentModel, arith::AddFOp, arith::SubFOp, arith::MulFOp,
               arith::DivFOp, arith::RemFOp, arith::MaximumFOp,
               arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
               arith::SelectOp, arith::TruncFOp>(context);
  attachModels<LinearTangentModel, arith::NegFOp, arith::ExtFOp>(context);
  attachModels<TransposeModel, arith::AddFOp, arith::SubFOp, arith::NegFOp,
               arith::MulFOp, arith::DivFOp, arith::SelectOp, arith::ExtFOp,
               arith::TruncFOp>(context);
}
