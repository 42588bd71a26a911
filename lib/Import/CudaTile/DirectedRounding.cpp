// DirectedRounding.cpp - arithmetic of CUDA Tile with a rounding mode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A result is rounded to nearest first, and moves to its neighbour by the sign
// of the rounding error. The errors are those of error-free transformations
// (Muller et al., Handbook of Floating-Point Arithmetic, chapter 5). For f32
// they are computed in f64, which has enough bits. For f64, an error below the
// smallest value counts as zero, as does that of a fused multiplication and
// addition whose multiplication overflows by itself.

#include "DirectedRounding.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

namespace {
/// A value as the nearest one of a type, and the error of that.
struct Exact {
  Value nearest, error;
};

/// Arithmetic on floats, scalars or tiles.
class Floats {
public:
  explicit Floats(KernelTranslator &t) : t(t), b(t.b) {}

  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value subtract(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value multiply(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value divide(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value negate(Value x) { return arith::NegFOp::create(b, x); }
  Value fma(Value x, Value y, Value z) {
    return math::FmaOp::create(b, x, y, z);
  }
  Value constant(Value like, double value) {
    return t.real(like.getType(), value);
  }
  Value compare(arith::CmpFPredicate predicate, Value x, double value) {
    return arith::CmpFOp::create(b, predicate, x, constant(x, value));
  }
  Value isPositive(Value x) { return compare(arith::CmpFPredicate::OGT, x, 0); }
  Value isNegative(Value x) { return compare(arith::CmpFPredicate::OLT, x, 0); }
  Value isZero(Value x) { return compare(arith::CmpFPredicate::OEQ, x, 0); }
  Value isNotZero(Value x) { return compare(arith::CmpFPredicate::UNE, x, 0); }
  Value isInfinite(Value x) {
    return compare(arith::CmpFPredicate::OEQ, math::AbsFOp::create(b, x),
                   INFINITY);
  }
  Value isFinite(Value x) {
    return compare(arith::CmpFPredicate::OLT, math::AbsFOp::create(b, x),
                   INFINITY);
  }
  Value both(Value x, Value y) { return arith::AndIOp::create(b, x, y); }
  Value either(Value x, Value y) { return arith::OrIOp::create(b, x, y); }

  Value toBits(Value x) {
    return t.castElements(
        x, b.getIntegerType(getElementTypeOrSelf(x).getIntOrFloatBitWidth()),
        /*isUnsigned=*/false, /*isBitcast=*/true);
  }
  Value hasSign(Value bits) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::slt, bits,
                                 t.zero(bits.getType()));
  }
  Exact sum(Value x, Value y);
  Value getNext(Value x, Value isUp);

private:
  KernelTranslator &t;
  ImplicitLocOpBuilder &b;
};
} // namespace

/// Knuth's 2Sum.
Exact Floats::sum(Value x, Value y) {
  Value s = add(x, y);
  Value ofY = subtract(s, x);
  Value ofX = subtract(s, ofY);
  return {s, add(subtract(x, ofX), subtract(y, ofY))};
}

/// Returns the next value above where `isUp` is true, otherwise below. Above
/// the largest value is infinity. `x` is not infinite in the direction.
Value Floats::getNext(Value x, Value isUp) {
  Value bits = toBits(x);
  auto makeInteger = [&](int64_t value) {
    return t.integer(bits.getType(), value);
  };
  // Values of one sign are in the order of their bits.
  Value grows =
      arith::CmpIOp::create(b, arith::CmpIPredicate::ne, isUp, hasSign(bits));
  Value step = t.select(grows, makeInteger(1), makeInteger(-1));
  Value moved = arith::AddIOp::create(b, bits, step);
  unsigned width = getElementTypeOrSelf(bits).getIntOrFloatBitWidth();
  // From zero, to the smallest value of either sign.
  Value smallest = t.select(isUp, makeInteger(1),
                            makeInteger((int64_t(-1) << (width - 1)) + 1));
  Value next = t.select(isZero(x), smallest, moved);
  return t.castElements(next, getElementTypeOrSelf(x), /*isUnsigned=*/false,
                        /*isBitcast=*/true);
}

//===----------------------------------------------------------------------===//
// Results with their errors
//===----------------------------------------------------------------------===//

/// Returns a value with the sign of the error of a fused multiplication and
/// addition (Boldo and Muller, "Exact and approximated error of the FMA").
static Value getFmaError(Floats &f, ArrayRef<Value> x, Value product,
                         Value result) {
  Value low = f.fma(x[0], x[1], f.negate(product));
  Exact first = f.sum(x[2], low);
  Exact second = f.sum(product, first.nearest);
  Value rest = f.add(f.subtract(second.nearest, result), second.error);
  return f.add(rest, first.error);
}

namespace {
/// Unrounded is an operation's result before it is rounded in a direction.
struct Unrounded {
  /// The nearest value, and one with the sign of its error, exact minus
  /// nearest.
  Exact value;
  /// The values of which the result is the sum, if it is one.
  SmallVector<Value, 2> addends;
};
} // namespace

/// Computes an operation on operands that have enough bits.
static Unrounded compute(KernelTranslator &t, Floats &f, StringRef name,
                         ArrayRef<Value> x) {
  if (name == "addf")
    return {f.sum(x[0], x[1]), {x[0], x[1]}};
  if (name == "subf") {
    Value negative = f.negate(x[1]);
    return {f.sum(x[0], negative), {x[0], negative}};
  }
  if (name == "sqrt") {
    Value root = math::SqrtOp::create(t.b, x[0]);
    return {{root, f.fma(f.negate(root), root, x[0])}, {}};
  }
  if (name == "divf") {
    Value quotient = f.divide(x[0], x[1]);
    Value rest = f.fma(f.negate(quotient), x[1], x[0]);
    return {{quotient, t.select(f.isNegative(x[1]), f.negate(rest), rest)}, {}};
  }
  Value product = f.multiply(x[0], x[1]);
  if (name == "mulf")
    return {{product, f.fma(x[0], x[1], f.negate(product))}, {}};
  Value sum = f.fma(x[0], x[1], x[2]);
  return {{sum, getFmaError(f, x, product, sum)}, {product, x[2]}};
}

/// Sets the error of a result that is too large for its type: the largest
/// value is nearer to zero than infinity. Infinite operands and zero divisors
/// give infinity without error.
static void setOverflow(KernelTranslator &t, Floats &f,
                        ArrayRef<Value> operands, bool isDivision,
                        Exact &value) {
  Value isExceeded = f.isInfinite(value.nearest);
  for (Value operand : operands)
    isExceeded = f.both(isExceeded, f.isFinite(operand));
  if (isDivision)
    isExceeded = f.both(isExceeded, f.isNotZero(operands[1]));
  value.error = t.select(isExceeded, f.negate(value.nearest), value.error);
}

/// Rounds to f32.
static Exact narrow(KernelTranslator &t, Floats &f, const Exact &wide) {
  Value nearest = t.castElements(wide.nearest, t.b.getF32Type());
  Value rest =
      f.subtract(wide.nearest, t.castElements(nearest, t.b.getF64Type()));
  return {nearest, t.select(f.isZero(rest), wide.error, rest)};
}

/// Returns the value that a direction gives.
static Value round(KernelTranslator &t, Floats &f, const Unrounded &result,
                   Rounding rounding) {
  auto [nearest, error] = result.value;
  Value isAbove = f.isPositive(error), isBelow = f.isNegative(error);
  Value moves = rounding == Rounding::up ? isAbove
                : rounding == Rounding::down
                    ? isBelow
                    : f.either(f.both(isAbove, f.isNegative(nearest)),
                               f.both(isBelow, f.isPositive(nearest)));
  Value rounded = t.select(moves, f.getNext(nearest, isAbove), nearest);
  if (rounding != Rounding::down || result.addends.empty())
    return rounded;
  // An exact sum of zero is negative, but not of two positive zeros (IEEE 754,
  // section 6.3).
  Value isNegative = f.both(f.both(f.isZero(nearest), f.isZero(error)),
                            f.either(f.hasSign(f.toBits(result.addends[0])),
                                     f.hasSign(f.toBits(result.addends[1]))));
  return t.select(isNegative, f.constant(nearest, -0.0), rounded);
}

LogicalResult tile::cudatile::translateDirected(KernelTranslator &t,
                                                const SourceOp &op) {
  SmallVector<Value> operands;
  for (const std::vector<SourceValue *> &values : op.operands)
    operands.push_back(t.getValue(values.front()));
  Type element = getElementTypeOrSelf(operands.front());
  bool areSame = llvm::all_of(operands, [&](Value operand) {
    return operand.getType() == operands.front().getType();
  });
  if (!areSame || !(element.isF32() || element.isF64()))
    return t.refuse(op, "for a rounding mode other than to nearest, expected "
                        "f32 or f64");
  Floats f(t);
  for (Value &operand : operands)
    operand = t.castElements(operand, t.b.getF64Type());
  StringRef name = op.getName();
  Unrounded result = compute(t, f, name, operands);
  setOverflow(t, f, operands, /*isDivision=*/name == "divf", result.value);
  if (element.isF32())
    result.value = narrow(t, f, result.value);
  auto rounding = static_cast<Rounding>(op.getAttribute("rounding").number);
  t.setResult(op, round(t, f, result, rounding));
  return success();
}
