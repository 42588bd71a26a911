// MathRules.cpp - derivatives of the operations of the math dialect
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Rules.h"

#include "tile/IR/AttachModels.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tile;

namespace tile {
static Value one(ValueBuilder &b, Value like) {
  return b.real(like.getType(), 1);
}

/// Returns (1 - x) (1 + x), which is exact to rounding near 1 and -1.
static Value oneMinusSquare(ValueBuilder &b, Value x) {
  return b.mul(b.sub(one(b, x), x), b.add(one(b, x), x));
}

static Value reciprocal(ValueBuilder &b, Value x) {
  return b.div(one(b, x), x);
}

//===----------------------------------------------------------------------===//
// Operations on one value: the derivative at x, where y is the result
//===----------------------------------------------------------------------===//

/// Returns the sign of x: 0 for zeros, NaN for NaN.
static Value getDerivative(math::AbsFOp op, ValueBuilder &b) {
  Value x = op.getOperand(), zero = b.zero(x.getType());
  Value isPositive = b.compare(arith::CmpFPredicate::OGT, x, zero);
  Value isNegative = b.compare(arith::CmpFPredicate::OLT, x, zero);
  Value other = b.select(isNegative, b.real(x.getType(), -1), b.scale(x, 0));
  return b.select(isPositive, one(b, x), other);
}

static Value getDerivative(math::AcosOp op, ValueBuilder &b) {
  return b.neg(b.apply<math::RsqrtOp>(oneMinusSquare(b, op.getOperand())));
}

static Value getDerivative(math::AcoshOp op, ValueBuilder &b) {
  Value x = op.getOperand();
  return b.apply<math::RsqrtOp>(b.neg(oneMinusSquare(b, x)));
}

static Value getDerivative(math::AsinOp op, ValueBuilder &b) {
  return b.apply<math::RsqrtOp>(oneMinusSquare(b, op.getOperand()));
}

static Value getDerivative(math::AsinhOp op, ValueBuilder &b) {
  Value x = op.getOperand();
  return b.apply<math::RsqrtOp>(b.add(one(b, x), b.mul(x, x)));
}

static Value getDerivative(math::AtanOp op, ValueBuilder &b) {
  Value x = op.getOperand();
  return reciprocal(b, b.add(one(b, x), b.mul(x, x)));
}

static Value getDerivative(math::AtanhOp op, ValueBuilder &b) {
  return reciprocal(b, oneMinusSquare(b, op.getOperand()));
}

static Value getDerivative(math::CbrtOp op, ValueBuilder &b) {
  Value y = op.getResult();
  return reciprocal(b, b.scale(b.mul(y, y), 3));
}

static Value getDerivative(math::CosOp op, ValueBuilder &b) {
  return b.neg(b.apply<math::SinOp>(op.getOperand()));
}

static Value getDerivative(math::CoshOp op, ValueBuilder &b) {
  return b.apply<math::SinhOp>(op.getOperand());
}

/// Returns 2 / sqrt(pi) e^(-x^2).
static Value getErrorDensity(Value x, ValueBuilder &b) {
  constexpr double kFactor = 1.1283791670955125739;
  return b.scale(b.apply<math::ExpOp>(b.neg(b.mul(x, x))), kFactor);
}

static Value getDerivative(math::ErfOp op, ValueBuilder &b) {
  return getErrorDensity(op.getOperand(), b);
}

static Value getDerivative(math::ErfcOp op, ValueBuilder &b) {
  return b.neg(getErrorDensity(op.getOperand(), b));
}

static Value getDerivative(math::ExpOp op, ValueBuilder &) {
  return op.getResult();
}

static Value getDerivative(math::Exp2Op op, ValueBuilder &b) {
  return b.scale(op.getResult(), std::log(2.0));
}

static Value getDerivative(math::ExpM1Op op, ValueBuilder &b) {
  return b.add(op.getResult(), one(b, op.getResult()));
}

static Value getDerivative(math::LogOp op, ValueBuilder &b) {
  return reciprocal(b, op.getOperand());
}

static Value getDerivative(math::Log10Op op, ValueBuilder &b) {
  return reciprocal(b, b.scale(op.getOperand(), std::log(10.0)));
}

static Value getDerivative(math::Log1pOp op, ValueBuilder &b) {
  return reciprocal(b, b.add(op.getOperand(), one(b, op.getOperand())));
}

static Value getDerivative(math::Log2Op op, ValueBuilder &b) {
  return reciprocal(b, b.scale(op.getOperand(), std::log(2.0)));
}

static Value getDerivative(math::RsqrtOp op, ValueBuilder &b) {
  Value y = op.getResult();
  return b.scale(b.mul(b.mul(y, y), y), -0.5);
}

static Value getDerivative(math::SinOp op, ValueBuilder &b) {
  return b.apply<math::CosOp>(op.getOperand());
}

static Value getDerivative(math::SinhOp op, ValueBuilder &b) {
  return b.apply<math::CoshOp>(op.getOperand());
}

static Value getDerivative(math::SqrtOp op, ValueBuilder &b) {
  return b.div(b.real(op.getType(), 0.5), op.getResult());
}

static Value getDerivative(math::TanOp op, ValueBuilder &b) {
  Value y = op.getResult();
  return b.add(one(b, y), b.mul(y, y));
}

static Value getDerivative(math::TanhOp op, ValueBuilder &b) {
  return oneMinusSquare(b, op.getResult());
}

//===----------------------------------------------------------------------===//
// Operations on several values
//===----------------------------------------------------------------------===//

static Derivatives makeTangents(math::Atan2Op op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value y = op.getLhs(), x = op.getRhs();
  Value square = b.add(b.mul(x, x), b.mul(y, y));
  return values({b.sub(b.mul(tangents[0], b.div(x, square)),
                       b.mul(tangents[1], b.div(y, square)))});
}

/// A value that is equal to an end has half of the derivative, and the end the
/// other half; between the ends the value has all of it.
static Derivatives makeTangents(math::ClampFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value x = op.getValue(), low = op.getMin(), high = op.getMax();
  Value isBelow = b.compare(arith::CmpFPredicate::OLT, x, low);
  Value isAbove = b.compare(arith::CmpFPredicate::OGT, x, high);
  Value isLow = b.compare(arith::CmpFPredicate::OEQ, x, low);
  Value isHigh = b.compare(arith::CmpFPredicate::OEQ, x, high);
  Value half = b.real(x.getType(), 0.5);
  auto either = [&](Value first, Value second) -> Value {
    return arith::OrIOp::create(b, first, second);
  };
  // Where both ends are equal to the value, the lower one has the other half.
  auto multiply = [&](Value tangent, Value isAll, Value isHalf) {
    if (!tangent)
      return Value();
    Value weight = b.select(isHalf, half, Value());
    return b.mul(tangent, b.select(isAll, one(b, x), weight));
  };
  Value ofValue;
  if (tangents[0]) {
    Value inside = b.select(either(isLow, isHigh), half, one(b, x));
    ofValue =
        b.mul(tangents[0], b.select(either(isBelow, isAbove), Value(), inside));
  }
  Value isOnlyHigh = arith::AndIOp::create(
      b, isHigh, b.compare(arith::CmpFPredicate::UNE, x, low));
  return values(
      {b.add(ofValue, b.add(multiply(tangents[1], isBelow, isLow),
                            multiply(tangents[2], isAbove, isOnlyHigh)))});
}

static Derivatives makeTangents(math::SincosOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  return values({b.mul(tangents[0], op.getCos()),
                 b.neg(b.mul(tangents[0], op.getSin()))});
}

static Derivatives makeTangents(math::CopySignOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value x = op.getLhs(), y = op.getRhs();
  Value sign = math::CopySignOp::create(b, one(b, x), x);
  Value wanted = math::CopySignOp::create(b, one(b, x), y);
  return values({b.mul(tangents[0], b.mul(sign, wanted))});
}

static Derivatives makeTangents(math::FmaOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value ofProduct =
      b.add(b.mul(tangents[0], op.getB()), b.mul(tangents[1], op.getA()));
  return values({b.add(ofProduct, tangents[2])});
}

/// The derivative by x is y x^(y-1), zero for y = 0; the derivative by y is
/// x^y log(x), zero for x = 0.
static Derivatives makeTangents(math::PowFOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value x = op.getLhs(), y = op.getRhs(), zero = b.zero(x.getType());
  Value byX, byY;
  if (tangents[0]) {
    Value isZero = b.compare(arith::CmpFPredicate::OEQ, y, zero);
    Value less = b.select(isZero, one(b, y), b.sub(y, one(b, y)));
    byX = b.mul(tangents[0], b.mul(y, math::PowFOp::create(b, x, less)));
  }
  if (tangents[1]) {
    Value isZero = b.compare(arith::CmpFPredicate::OEQ, x, zero);
    Value logarithm = b.apply<math::LogOp>(b.select(isZero, one(b, x), x));
    byY = b.mul(tangents[1], b.mul(op.getResult(), logarithm));
  }
  return values({b.add(byX, byY)});
}

/// The derivative is n x^(n-1), zero for n = 0.
static Derivatives makeTangents(math::FPowIOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value x = op.getLhs(), n = op.getRhs();
  Value unit = arith::ConstantOp::create(b, [&]() -> TypedAttr {
    Type type = n.getType(), element = getElementType(type);
    auto attr = b.getIntegerAttr(element, 1);
    if (auto shaped = dyn_cast<ShapedType>(type))
      return DenseElementsAttr::get(shaped, attr);
    return attr;
  }());
  Value zero = arith::SubIOp::create(b, unit, unit);
  Value isZero = arith::CmpIOp::create(b, arith::CmpIPredicate::eq, n, zero);
  Value power = math::FPowIOp::create(b, x, arith::SubIOp::create(b, n, unit));
  Value factor = isa<TileType>(n.getType())
                     ? CastOp::create(b, x.getType(), n).getResult()
                     : arith::SIToFPOp::create(b, x.getType(), n).getResult();
  Value derivative =
      b.select(isZero, b.zero(x.getType()), b.mul(factor, power));
  return values({b.mul(tangents[0], derivative)});
}
} // namespace tile

void tile::addMathRules(MLIRContext &context) {
  attachModels<UnaryTangentModel, math::AbsFOp, math::AcosOp, math::AcoshOp,
               math::AsinOp, math::AsinhOp, math::AtanOp, math::AtanhOp,
               math::CbrtOp, math::CosOp, math::CoshOp, math::ErfOp,
               math::ErfcOp, math::ExpOp, math::Exp2Op, math::ExpM1Op,
               math::LogOp, math::Log10Op, math::Log1pOp, math::Log2Op,
               math::RsqrtOp, math::SinOp, math::SinhOp, math::SqrtOp,
               math::TanOp, math::TanhOp>(context);
  attachModels<TangentModel, math::Atan2Op, math::ClampFOp, math::CopySignOp,
               math::FmaOp, math::FPowIOp, math::PowFOp, math::SincosOp>(
      context);
  attachModels<ConstantTangentModel, math::CeilOp, math::FloorOp, math::RoundOp,
               math::RoundEvenOp, math::TruncOp>(context);
}
