// Evaluate.cpp - what a tile program means, computed in float64
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Evaluate.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"

#include <complex>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

using Numbers = std::vector<Number>;

std::optional<int64_t> ArrayValue::find(ArrayRef<int64_t> coordinate) const {
  int64_t distance = 0;
  for (auto [index, size, stride] : llvm::zip(coordinate, sizes, strides)) {
    if (index < 0 || index >= size)
      return std::nullopt;
    distance += index * stride;
  }
  return distance;
}

/// Calls `visit` with each coordinate of a shape, in row-major order.
static void forEach(ArrayRef<int64_t> shape,
                    llvm::function_ref<void(ArrayRef<int64_t>)> visit) {
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  SmallVector<int64_t> coordinate(shape.size(), 0);
  for (int64_t n = 0; n < count; ++n) {
    visit(coordinate);
    for (size_t dim = shape.size(); dim-- > 0;) {
      if (++coordinate[dim] < shape[dim])
        break;
      coordinate[dim] = 0;
    }
  }
}

static int64_t getRowMajorIndex(ArrayRef<int64_t> shape,
                                ArrayRef<int64_t> coordinate) {
  int64_t index = 0;
  for (auto [extent, i] : llvm::zip(shape, coordinate))
    index = index * extent + i;
  return index;
}

//===----------------------------------------------------------------------===//
// Arithmetic of one element
//===----------------------------------------------------------------------===//

static uint64_t getLowBits(int64_t value, Type type) {
  unsigned bits = getIntegerBits(type);
  return bits == 64
             ? static_cast<uint64_t>(value)
             : static_cast<uint64_t>(value) & ((uint64_t(1) << bits) - 1);
}

/// Signed values: i1 as 0 and -1.
static int64_t getSigned(int64_t value, Type type) {
  return getIntegerBits(type) == 1 ? -value : value;
}

/// An integer operation of two operands; nothing where it is undefined.
static std::optional<int64_t> applyInteger(Operation *op, int64_t a, int64_t b,
                                           Type type) {
  uint64_t ua = getLowBits(a, type), ub = getLowBits(b, type);
  int64_t sa = getSigned(a, type), sb = getSigned(b, type);
  unsigned bits = getIntegerBits(type);
  using Result = std::optional<int64_t>;
  bool isDefined = sb != 0 && !(sb == -1 && ua == uint64_t(1) << (bits - 1));
  auto floorDivide = [&] {
    return sa / sb - ((sa % sb != 0) && ((sa < 0) != (sb < 0)));
  };
  auto ceilDivide = [&] {
    return sa / sb + ((sa % sb != 0) && ((sa < 0) == (sb < 0)));
  };
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddIOp>([&](auto) { return Result(ua + ub); })
      .Case<arith::SubIOp>([&](auto) { return Result(ua - ub); })
      .Case<arith::MulIOp>([&](auto) { return Result(ua * ub); })
      .Case<arith::AndIOp>([&](auto) { return Result(ua & ub); })
      .Case<arith::OrIOp>([&](auto) { return Result(ua | ub); })
      .Case<arith::XOrIOp>([&](auto) { return Result(ua ^ ub); })
      .Case<arith::MaxSIOp>([&](auto) { return Result(std::max(sa, sb)); })
      .Case<arith::MinSIOp>([&](auto) { return Result(std::min(sa, sb)); })
      .Case<arith::MaxUIOp>([&](auto) { return Result(std::max(ua, ub)); })
      .Case<arith::MinUIOp>([&](auto) { return Result(std::min(ua, ub)); })
      .Case<arith::DivSIOp>(
          [&](auto) { return isDefined ? Result(sa / sb) : Result(); })
      .Case<arith::RemSIOp>(
          [&](auto) { return isDefined ? Result(sa % sb) : Result(); })
      .Case<arith::FloorDivSIOp>(
          [&](auto) { return isDefined ? Result(floorDivide()) : Result(); })
      .Case<arith::CeilDivSIOp>(
          [&](auto) { return isDefined ? Result(ceilDivide()) : Result(); })
      .Case<arith::DivUIOp>(
          [&](auto) { return ub != 0 ? Result(ua / ub) : Result(); })
      .Case<arith::CeilDivUIOp>([&](auto) {
        return ub != 0 ? Result(ua / ub + (ua % ub != 0)) : Result();
      })
      .Case<arith::RemUIOp>(
          [&](auto) { return ub != 0 ? Result(ua % ub) : Result(); })
      .Case<arith::ShLIOp>(
          [&](auto) { return ub < bits ? Result(ua << ub) : Result(); })
      .Case<arith::ShRSIOp>(
          [&](auto) { return ub < bits ? Result(sa >> ub) : Result(); })
      .Case<arith::ShRUIOp>(
          [&](auto) { return ub < bits ? Result(ua >> ub) : Result(); })
      .Default([](Operation *) { return Result(); });
}

/// An integer operation of one operand; nothing if it is not known.
static std::optional<int64_t> applyInteger(Operation *op, int64_t a,
                                           Type type) {
  APInt bits(getIntegerBits(type), getLowBits(a, type));
  using Result = std::optional<int64_t>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<math::AbsIOp>([&](auto) { return bits.abs().getSExtValue(); })
      .Case<math::CtPopOp>([&](auto) { return bits.popcount(); })
      .Case<math::CountLeadingZerosOp>([&](auto) { return bits.countl_zero(); })
      .Case<math::CountTrailingZerosOp>(
          [&](auto) { return bits.countr_zero(); })
      .Default([](Operation *) { return Result(); });
}

static Number divide(const Number &a, const Number &b, Type type) {
  if (a.isExact() && b.isExact())
    return rounded(a.value / b.value, 0, type);
  double least = std::fabs(b.value) - b.error;
  if (!(least > 0))
    return Number::unknown();
  double value = a.value / b.value;
  return rounded(value, (a.error + std::fabs(value) * b.error) / least, type);
}

static Number takeRoot(const Number &a, Type type) {
  if (a.isExact())
    return rounded(std::sqrt(a.value), 0, type);
  if (!(a.value > a.error))
    return Number::unknown();
  return rounded(std::sqrt(a.value),
                 a.error / (2 * std::sqrt(a.value - a.error)), type);
}

/// The least or greatest; NaN if one is.
static Number pickExtreme(const Number &a, const Number &b, bool isMax) {
  if (std::isnan(a.value) || std::isnan(b.value))
    return Number::ofFloat(std::nan(""), std::max(a.error, b.error));
  bool takesFirst = isMax ? a.value > b.value : a.value < b.value;
  // Equal zeros of two signs: the order is -0, +0.
  if (a.value == b.value)
    takesFirst = std::signbit(a.value) != isMax;
  return Number::ofFloat(takesFirst ? a.value : b.value,
                         std::max(a.error, b.error));
}

/// The least or greatest of the numbers; NaN if both are. Which of two zeros it
/// is nobody says.
static Number pickNumber(const Number &a, const Number &b, bool isMax) {
  if (std::isnan(a.value) && a.isExact())
    return b;
  if (std::isnan(b.value) && b.isExact())
    return a;
  if (a.value == 0 && b.value == 0 &&
      std::signbit(a.value) != std::signbit(b.value))
    return Number::unknown();
  return pickExtreme(a, b, isMax);
}

static Number takeLogarithm(const Number &a, double (*function)(double),
                            Type type) {
  if (a.isExact())
    return approximate(function(a.value), 0, 4, type);
  if (!(a.value > 2 * a.error))
    return Number::unknown();
  // Both logarithms are flatter than 2/x.
  return approximate(function(a.value), 2 * a.error / (a.value - a.error), 4,
                     type);
}

static Number multiply(const Number &a, const Number &b, Type type) {
  return rounded(a.value * b.value,
                 a.error * std::fabs(b.value) + b.error * std::fabs(a.value) +
                     a.error * b.error,
                 type);
}

/// A function that steps: known where both ends of the interval agree.
static Number step(const Number &a, double (*function)(double)) {
  if (a.isExact())
    return Number::ofFloat(function(a.value));
  if (function(a.value - a.error) != function(a.value + a.error))
    return Number::unknown();
  return Number::ofFloat(function(a.value));
}

/// A function that only rises or only falls: the ends of the interval bound it.
static Number applyMonotone(const Number &a, double (*function)(double),
                            Type type) {
  double value = function(a.value);
  if (a.isExact())
    return approximate(value, 0, 8, type);
  double below = std::fabs(function(a.value - a.error) - value);
  double above = std::fabs(function(a.value + a.error) - value);
  // NaN where the interval leaves what the function is defined on.
  if (std::isnan(below) || std::isnan(above))
    return Number::unknown();
  return approximate(value, std::max(below, above) + 0x1p-49 * std::fabs(value),
                     8, type);
}

/// The steepest slope of the hyperbolic cosine is at the far end.
static Number takeCosh(const Number &a, Type type) {
  double slope = std::sinh(std::fabs(a.value) + a.error);
  return approximate(std::cosh(a.value), a.isExact() ? 0 : a.error * slope, 8,
                     type);
}

static Number takeTangent(const Number &a, Type type) {
  double value = std::tan(a.value);
  // Near a pole nothing is known.
  if (!a.isExact() && !(a.error * (1 + std::fabs(value)) < 0.1))
    return Number::unknown();
  double error = a.isExact() ? 0 : 2 * a.error * (1 + value * value);
  return approximate(value, error, 8, type);
}

static Number takeAngle(const Number &y, const Number &x, Type type) {
  double value = std::atan2(y.value, x.value);
  // The sign of a zero decides between pi and -pi.
  if (y.value == 0 && !(x.value > 0))
    return Number::unknown();
  if (y.isExact() && x.isExact())
    return approximate(value, 0, 8, type);
  double radius = std::hypot(x.value, y.value), error = x.error + y.error;
  bool isCut = std::fabs(y.value) <= y.error && x.value <= x.error;
  if (isCut || !(radius > 4 * error))
    return Number::unknown();
  return approximate(value, 2 * error / radius, 8, type);
}

/// @pre the base is not negative.
static Number takePower(const Number &base, const Number &exponent, Type type) {
  double value = std::pow(base.value, exponent.value);
  if (base.isExact() && exponent.isExact())
    return approximate(value, 0, 8, type);
  if (!(base.value > base.error))
    return Number::unknown();
  // Powers rise or fall with each operand alone: the corners bound them.
  double error = 0x1p-49 * std::fabs(value);
  for (double a : {base.value - base.error, base.value + base.error})
    for (double b :
         {exponent.value - exponent.error, exponent.value + exponent.error})
      error = std::max(error, 1.01 * std::fabs(std::pow(a, b) - value));
  return approximate(value, error, 8, type);
}

/// A floating-point operation; nothing if it is not known.
static std::optional<Number> applyFloat(Operation *op, ArrayRef<Number> x,
                                        Type type) {
  using Result = std::optional<Number>;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<arith::AddFOp>([&](auto) {
        return rounded(x[0].value + x[1].value, x[0].error + x[1].error, type);
      })
      .Case<arith::SubFOp>([&](auto) {
        return rounded(x[0].value - x[1].value, x[0].error + x[1].error, type);
      })
      .Case<arith::MulFOp>([&](auto) { return multiply(x[0], x[1], type); })
      .Case<arith::DivFOp>([&](auto) { return divide(x[0], x[1], type); })
      .Case<arith::NegFOp>(
          [&](auto) { return Number::ofFloat(-x[0].value, x[0].error); })
      .Case<arith::MaximumFOp>(
          [&](auto) { return pickExtreme(x[0], x[1], /*isMax=*/true); })
      .Case<arith::MinimumFOp>(
          [&](auto) { return pickExtreme(x[0], x[1], /*isMax=*/false); })
      .Case<math::ClampFOp>([&](auto) {
        return pickExtreme(pickExtreme(x[0], x[2], /*isMax=*/false), x[1],
                           /*isMax=*/true);
      })
      .Case<math::AbsFOp>([&](auto) {
        return Number::ofFloat(std::fabs(x[0].value), x[0].error);
      })
      .Case<math::SqrtOp>([&](auto) { return takeRoot(x[0], type); })
      .Case<math::FmaOp>([&](auto) {
        Number product = Number::ofFloat(
            x[0].value * x[1].value, x[0].error * std::fabs(x[1].value) +
                                         x[1].error * std::fabs(x[0].value) +
                                         x[0].error * x[1].error);
        return approximate(product.value + x[2].value,
                           product.error + x[2].error +
                               0x1p-52 * std::fabs(product.value),
                           1, type);
      })
      .Case<math::ExpOp>([&](auto) {
        double value = std::exp(x[0].value);
        return approximate(value, value * std::expm1(x[0].error), 4, type);
      })
      .Case<math::TanhOp>([&](auto) {
        return approximate(std::tanh(x[0].value), x[0].error, 4, type);
      })
      .Case<math::Exp2Op>([&](auto) {
        double value = std::exp2(x[0].value);
        return approximate(value, value * std::expm1(x[0].error), 4, type);
      })
      .Case<math::LogOp>([&](auto) {
        return takeLogarithm(x[0], [](double v) { return std::log(v); }, type);
      })
      .Case<math::Log2Op>([&](auto) {
        return takeLogarithm(x[0], [](double v) { return std::log2(v); }, type);
      })
      .Case<math::SinOp>([&](auto) {
        return approximate(std::sin(x[0].value), x[0].error, 4, type);
      })
      .Case<math::CosOp>([&](auto) {
        return approximate(std::cos(x[0].value), x[0].error, 4, type);
      })
      .Case<math::ErfOp>([&](auto) {
        return approximate(std::erf(x[0].value), 2 * x[0].error, 4, type);
      })
      .Case<math::RsqrtOp>([&](auto) {
        double value = 1 / std::sqrt(x[0].value);
        if (x[0].isExact())
          return approximate(value, 0, 4, type);
        if (!(x[0].value > 2 * x[0].error))
          return Number::unknown();
        return approximate(value, value * x[0].error / x[0].value, 4, type);
      })
      .Case<math::CopySignOp>([&](auto) {
        if (!x[1].isExact() || std::isnan(x[1].value))
          return Number::unknown();
        return Number::ofFloat(std::copysign(x[0].value, x[1].value),
                               x[0].error);
      })
      .Case<arith::MaxNumFOp>(
          [&](auto) { return pickNumber(x[0], x[1], /*isMax=*/true); })
      .Case<arith::MinNumFOp>(
          [&](auto) { return pickNumber(x[0], x[1], /*isMax=*/false); })
      .Case<arith::RemFOp>([&](auto) {
        if (!x[0].isExact() || !x[1].isExact())
          return Number::unknown();
        return rounded(std::fmod(x[0].value, x[1].value), 0, type);
      })
      .Case<math::CbrtOp>(
          [&](auto) { return applyMonotone(x[0], std::cbrt, type); })
      .Case<math::ExpM1Op>(
          [&](auto) { return applyMonotone(x[0], std::expm1, type); })
      .Case<math::Log1pOp>(
          [&](auto) { return applyMonotone(x[0], std::log1p, type); })
      .Case<math::Log10Op>(
          [&](auto) { return applyMonotone(x[0], std::log10, type); })
      .Case<math::ErfcOp>(
          [&](auto) { return applyMonotone(x[0], std::erfc, type); })
      .Case<math::AsinOp>(
          [&](auto) { return applyMonotone(x[0], std::asin, type); })
      .Case<math::AcosOp>(
          [&](auto) { return applyMonotone(x[0], std::acos, type); })
      .Case<math::AtanOp>(
          [&](auto) { return applyMonotone(x[0], std::atan, type); })
      .Case<math::SinhOp>(
          [&](auto) { return applyMonotone(x[0], std::sinh, type); })
      .Case<math::AsinhOp>(
          [&](auto) { return applyMonotone(x[0], std::asinh, type); })
      .Case<math::AcoshOp>(
          [&](auto) { return applyMonotone(x[0], std::acosh, type); })
      .Case<math::AtanhOp>(
          [&](auto) { return applyMonotone(x[0], std::atanh, type); })
      .Case<math::CoshOp>([&](auto) { return takeCosh(x[0], type); })
      .Case<math::TanOp>([&](auto) { return takeTangent(x[0], type); })
      .Case<math::Atan2Op>([&](auto) { return takeAngle(x[0], x[1], type); })
      .Case<math::PowFOp>([&](auto) { return takePower(x[0], x[1], type); })
      .Case<math::RoundOp>([&](auto) {
        return step(x[0], [](double v) { return std::round(v); });
      })
      .Case<math::RoundEvenOp>([&](auto) {
        return step(x[0], [](double v) { return std::nearbyint(v); });
      })
      .Case<math::FloorOp>([&](auto) { return step(x[0], std::floor); })
      .Case<math::CeilOp>([&](auto) { return step(x[0], std::ceil); })
      .Case<math::TruncOp>([&](auto) { return step(x[0], std::trunc); })
      .Default([](Operation *) { return Result(); });
}

static Number compareFloats(arith::CmpFPredicate predicate, const Number &a,
                            const Number &b) {
  bool isClose = !(std::fabs(a.value - b.value) > a.error + b.error);
  if (isClose && !(a.isExact() && b.isExact()))
    return Number::unknown();
  return Number::ofInteger(arith::applyCmpPredicate(
      predicate, llvm::APFloat(a.value), llvm::APFloat(b.value)));
}

/// Whether a number is of a kind; nothing if the operation asks something else.
static std::optional<Number> classify(Operation *op, const Number &x,
                                      Type type) {
  using Result = std::optional<Number>;
  // An error says that the number is finite.
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<math::IsNaNOp>(
          [&](auto) { return Number::ofInteger(std::isnan(x.value)); })
      .Case<math::IsInfOp>(
          [&](auto) { return Number::ofInteger(std::isinf(x.value)); })
      .Case<math::IsFiniteOp>(
          [&](auto) { return Number::ofInteger(std::isfinite(x.value)); })
      .Case<math::IsNormalOp>([&](auto) {
        if (!x.isExact())
          return Number::unknown();
        double least = llvm::APFloat::getSmallestNormalized(
                           cast<FloatType>(type).getFloatSemantics())
                           .convertToDouble();
        return Number::ofInteger(std::isfinite(x.value) &&
                                 std::fabs(x.value) >= least);
      })
      .Default([](Operation *) { return Result(); });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

namespace {
/// The values of an integer type: from `low` to below `high`.
struct IntegerRange {
  double low, high;

  IntegerRange(Type type, bool isUnsigned) {
    int bits = static_cast<int>(getIntegerBits(type));
    low = isUnsigned ? 0 : -std::ldexp(1.0, bits - 1);
    high = std::ldexp(1.0, isUnsigned ? bits : bits - 1);
  }
};
} // namespace

/// The nearest integer of the type.
static int64_t saturate(double value, Type to, bool isUnsigned) {
  unsigned bits = getIntegerBits(to);
  IntegerRange range(to, isUnsigned);
  if (value <= range.low)
    return isUnsigned ? 0 : std::numeric_limits<int64_t>::min() >> (64 - bits);
  if (value >= range.high)
    return isUnsigned ? static_cast<int64_t>(~uint64_t(0) >> (64 - bits))
                      : static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1);
  return isUnsigned ? static_cast<int64_t>(static_cast<uint64_t>(value))
                    : static_cast<int64_t>(value);
}

static Number castFloatToInteger(CastOp op, const Number &x, Type to) {
  bool isUnsigned = op.getUnsignedInteger();
  if (getIntegerBits(to) == 1)
    return x.isExact() ? Number::ofInteger(x.value != 0) : Number::unknown();
  Number whole = step(x, std::trunc);
  if (whole.isUnknown() || std::isnan(whole.value))
    return Number::unknown();
  IntegerRange range(to, isUnsigned);
  if (!op.getSaturate() &&
      !(whole.value >= range.low && whole.value < range.high))
    return Number::unknown();
  return Number::ofInteger(
      wrapInteger(saturate(whole.value, to, isUnsigned), to));
}

/// To f8 what is beyond the largest number is that number.
static Number castFloat(const Number &x, Type to) {
  if (!isFloat8(to) || !x.isExact() || std::isnan(x.value))
    return rounded(x.value, x.error, to);
  double largest = getLargest(to);
  return rounded(std::clamp(x.value, -largest, largest), 0, to);
}

static Number castIntegerToFloat(CastOp op, const Number &x, Type from,
                                 Type to) {
  bool isUnsigned = op.getUnsignedInteger() || getIntegerBits(from) == 1;
  double value = isUnsigned ? static_cast<double>(getLowBits(x.integer, from))
                            : static_cast<double>(x.integer);
  // The conversion to float64 has rounded what is longer.
  if (std::fabs(value) > 0x1p53)
    return isFloat8(to) ? castFloat(Number::ofFloat(value), to)
                        : approximate(value, 0x1p-53 * std::fabs(value), 1, to);
  return castFloat(Number::ofFloat(value), to);
}

static Number castInteger(CastOp op, const Number &x, Type from, Type to) {
  bool isUnsigned = op.getUnsignedInteger() || getIntegerBits(from) == 1;
  unsigned bits = getIntegerBits(to);
  if (bits == 1)
    return Number::ofInteger(x.integer != 0);
  int64_t value = isUnsigned ? static_cast<int64_t>(getLowBits(x.integer, from))
                             : x.integer;
  if (op.getSaturate() && bits < 64) {
    int64_t high =
        (int64_t(1) << (op.getUnsignedInteger() ? bits : bits - 1)) - 1;
    int64_t low = op.getUnsignedInteger() ? 0 : -high - 1;
    if (op.getUnsignedInteger() && value < 0) // 64 bits, all taken
      value = high;
    value = std::clamp(value, low, high);
  }
  return Number::ofInteger(wrapInteger(value, to));
}

static Number castBits(const Number &x, Type from, Type to) {
  if (!x.isExact() || std::isnan(x.value))
    return Number::unknown();
  uint64_t memory = 0;
  writeNumber(&memory, x, from);
  return readNumber(&memory, to);
}

static Number castElement(CastOp op, const Number &x, Type from, Type to) {
  if (x.isUnknown())
    return x;
  if (from == to)
    return x;
  if (op.getBitcast())
    return castBits(x, from, to);
  if (isInteger(from))
    return isInteger(to) ? castInteger(op, x, from, to)
                         : castIntegerToFloat(op, x, from, to);
  return isInteger(to) ? castFloatToInteger(op, x, to) : castFloat(x, to);
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

namespace {
/// A sum or product in an order that nobody says, in the type that the
/// operation accumulates in.
struct Accumulation {
  Type type;
  double value = 0, magnitude = 0, error = 0;
  int64_t count = 0;

  void add(double term, double termError) {
    value += term;
    magnitude += std::fabs(term) + termError;
    error += termError;
    ++count;
  }

  /// The sum of products that are rounded too, each perhaps a denormal; nothing
  /// is known where a part of it may be beyond the largest number.
  Number finishProducts(double unitRoundoff) {
    if (!(magnitude < getLargest(type)))
      return Number::unknown();
    if (count > 1)
      error += static_cast<double>(count) * getSmallest(type);
    return finish(unitRoundoff);
  }

  /// @post exact if there is one term without error. The float64 sum itself
  /// errs, as a sum of the program does.
  Number finish(double unitRoundoff) const {
    double roundings = static_cast<double>(std::max<int64_t>(count - 1, 0));
    return rounded(
        value, error + roundings * (unitRoundoff + 0x1p-53) * magnitude, type);
  }
};
} // namespace

/// A number as tensor cores take it with precision tf32: rounded to 10 bits of
/// mantissa, ties away from zero or, from sm_90 on, to even.
static Number roundToTF32(const Number &x) {
  if (!std::isfinite(x.value) || x.value == 0)
    return x;
  // Denormals have the step of the smallest normal numbers.
  int exponent = std::max(std::ilogb(x.value), -126);
  double step = std::ldexp(1.0, exponent - 10);
  bool isTie = std::fabs(std::remainder(x.value, step)) == step / 2;
  if (!x.isExact() || isTie)
    return Number::ofFloat(x.value, x.error + step + 0x1p-10 * x.error);
  double value = std::round(x.value / step) * step;
  return Number::ofFloat(std::fabs(value) < 0x1p128
                             ? value
                             : std::copysign(Number::kInfinity, value));
}

static void addProduct(Accumulation &sum, double a, double aError, double b,
                       double bError) {
  sum.add(a * b,
          aError * std::fabs(b) + bError * std::fabs(a) + aError * bError);
}

/// What the sums of a type are computed in: f16 and bf16 in f32.
static double getSumRoundoff(Type type) {
  return std::min(getUnitRoundoff(type), 0x1p-24);
}

static Number reduceFloats(ReduceKind kind, ArrayRef<Number> terms, Type type) {
  Number result = terms.front();
  if (kind == ReduceKind::min || kind == ReduceKind::max) {
    for (const Number &term : terms.drop_front())
      result = pickExtreme(result, term, kind == ReduceKind::max);
    return result;
  }
  if (kind == ReduceKind::add) {
    Accumulation sum{type, /*value=*/-0.0};
    for (const Number &term : terms)
      sum.add(term.value, term.error);
    return sum.finish(getSumRoundoff(type));
  }
  double product = 1, relative = 0;
  for (const Number &term : terms) {
    product *= term.value;
    if (!term.isExact())
      relative +=
          term.error / std::max(std::fabs(term.value) - term.error, 0.0);
  }
  relative += 2 * (terms.size() - 1) * (getSumRoundoff(type) + 0x1p-53);
  // Products on the way may overflow or vanish where the whole does not.
  double least = 1, greatest = 1;
  for (const Number &term : terms) {
    double size = std::fabs(term.value);
    least *= std::min(size, 1.0);
    greatest *= std::max(size, 1.0);
  }
  if (terms.size() > 1 && (!(greatest < 1e30) || !(least > 1e-30)))
    return Number::unknown();
  return rounded(product, std::fabs(product) * std::expm1(2 * relative), type);
}

static Number multiplyComplex(ArrayRef<Number> terms, Type type) {
  std::complex<double> product = 1;
  double size = 1, bound = 1, least = 1, greatest = 1;
  for (const Number &term : terms) {
    std::complex<double> z(term.value, term.imaginary);
    product *= z;
    size *= std::abs(z);
    bound *= std::abs(z) + 2 * term.error;
    least *= std::min(std::abs(z), 1.0);
    greatest *= std::max(std::abs(z), 1.0);
  }
  // Products on the way may overflow or vanish where the whole does not.
  if (!(greatest < 1e15) || !(least > 1e-15))
    return Number::unknown();
  // A product of two errs by sqrt(5) units of its size.
  double roundings = 3.0 * static_cast<double>(terms.size() - 1) *
                     (getUnitRoundoff(type) + 0x1p-53);
  double error = 2 * (bound - size) + bound * std::expm1(2 * roundings);
  return Number::ofComplex(rounded(product.real(), error, type),
                           rounded(product.imag(), error, type));
}

/// @pre a sum or a product.
static Number reduceComplex(ReduceKind kind, ArrayRef<Number> terms,
                            Type type) {
  if (terms.size() == 1)
    return terms.front();
  if (kind == ReduceKind::mul)
    return multiplyComplex(terms, type);
  Accumulation real{type, /*value=*/-0.0}, imaginary{type, /*value=*/-0.0};
  for (const Number &term : terms) {
    real.add(term.value, term.error);
    imaginary.add(term.imaginary, term.error);
  }
  return Number::ofComplex(real.finish(getSumRoundoff(type)),
                           imaginary.finish(getSumRoundoff(type)));
}

static Number reduceIntegers(ReduceKind kind, ArrayRef<Number> terms,
                             Type type) {
  int64_t result = terms.front().integer;
  for (const Number &term : terms.drop_front()) {
    int64_t x = term.integer;
    switch (kind) {
    case ReduceKind::add:
      result = static_cast<uint64_t>(result) + static_cast<uint64_t>(x);
      break;
    case ReduceKind::mul:
      result = static_cast<uint64_t>(result) * static_cast<uint64_t>(x);
      break;
    case ReduceKind::min:
      result = getSigned(x, type) < getSigned(result, type) ? x : result;
      break;
    case ReduceKind::max:
      result = getSigned(x, type) > getSigned(result, type) ? x : result;
      break;
    case ReduceKind::umin:
      result = getLowBits(x, type) < getLowBits(result, type) ? x : result;
      break;
    case ReduceKind::umax:
      result = getLowBits(x, type) > getLowBits(result, type) ? x : result;
      break;
    case ReduceKind::bit_and:
      result &= x;
      break;
    case ReduceKind::bit_or:
      result |= x;
      break;
    case ReduceKind::bit_xor:
      result ^= x;
      break;
    }
  }
  return Number::ofInteger(wrapInteger(result, type));
}

static Number reduceNumbers(ReduceKind kind, ArrayRef<Number> terms,
                            Type type) {
  if (llvm::any_of(terms, [](const Number &x) { return x.isUnknown(); }))
    return Number::unknown();
  if (isa<ComplexType>(type))
    return reduceComplex(kind, terms, getPartType(type));
  return isInteger(type) ? reduceIntegers(kind, terms, type)
                         : reduceFloats(kind, terms, type);
}

//===----------------------------------------------------------------------===//
// The interpreter
//===----------------------------------------------------------------------===//

namespace {
class Interpreter {
public:
  Interpreter(std::array<int64_t, 3> block, std::array<int64_t, 3> grid)
      : block(block), grid(grid) {}

  /// Arrays are kept by reference.
  void setArgument(Value argument, ArgumentValue &value) {
    if (value.array)
      arrays[argument] = &*value.array;
    else
      values[argument] = {value.scalar};
  }

  LogicalResult run(Block &body);

private:
  LogicalResult runOp(Operation *op);
  LogicalResult runElementwise(Operation *op);
  LogicalResult runFor(scf::ForOp op);
  LogicalResult runIf(scf::IfOp op);
  LogicalResult runCall(func::CallOp op);
  /// Pad and mask may be null.
  void load(Value result, Value source, ValueRange offsets, Value pad,
            Value mask);
  void store(Value value, Value dest, ValueRange offsets, Value mask);
  LogicalResult check(AssertOp op);
  /// Each element's place in an array, and whether it is read or written there;
  /// nothing where that is not known.
  using Places =
      SmallVector<std::optional<std::pair<SmallVector<int64_t>, bool>>>;
  Places getPlaces(ValueRange offsets, Value tile, Value indices, int64_t axis,
                   Value mask);
  void take(TakeOp op);
  void put(PutOp op);
  void histogram(HistogramOp op);
  void push(PushOp op);
  void pop(PopOp op);
  /// The mask's elements in order; none where one of them is not known.
  std::optional<SmallVector<bool>> getMask(Value mask);
  void gather(GatherOp op);
  void scatter(ScatterOp op);
  void update(AtomicRMWOp op);
  void iota(IotaOp op);
  void randomize(RandomOp op);
  LogicalResult map(MapOp op);
  LogicalResult reduce(ReduceOp op);
  LogicalResult scan(ScanOp op);
  using Tuple = SmallVector<Number>; ///< of several tiles, at one place
  LogicalResult scanByRegion(ScanOp op, ArrayRef<size_t> row,
                             MutableArrayRef<Tuple> results);
  LogicalResult scanByKind(ScanOp op, ArrayRef<size_t> row,
                           MutableArrayRef<Tuple> results);
  void argReduce(ArgReduceOp op);
  void sort(SortOp op);
  void topK(TopKOp op);
  FailureOr<Tuple> runRegion(Region &region, ArrayRef<Number> arguments);
  FailureOr<Tuple> combine(CombiningOpInterface op, ArrayRef<Tuple> tuples);
  Tuple getIdentity(CombiningOpInterface op);
  Tuple getTuple(ValueRange tiles, size_t place);
  void setTuples(ValueRange results, ArrayRef<Tuple> tuples);
  void multiply(MatmulOp op);
  void rearrange(Operation *op);
  void insert(InsertOp op);
  void join(JoinOp op);
  void extract(ExtractOp op);
  Numbers readConstant(arith::ConstantOp op);

  const Numbers &get(Value value) { return values[value]; }
  int64_t getIndex(Value value) { return values[value].front().integer; }
  SmallVector<int64_t> getIndices(ValueRange indices) {
    return llvm::map_to_vector(indices, [&](Value v) { return getIndex(v); });
  }
  void set(Value value, Numbers numbers) { values[value] = std::move(numbers); }
  void setScalar(Value value, int64_t number) {
    values[value] = {Number::ofInteger(number)};
  }

  std::array<int64_t, 3> block, grid;
  llvm::DenseMap<Value, Numbers> values;
  llvm::DenseMap<Value, ArrayValue *> arrays;
};
} // namespace

static ArrayRef<int64_t> getShape(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile ? tile.getShape() : ArrayRef<int64_t>();
}

static Type getElement(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile ? tile.getElementType() : value.getType();
}

/// A number of an attribute; a complex one is a list of two.
static Number readNumber(Attribute attribute) {
  if (auto parts = dyn_cast<ArrayAttr>(attribute))
    return Number::ofComplex(readNumber(parts[0]), readNumber(parts[1]));
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return Number::ofFloat(number.getValueAsDouble());
  auto number = cast<IntegerAttr>(attribute);
  return Number::ofInteger(
      wrapInteger(number.getValue().getSExtValue(), number.getType()));
}

Numbers Interpreter::readConstant(arith::ConstantOp op) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return {readNumber(op.getValue())};
  Numbers result;
  for (Attribute element : elements.getValues<Attribute>())
    result.push_back(readNumber(element));
  return result;
}

/// The coordinate in the array of an element of the box.
static SmallVector<int64_t> place(ArrayRef<int64_t> offsets,
                                  ArrayRef<int64_t> coordinate) {
  SmallVector<int64_t> result(offsets);
  size_t leading = offsets.size() - coordinate.size();
  for (auto [dim, index] : llvm::enumerate(coordinate))
    result[leading + dim] += index;
  return result;
}

void Interpreter::load(Value result, Value source, ValueRange offsets,
                       Value pad, Value mask) {
  ArrayValue &array = *arrays[source];
  SmallVector<int64_t> begin = getIndices(offsets);
  Number outside = pad ? get(pad).front() : Number();
  Numbers numbers;
  forEach(getShape(result), [&](ArrayRef<int64_t> coordinate) {
    std::optional<int64_t> at = array.find(place(begin, coordinate));
    Number element = at ? array.elements[*at] : outside;
    if (mask) {
      const Number &chosen = get(mask)[numbers.size()];
      element = chosen.isUnknown() ? chosen
                : chosen.integer   ? element
                                   : outside;
    }
    numbers.push_back(element);
  });
  set(result, std::move(numbers));
}

void Interpreter::store(Value value, Value dest, ValueRange offsets,
                        Value mask) {
  ArrayValue &array = *arrays[dest];
  SmallVector<int64_t> begin = getIndices(offsets);
  const Numbers &numbers = get(value);
  size_t next = 0;
  forEach(getShape(value), [&](ArrayRef<int64_t> coordinate) {
    Number number = numbers[next];
    if (mask) {
      const Number &chosen = get(mask)[next];
      if (chosen.isUnknown())
        number = chosen;
      else if (!chosen.integer)
        return void(++next);
    }
    ++next;
    if (std::optional<int64_t> at = array.find(place(begin, coordinate))) {
      array.elements[*at] = number;
      array.isWritten[*at] = true;
    }
  });
}

/// The element of a tile of indices for a place; an extent of one serves all.
static const Number &getRepeated(const Numbers &indices,
                                 ArrayRef<int64_t> shape,
                                 ArrayRef<int64_t> coordinate) {
  SmallVector<int64_t> at(coordinate);
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (extent == 1)
      at[dim] = 0;
  return indices[getRowMajorIndex(shape, at)];
}

/// @pre known indices are inside.
void Interpreter::take(TakeOp op) {
  ArrayRef<int64_t> shape = getShape(op.getSource());
  Numbers result;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    const Number &index = getRepeated(get(op.getIndices()),
                                      getShape(op.getIndices()), coordinate);
    if (index.isUnknown())
      return result.push_back(index);
    SmallVector<int64_t> at(coordinate);
    at[op.getAxis()] = getSigned(index.integer, getElement(op.getIndices()));
    result.push_back(get(op.getSource())[getRowMajorIndex(shape, at)]);
  });
  set(op.getResult(), std::move(result));
}

/// @pre without a kind each place is put to once; the kind is add, of integers.
void Interpreter::put(PutOp op) {
  ArrayRef<int64_t> shape = getShape(op.getDest());
  int64_t extent = shape[op.getAxis()];
  Type type = getElement(op.getResult());
  Numbers result = get(op.getDest());
  size_t next = 0;
  forEach(getShape(op.getValues()), [&](ArrayRef<int64_t> coordinate) {
    const Number &value = get(op.getValues())[next];
    const Number &index = getRepeated(get(op.getIndices()),
                                      getShape(op.getIndices()), coordinate);
    Number chosen =
        op.getMask() ? get(op.getMask())[next] : Number::ofInteger(1);
    ++next;
    SmallVector<int64_t> at(coordinate);
    if (index.isUnknown()) {
      // It may go to any place of the row.
      for (int64_t i = 0; i < extent; ++i) {
        at[op.getAxis()] = i;
        result[getRowMajorIndex(shape, at)] = index;
      }
      return;
    }
    int64_t along = getSigned(index.integer, getElement(op.getIndices()));
    if (along < 0 || along >= extent ||
        (!chosen.isUnknown() && !chosen.integer))
      return;
    at[op.getAxis()] = along;
    Number &place = result[getRowMajorIndex(shape, at)];
    if (chosen.isUnknown() || value.isUnknown())
      place = Number::unknown();
    else if (!op.getKind())
      place = value;
    else if (!place.isUnknown())
      place = Number::ofInteger(
          wrapInteger(static_cast<uint64_t>(place.integer) +
                          static_cast<uint64_t>(value.integer),
                      type));
  });
  set(op.getResult(), std::move(result));
}

std::optional<SmallVector<bool>> Interpreter::getMask(Value mask) {
  SmallVector<bool> chosen;
  for (const Number &number : get(mask)) {
    if (number.isUnknown())
      return std::nullopt;
    chosen.push_back(number.integer != 0);
  }
  return chosen;
}

void Interpreter::histogram(HistogramOp op) {
  int64_t count = op.getType().getNumElements();
  Numbers counts(count, Number::ofInteger(0));
  for (auto [n, number] : llvm::enumerate(get(op.getSource()))) {
    Number chosen = op.getMask() ? get(op.getMask())[n] : Number::ofInteger(1);
    if (!chosen.isUnknown() && !chosen.integer)
      continue;
    int64_t at = getSigned(number.integer, getElement(op.getSource()));
    if (chosen.isUnknown() || number.isUnknown())
      counts.assign(count, Number::unknown());
    else if (at >= 0 && at < count && !counts[at].isUnknown())
      ++counts[at].integer;
  }
  set(op.getResult(), std::move(counts));
}

void Interpreter::push(PushOp op) {
  Numbers stack = get(op.getStack()), places;
  std::optional<SmallVector<bool>> mask = getMask(op.getMask());
  const Number &count = get(op.getCount()).front();
  if (!mask || count.isUnknown()) {
    set(op.getResult(), Numbers(stack.size(), Number::unknown()));
    set(op.getNewCount(), {Number::unknown()});
    return set(op.getPlaces(),
               Numbers(get(op.getMask()).size(), Number::unknown()));
  }
  int64_t top = count.integer, capacity = static_cast<int64_t>(stack.size());
  for (auto [isChosen, value] : llvm::zip(*mask, get(op.getValues()))) {
    bool isPut = isChosen && top < capacity;
    places.push_back(Number::ofInteger(isPut ? top : -1));
    if (isPut)
      stack[top++] = value;
  }
  set(op.getResult(), std::move(stack));
  setScalar(op.getNewCount(), top);
  set(op.getPlaces(), std::move(places));
}

void Interpreter::pop(PopOp op) {
  std::optional<SmallVector<bool>> mask = getMask(op.getMask());
  const Number &count = get(op.getCount()).front();
  Numbers values, places;
  if (!mask || count.isUnknown()) {
    values.assign(get(op.getMask()).size(), Number::unknown());
    places = values;
    set(op.getNewCount(), {Number::unknown()});
  } else {
    int64_t top = count.integer;
    for (bool isChosen : *mask) {
      bool isTaken = isChosen && top > 0;
      top -= isTaken ? 1 : 0;
      values.push_back(isTaken ? get(op.getStack())[top] : Number());
      places.push_back(Number::ofInteger(isTaken ? top : -1));
    }
    setScalar(op.getNewCount(), top);
  }
  set(op.getValues(), std::move(values));
  set(op.getPlaces(), std::move(places));
}

LogicalResult Interpreter::check(AssertOp op) {
  for (const Number &holds : get(op.getCondition()))
    if (!holds.isUnknown() && holds.integer == 0)
      return op->emitError("expected a condition that holds");
  return success();
}

Interpreter::Places Interpreter::getPlaces(ValueRange offsets, Value tile,
                                           Value indices, int64_t axis,
                                           Value mask) {
  SmallVector<int64_t> begin = getIndices(offsets);
  ArrayRef<int64_t> shape = getShape(tile), from = getShape(indices);
  Places places;
  forEach(shape, [&](ArrayRef<int64_t> coordinate) {
    const Number &index = getRepeated(get(indices), from, coordinate);
    const Number *isChosen = mask ? &get(mask)[places.size()] : nullptr;
    if (index.isUnknown() || (isChosen && isChosen->isUnknown())) {
      places.push_back(std::nullopt);
      return;
    }
    SmallVector<int64_t> at(coordinate);
    at[axis] = getSigned(index.integer, getElement(indices));
    places.push_back({{place(begin, at), !isChosen || isChosen->integer != 0}});
  });
  return places;
}

void Interpreter::gather(GatherOp op) {
  ArrayValue &array = *arrays[op.getSource()];
  Number pad = op.getPad() ? get(op.getPad()).front() : Number();
  Numbers result;
  for (const auto &place :
       getPlaces(op.getOffsets(), op.getResult(), op.getIndices(), op.getAxis(),
                 op.getMask())) {
    if (!place) {
      result.push_back(Number::unknown());
      continue;
    }
    std::optional<int64_t> at;
    if (place->second)
      at = array.find(place->first);
    result.push_back(at ? array.elements[*at] : pad);
  }
  set(op.getResult(), std::move(result));
}

/// @pre places are known, and each is written once.
void Interpreter::scatter(ScatterOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  size_t next = 0;
  for (const auto &place :
       getPlaces(op.getOffsets(), op.getValue(), op.getIndices(), op.getAxis(),
                 op.getMask())) {
    const Number &number = get(op.getValue())[next++];
    if (!place || !place->second)
      continue;
    if (std::optional<int64_t> at = array.find(place->first)) {
      array.elements[*at] = number;
      array.isWritten[*at] = true;
    }
  }
}

/// Whether numbers have the same bits; nothing where that is not known.
static std::optional<bool> haveSameBits(const Number &a, const Number &b,
                                        Type type) {
  if (a.isUnknown() || b.isUnknown())
    return std::nullopt;
  if (isInteger(type))
    return a.integer == b.integer;
  if (!a.isExact() || !b.isExact() || std::isnan(a.value) ||
      std::isnan(b.value))
    return std::nullopt;
  return a.value == b.value && std::signbit(a.value) == std::signbit(b.value);
}

/// What an update makes of an element.
static Number getUpdated(AtomicKind kind, const Number &old,
                         const Number &value, const Number *expected,
                         Type type) {
  auto combined = [&](ReduceKind reduction) {
    return reduceNumbers(reduction, {old, value}, type);
  };
  switch (kind) {
  case AtomicKind::add:
    return combined(ReduceKind::add);
  case AtomicKind::min:
    return combined(ReduceKind::min);
  case AtomicKind::max:
    return combined(ReduceKind::max);
  case AtomicKind::umin:
    return combined(ReduceKind::umin);
  case AtomicKind::umax:
    return combined(ReduceKind::umax);
  case AtomicKind::bit_and:
    return combined(ReduceKind::bit_and);
  case AtomicKind::bit_or:
    return combined(ReduceKind::bit_or);
  case AtomicKind::bit_xor:
    return combined(ReduceKind::bit_xor);
  case AtomicKind::exchange:
    return value;
  case AtomicKind::compare_exchange:
    std::optional<bool> isSame = haveSameBits(old, *expected, type);
    return !isSame ? Number::unknown() : *isSame ? value : old;
  }
  llvm_unreachable("kind of update");
}

void Interpreter::update(AtomicRMWOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  SmallVector<int64_t> begin = getIndices(op.getOffsets());
  Numbers result;
  forEach(getShape(op.getValue()), [&](ArrayRef<int64_t> coordinate) {
    size_t next = result.size();
    std::optional<int64_t> at = array.find(place(begin, coordinate));
    if (!at)
      return result.push_back(Number());
    Number &element = array.elements[*at];
    result.push_back(element);
    const Number *expected =
        op.getExpected() ? &get(op.getExpected())[next] : nullptr;
    element = getUpdated(op.getKind(), element, get(op.getValue())[next],
                         expected, getElement(op.getValue()));
    array.isWritten[*at] = true;
  });
  set(op.getResult(), std::move(result));
}

void Interpreter::iota(IotaOp op) {
  Type type = getElement(op.getResult());
  auto getOperand = [&](Value value, int64_t otherwise) {
    return value             ? get(value).front()
           : isInteger(type) ? Number::ofInteger(otherwise)
                             : Number::ofFloat(static_cast<double>(otherwise));
  };
  Number start = getOperand(op.getStart(), 0),
         step = getOperand(op.getStep(), 1);
  Numbers result;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    int64_t i = coordinate[op.getAxis()];
    if (start.isUnknown() || step.isUnknown()) {
      result.push_back(Number::unknown());
    } else if (isInteger(type)) {
      uint64_t sum =
          static_cast<uint64_t>(start.integer) +
          static_cast<uint64_t>(i) * static_cast<uint64_t>(step.integer);
      result.push_back(Number::ofInteger(wrapInteger(sum, type)));
    } else {
      Number place = rounded(static_cast<double>(i), 0, type);
      Number product = op.getStep() ? rounded(place.value * step.value,
                                              place.value * step.error, type)
                                    : place;
      result.push_back(op.getStart()
                           ? rounded(start.value + product.value,
                                     start.error + product.error, type)
                           : product);
    }
  });
  set(op.getResult(), std::move(result));
}

/// The words w0 and w1 that Philox4x32-10 makes of a number (tile.random).
static uint64_t getRandomBits(uint64_t number, uint64_t seed) {
  std::array<uint32_t, 4> c = {static_cast<uint32_t>(number),
                               static_cast<uint32_t>(number >> 32), 0, 0};
  uint32_t low = seed, high = seed >> 32;
  for (int round = 0; round < 10; ++round) {
    uint64_t p = uint64_t(0xD2511F53) * c[0], q = uint64_t(0xCD9E8D57) * c[2];
    c = {static_cast<uint32_t>(q >> 32) ^ c[1] ^ low, static_cast<uint32_t>(q),
         static_cast<uint32_t>(p >> 32) ^ c[3] ^ high,
         static_cast<uint32_t>(p)};
    low += 0x9E3779B9;
    high += 0xBB67AE85;
  }
  return c[0] | uint64_t(c[1]) << 32;
}

/// @pre bits or uniform numbers.
void Interpreter::randomize(RandomOp op) {
  Type type = getElement(op.getResult());
  const Number &seed = get(op.getSeed()).front();
  const Number &counter = get(op.getCounter()).front();
  Numbers result;
  for (int64_t n = 0; n < op.getType().getNumElements(); ++n) {
    uint64_t bits = getRandomBits(static_cast<uint64_t>(counter.integer) +
                                      static_cast<uint64_t>(n),
                                  seed.integer);
    if (auto floating = dyn_cast<FloatType>(type)) {
      int mantissa = floating.getFPMantissaWidth();
      uint64_t high = type.isF64() ? bits >> (64 - mantissa)
                                   : (bits & 0xFFFFFFFF) >> (32 - mantissa);
      result.push_back(
          Number::ofFloat(std::ldexp(static_cast<double>(high), -mantissa)));
    } else {
      result.push_back(Number::ofInteger(wrapInteger(bits, type)));
    }
  }
  set(op.getResult(), std::move(result));
}

/// What a region yields of scalars.
FailureOr<Interpreter::Tuple>
Interpreter::runRegion(Region &region, ArrayRef<Number> arguments) {
  for (auto [argument, number] :
       llvm::zip_equal(region.getArguments(), arguments))
    set(argument, {number});
  if (failed(run(region.front())))
    return failure();
  Tuple yielded;
  for (Value value : region.front().getTerminator()->getOperands())
    yielded.push_back(get(value).front());
  return yielded;
}

Interpreter::Tuple Interpreter::getTuple(ValueRange tiles, size_t place) {
  return llvm::map_to_vector(tiles,
                             [&](Value tile) { return get(tile)[place]; });
}

void Interpreter::setTuples(ValueRange results, ArrayRef<Tuple> tuples) {
  for (auto [n, result] : llvm::enumerate(results)) {
    Numbers numbers;
    for (const Tuple &tuple : tuples)
      numbers.push_back(tuple[n]);
    set(result, std::move(numbers));
  }
}

LogicalResult Interpreter::map(MapOp op) {
  SmallVector<Tuple> results;
  size_t count = get(op.getInputs().front()).size();
  for (size_t place = 0; place < count; ++place) {
    FailureOr<Tuple> result =
        runRegion(op.getBody(), getTuple(op.getInputs(), place));
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  setTuples(op.getResults(), results);
  return success();
}

/// What tuples, one at least, combine to.
FailureOr<Interpreter::Tuple> Interpreter::combine(CombiningOpInterface op,
                                                   ArrayRef<Tuple> tuples) {
  if (!op.getCombiner()) {
    auto terms = llvm::map_to_vector(
        tuples, [](const Tuple &tuple) { return tuple.front(); });
    return Tuple{reduceNumbers(op.getKindAttr().getValue(), terms,
                               getElement(op.getSources().front()))};
  }
  Tuple result = tuples.front();
  for (const Tuple &next : tuples.drop_front()) {
    SmallVector<Number> arguments(result);
    llvm::append_range(arguments, next);
    FailureOr<Tuple> combined = runRegion(*op.getCombiner(), arguments);
    if (failed(combined))
      return failure();
    result = std::move(*combined);
  }
  return result;
}

static Number getFloatIdentity(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::mul:
    return Number::ofFloat(1);
  case ReduceKind::min:
    return Number::ofFloat(Number::kInfinity);
  case ReduceKind::max:
    return Number::ofFloat(-Number::kInfinity);
  default: // -0.0 + x is x, also for x = -0.0
    return Number::ofFloat(-0.0);
  }
}

static Number getIntegerIdentity(ReduceKind kind, Type type) {
  uint64_t sign = uint64_t(1)
                  << (type.isIndex() ? 63 : type.getIntOrFloatBitWidth() - 1);
  switch (kind) {
  case ReduceKind::mul:
    return Number::ofInteger(wrapInteger(1, type));
  case ReduceKind::min:
    return Number::ofInteger(wrapInteger(sign - 1, type));
  case ReduceKind::max:
    return Number::ofInteger(wrapInteger(sign, type));
  case ReduceKind::umin:
  case ReduceKind::bit_and:
    return Number::ofInteger(wrapInteger(~uint64_t(0), type));
  default:
    return Number::ofInteger(0);
  }
}

Interpreter::Tuple Interpreter::getIdentity(CombiningOpInterface op) {
  if (op.getCombiner())
    return llvm::map_to_vector(op.getIdentitiesAttr(), [](Attribute number) {
      return readNumber(number);
    });
  ReduceKind kind = op.getKindAttr().getValue();
  Type type = getElement(op.getSources().front());
  if (isInteger(type))
    return {getIntegerIdentity(kind, type)};
  Number identity = getFloatIdentity(kind);
  return {isa<ComplexType>(type)
              ? Number::ofComplex(identity, Number::ofFloat(-0.0))
              : identity};
}

/// The places of a tile, in row-major order, of which those along an axis, or
/// all, form a row: row by row, and in order in it.
static SmallVector<SmallVector<size_t>> getRows(ArrayRef<int64_t> shape,
                                                std::optional<uint64_t> axis) {
  SmallVector<SmallVector<size_t>> rows;
  llvm::MapVector<int64_t, SmallVector<size_t>> byRow;
  forEach(shape, [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> row(coordinate);
    if (axis)
      row[*axis] = 0;
    else
      row.assign(row.size(), 0);
    byRow[getRowMajorIndex(shape, row)].push_back(
        getRowMajorIndex(shape, coordinate));
  });
  for (auto &[number, places] : byRow)
    rows.push_back(std::move(places));
  return rows;
}

LogicalResult Interpreter::reduce(ReduceOp op) {
  SmallVector<Tuple> results;
  for (ArrayRef<size_t> row :
       getRows(getShape(op.getSources().front()), op.getAxis())) {
    SmallVector<Tuple> tuples;
    for (size_t place : row)
      tuples.push_back(getTuple(op.getSources(), place));
    FailureOr<Tuple> result = combine(op, tuples);
    if (failed(result))
      return failure();
    results.push_back(std::move(*result));
  }
  setTuples(op.getResults(), results);
  return success();
}

/// A row of a scan by region, one element after the other.
LogicalResult Interpreter::scanByRegion(ScanOp op, ArrayRef<size_t> row,
                                        MutableArrayRef<Tuple> results) {
  std::optional<Tuple> soFar;
  SmallVector<size_t> places(row);
  if (op.getReverse())
    std::reverse(places.begin(), places.end());
  for (size_t place : places) {
    Tuple next = getTuple(op.getSources(), place);
    if (op.getExclusive())
      results[place] = soFar ? *soFar : getIdentity(op);
    SmallVector<Tuple> both = {next};
    if (soFar)
      both.insert(op.getReverse() ? both.end() : both.begin(), *soFar);
    FailureOr<Tuple> combined = combine(op, both);
    if (failed(combined))
      return failure();
    soFar = std::move(*combined);
    if (!op.getExclusive())
      results[place] = *soFar;
  }
  return success();
}

/// A row of a scan by kind: each element from all those before it, as the error
/// depends on their number.
LogicalResult Interpreter::scanByKind(ScanOp op, ArrayRef<size_t> row,
                                      MutableArrayRef<Tuple> results) {
  for (size_t i = 0; i < row.size(); ++i) {
    size_t begin = op.getReverse() ? i + op.getExclusive() : 0;
    size_t end = op.getReverse() ? row.size() : i + !op.getExclusive();
    SmallVector<Tuple> tuples;
    for (size_t place : row.slice(begin, end - begin))
      tuples.push_back(getTuple(op.getSources(), place));
    results[row[i]] = tuples.empty() ? getIdentity(op) : *combine(op, tuples);
  }
  return success();
}

LogicalResult Interpreter::scan(ScanOp op) {
  ArrayRef<int64_t> shape = getShape(op.getSources().front());
  SmallVector<Tuple> results(get(op.getSources().front()).size());
  for (ArrayRef<size_t> row : getRows(shape, op.getAxis()))
    if (failed(op.getKind() ? scanByKind(op, row, results)
                            : scanByRegion(op, row, results)))
      return failure();
  setTuples(op.getResults(), results);
  return success();
}

/// The value is that of a reduction; the place is known where the value is
/// exact and all others are.
void Interpreter::argReduce(ArgReduceOp op) {
  Type type = getElement(op.getSource());
  const Numbers &source = get(op.getSource());
  Numbers values, numbers;
  for (ArrayRef<size_t> row : getRows(getShape(op.getSource()), op.getAxis())) {
    auto terms =
        llvm::map_to_vector(row, [&](size_t place) { return source[place]; });
    Number best = reduceNumbers(op.getKind(), terms, type);
    auto isBest = [&](const Number &term) {
      return isInteger(type)
                 ? term.integer == best.integer
                 : term.value == best.value ||
                       (std::isnan(term.value) && std::isnan(best.value));
    };
    bool isKnown =
        !best.isUnknown() && llvm::all_of(terms, [](const Number &term) {
          return term.isExact() && !term.isUnknown();
        });
    int64_t place = llvm::find_if(terms, isBest) - terms.begin();
    values.push_back(best);
    numbers.push_back(isKnown ? Number::ofInteger(place) : Number::unknown());
  }
  set(op.getValue(), std::move(values));
  set(op.getIndex(), std::move(numbers));
}

/// The order of a row of keys, as places in the row; none where a key is not
/// known exactly.
static std::optional<SmallVector<size_t>>
getOrder(ArrayRef<Number> keys, Type type, bool isDescending, bool isUnsigned) {
  if (!llvm::all_of(keys, [](const Number &key) {
        return key.isExact() && !key.isUnknown();
      }))
    return std::nullopt;
  auto isLess = [&](const Number &a, const Number &b) {
    if (!isInteger(type))
      return !std::isnan(a.value) && (std::isnan(b.value) || a.value < b.value);
    if (isUnsigned)
      return getLowBits(a.integer, type) < getLowBits(b.integer, type);
    return getSigned(a.integer, type) < getSigned(b.integer, type);
  };
  auto order = llvm::to_vector(llvm::seq<size_t>(keys.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    const Number &first = keys[isDescending ? b : a];
    const Number &second = keys[isDescending ? a : b];
    if (isLess(first, second) || isLess(second, first))
      return isLess(first, second);
    return a < b;
  });
  return order;
}

void Interpreter::sort(SortOp op) {
  Value keys = op.getSources().front();
  SmallVector<Tuple> results(get(keys).size());
  for (ArrayRef<size_t> row : getRows(getShape(keys), op.getAxis())) {
    auto own = llvm::map_to_vector(
        row, [&](size_t place) { return get(keys)[place]; });
    auto order = getOrder(own, getElement(keys), op.getDescending(),
                          op.getUnsignedInteger());
    for (auto [number, place] : llvm::enumerate(row))
      results[place] = order ? getTuple(op.getSources(), row[(*order)[number]])
                             : Tuple(op.getSources().size(), Number::unknown());
  }
  setTuples(op.getResults(), results);
}

void Interpreter::topK(TopKOp op) {
  const Numbers &keys = get(op.getSource());
  SmallVector<Tuple> results(op.getValues().getType().getNumElements());
  // Rows come in the same order, whatever their extent.
  for (auto [row, to] :
       llvm::zip_equal(getRows(getShape(op.getSource()), op.getAxis()),
                       getRows(getShape(op.getValues()), op.getAxis()))) {
    auto own =
        llvm::map_to_vector(row, [&](size_t place) { return keys[place]; });
    auto order = getOrder(own, getElement(op.getSource()), !op.getLeast(),
                          op.getUnsignedInteger());
    for (auto [number, place] : llvm::enumerate(to)) {
      results[place] = {Number::unknown(), Number::unknown()};
      if (order)
        results[place] = {own[(*order)[number]],
                          Number::ofInteger((*order)[number])};
    }
  }
  setTuples(op.getResults(), results);
}

void Interpreter::multiply(MatmulOp op) {
  const Numbers &acc = get(op.getAcc());
  bool isComplex = isa<ComplexType>(getElement(op.getAcc()));
  Type type = getPartType(getElement(op.getAcc()));
  // Tensor cores may truncate where others round (design, accuracy).
  double roundoff = isInteger(type) ? 0 : 4 * getUnitRoundoff(type);
  bool isTF32 = op.getPrecision() == Precision::tf32;
  // An operand of rank 2 is that of the whole batch.
  auto element = [&](Value operand, ArrayRef<int64_t> batch, int64_t row,
                     int64_t column) -> const Number & {
    ArrayRef<int64_t> shape = getShape(operand);
    SmallVector<int64_t> at(batch.take_back(shape.size() - 2));
    at.append({row, column});
    return get(operand)[getRowMajorIndex(shape, at)];
  };
  Numbers result;
  forEach(getShape(op.getAcc()), [&](ArrayRef<int64_t> coordinate) {
    ArrayRef<int64_t> batch = coordinate.drop_back(2);
    int64_t row = coordinate[batch.size()], column = coordinate.back();
    const Number &start = acc[result.size()];
    Accumulation sum{type};
    uint64_t integers = static_cast<uint64_t>(start.integer);
    bool isUnknown = start.isUnknown();
    sum.add(start.value, start.error);
    Accumulation imaginary{type};
    imaginary.add(start.imaginary, start.error);
    for (int64_t k = 0; k < op.getK(); ++k) {
      Number a = element(op.getLhs(), batch, row, k);
      Number b = element(op.getRhs(), batch, k, column);
      isUnknown |= a.isUnknown() || b.isUnknown();
      if (isTF32) {
        a = roundToTF32(a);
        b = roundToTF32(b);
      }
      integers +=
          static_cast<uint64_t>(a.integer) * static_cast<uint64_t>(b.integer);
      addProduct(sum, a.value, a.error, b.value, b.error);
      if (!isComplex)
        continue;
      addProduct(sum, -a.imaginary, a.error, b.imaginary, b.error);
      addProduct(imaginary, a.value, a.error, b.imaginary, b.error);
      addProduct(imaginary, a.imaginary, a.error, b.value, b.error);
    }
    if (isUnknown)
      result.push_back(Number::unknown());
    else if (isInteger(type))
      result.push_back(Number::ofInteger(wrapInteger(integers, type)));
    else if (isComplex)
      result.push_back(
          Number::ofComplex(sum.finish(roundoff), imaginary.finish(roundoff)));
    else
      result.push_back(sum.finishProducts(roundoff));
  });
  set(op.getResult(), std::move(result));
}

/// Shape operations: each element of the result is one of the source.
void Interpreter::rearrange(Operation *op) {
  const Numbers source = get(op->getOperand(0));
  ArrayRef<int64_t> from = getShape(op->getOperand(0));
  Numbers result;
  size_t next = 0;
  forEach(getShape(op->getResult(0)), [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> at(from.size(), 0);
    if (isa<ReshapeOp>(op)) {
      result.push_back(source[next++]);
      return;
    }
    if (auto view = dyn_cast<ViewOp>(op)) {
      size_t leading = from.size() - coordinate.size();
      for (auto [dim, offset] :
           llvm::enumerate(getIndices(view.getOffsets()))) {
        int64_t own = dim < leading ? 0 : coordinate[dim - leading];
        at[dim] =
            offset + (view.getSteps() ? (*view.getSteps())[dim] : 1) * own;
      }
    }
    if (auto transpose = dyn_cast<TransposeOp>(op))
      for (auto [dim, of] : llvm::enumerate(transpose.getPermutation()))
        at[of] = coordinate[dim];
    if (isa<BroadcastOp>(op))
      for (size_t dim = 0; dim < from.size(); ++dim)
        at[dim] = from[dim] == 1
                      ? 0
                      : coordinate[coordinate.size() - from.size() + dim];
    bool isInside = llvm::all_of(llvm::zip(at, from), [](auto pair) {
      return std::get<0>(pair) >= 0 && std::get<0>(pair) < std::get<1>(pair);
    });
    result.push_back(isInside ? source[getRowMajorIndex(from, at)]
                              : Number::unknown());
  });
  set(op->getResult(0), std::move(result));
}

/// Writes a tile into numbers of another shape.
static void insertBox(MutableArrayRef<Number> whole, ArrayRef<int64_t> shape,
                      ArrayRef<Number> part, ArrayRef<int64_t> box,
                      ArrayRef<int64_t> offsets) {
  size_t next = 0;
  forEach(box, [&](ArrayRef<int64_t> coordinate) {
    whole[getRowMajorIndex(shape, place(offsets, coordinate))] = part[next++];
  });
}

void Interpreter::insert(InsertOp op) {
  Numbers result = get(op.getDest());
  insertBox(result, getShape(op.getDest()), get(op.getPart()),
            getShape(op.getPart()), getIndices(op.getOffsets()));
  set(op.getResult(), std::move(result));
}

void Interpreter::join(JoinOp op) {
  ArrayRef<int64_t> shape = getShape(op.getResult());
  Numbers result(op.getType().getNumElements());
  SmallVector<int64_t> offsets(shape.size(), 0);
  for (Value part : op.getParts()) {
    insertBox(result, shape, get(part), getShape(part), offsets);
    offsets[op.getAxis()] += getShape(part)[op.getAxis()];
  }
  set(op.getResult(), std::move(result));
}

void Interpreter::extract(ExtractOp op) {
  SmallVector<int64_t> at = getIndices(op.getIndices());
  Number element =
      get(op.getSource())[getRowMajorIndex(getShape(op.getSource()), at)];
  set(op.getResult(), {element});
}

/// Operations of arith and math, casts and selections, on tiles and scalars.
LogicalResult Interpreter::runElementwise(Operation *op) {
  Type type = getElement(op->getResult(0));
  SmallVector<const Numbers *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(&get(operand));
  size_t count = 1;
  for (const Numbers *operand : operands)
    count = std::max(count, operand->size());
  Numbers result;
  for (size_t n = 0; n < count; ++n) {
    SmallVector<Number> x;
    for (const Numbers *operand : operands)
      x.push_back((*operand)[operand->size() == 1 ? 0 : n]);
    if (isa<SelectOp, arith::SelectOp>(op)) {
      result.push_back(x[0].isUnknown() ? Number::unknown()
                       : x[0].integer   ? x[1]
                                        : x[2]);
      continue;
    }
    if (llvm::any_of(x, [](const Number &y) { return y.isUnknown(); })) {
      result.push_back(Number::unknown());
      continue;
    }
    if (auto convert = dyn_cast<CastOp>(op)) {
      result.push_back(
          castElement(convert, x[0], getElement(convert.getSource()), type));
      continue;
    }
    if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
      result.push_back(compareFloats(compare.getPredicate(), x[0], x[1]));
      continue;
    }
    if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
      Type of = getElement(compare.getLhs());
      unsigned bits = getIntegerBits(of);
      result.push_back(Number::ofInteger(arith::applyCmpPredicate(
          compare.getPredicate(), APInt(bits, getLowBits(x[0].integer, of)),
          APInt(bits, getLowBits(x[1].integer, of)))));
      continue;
    }
    if (std::optional<Number> answer =
            classify(op, x[0], getElement(op->getOperand(0)))) {
      result.push_back(*answer);
      continue;
    }
    if (!isInteger(type)) {
      std::optional<Number> number = applyFloat(op, x, type);
      if (!number)
        return op->emitError("expected an operation that can be evaluated");
      result.push_back(*number);
      continue;
    }
    if (x.size() > 2)
      return op->emitError("expected an operation that can be evaluated");
    std::optional<int64_t> number =
        x.size() == 1 ? applyInteger(op, x[0].integer, type)
                      : applyInteger(op, x[0].integer, x[1].integer, type);
    if (!number && x.size() == 1)
      return op->emitError("expected an operation that can be evaluated");
    result.push_back(number ? Number::ofInteger(wrapInteger(*number, type))
                            : Number::unknown());
  }
  set(op->getResult(0), std::move(result));
  return success();
}

LogicalResult Interpreter::runFor(scf::ForOp op) {
  SmallVector<Numbers> carried;
  for (Value init : op.getInitArgs())
    carried.push_back(get(init));
  int64_t last = getIndex(op.getUpperBound()), step = getIndex(op.getStep());
  for (int64_t i = getIndex(op.getLowerBound()); i < last; i += step) {
    setScalar(op.getInductionVar(), i);
    for (auto [argument, value] : llvm::zip(op.getRegionIterArgs(), carried))
      set(argument, value);
    if (failed(run(*op.getBody())))
      return failure();
    for (auto [value, yielded] :
         llvm::zip(carried, op.getBody()->getTerminator()->getOperands()))
      value = get(yielded);
  }
  for (auto [result, value] : llvm::zip(op.getResults(), carried))
    set(result, value);
  return success();
}

LogicalResult Interpreter::runIf(scf::IfOp op) {
  const Number &condition = get(op.getCondition()).front();
  if (condition.isUnknown())
    return op.emitError("expected a condition that is known");
  Region &region = condition.integer ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return success();
  if (failed(run(region.front())))
    return failure();
  for (auto [result, yielded] : llvm::zip(
           op.getResults(), region.front().getTerminator()->getOperands()))
    set(result, get(yielded));
  return success();
}

LogicalResult Interpreter::runCall(func::CallOp op) {
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, op.getCalleeAttr());
  for (auto [argument, operand] :
       llvm::zip(callee.getArguments(), op.getOperands()))
    set(argument, get(operand));
  if (failed(run(callee.getBody().front())))
    return failure();
  for (auto [result, returned] :
       llvm::zip(op.getResults(),
                 callee.getBody().front().getTerminator()->getOperands()))
    set(result, get(returned));
  return success();
}

LogicalResult Interpreter::runOp(Operation *op) {
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<scf::YieldOp, func::ReturnOp, YieldOp, ReturnOp>(
          [](auto) { return success(); })
      .Case([&](scf::ForOp op) { return runFor(op); })
      .Case([&](scf::IfOp op) { return runIf(op); })
      .Case([&](func::CallOp op) { return runCall(op); })
      .Case([&](arith::ConstantOp op) {
        return set(op.getResult(), readConstant(op)), success();
      })
      .Case([&](complex::ConstantOp op) {
        return set(op.getResult(), {readNumber(op.getValue())}), success();
      })
      .Case([&](memref::DimOp op) {
        return setScalar(
                   op.getResult(),
                   arrays[op.getSource()]->sizes[getIndex(op.getIndex())]),
               success();
      })
      .Case([&](ProgramIdOp op) {
        return setScalar(op.getResult(), block[size_t(op.getAxis())]),
               success();
      })
      .Case([&](NumProgramsOp op) {
        return setScalar(op.getResult(), grid[size_t(op.getAxis())]), success();
      })
      .Case([&](LoadOp op) {
        return load(op.getResult(), op.getSource(), op.getOffsets(),
                    op.getPad(), op.getMask()),
               success();
      })
      // Nobody else writes what a program reads.
      .Case([&](AtomicLoadOp op) {
        return load(op.getResult(), op.getSource(), op.getOffsets(), Value(),
                    Value()),
               success();
      })
      .Case([&](StoreOp op) {
        return store(op.getValue(), op.getDest(), op.getOffsets(),
                     op.getMask()),
               success();
      })
      .Case([&](AtomicStoreOp op) {
        return store(op.getValue(), op.getDest(), op.getOffsets(), Value()),
               success();
      })
      .Case([&](AtomicRMWOp op) { return update(op), success(); })
      .Case<FenceOp, PrintOp>([](auto) { return success(); })
      .Case([&](AssertOp op) { return check(op); })
      .Case([&](TakeOp op) { return take(op), success(); })
      .Case([&](PutOp op) { return put(op), success(); })
      .Case([&](HistogramOp op) { return histogram(op), success(); })
      .Case([&](PushOp op) { return push(op), success(); })
      .Case([&](PopOp op) { return pop(op), success(); })
      .Case([&](GatherOp op) { return gather(op), success(); })
      .Case([&](ScatterOp op) { return scatter(op), success(); })
      .Case([&](FillOp op) {
        return set(op.getResult(), Numbers(op.getType().getNumElements(),
                                           get(op.getValue()).front())),
               success();
      })
      .Case([&](IotaOp op) { return iota(op), success(); })
      .Case([&](RandomOp op) { return randomize(op), success(); })
      .Case([&](MapOp op) { return map(op); })
      .Case([&](ReduceOp op) { return reduce(op); })
      .Case([&](ScanOp op) { return scan(op); })
      .Case([&](ArgReduceOp op) { return argReduce(op), success(); })
      .Case([&](SortOp op) { return sort(op), success(); })
      .Case([&](TopKOp op) { return topK(op), success(); })
      .Case([&](MatmulOp op) { return multiply(op), success(); })
      .Case([&](ConvertLayoutOp op) {
        return set(op.getResult(), Numbers(get(op.getSource()))), success();
      })
      .Case([&](InsertOp op) { return insert(op), success(); })
      .Case([&](JoinOp op) { return join(op), success(); })
      .Case([&](ExtractOp op) { return extract(op), success(); })
      .Case<ViewOp, TransposeOp, BroadcastOp, ReshapeOp>(
          [&](Operation *op) { return rearrange(op), success(); })
      .Default([&](Operation *op) -> LogicalResult {
        if (op->getNumResults() != 1 || op->getNumRegions() != 0)
          return op->emitError("expected an operation that can be evaluated");
        return runElementwise(op);
      });
}

LogicalResult Interpreter::run(Block &body) {
  for (Operation &op : body)
    if (failed(runOp(&op)))
      return failure();
  return success();
}

LogicalResult tile::fuzz::evaluate(KernelOp kernel,
                                   std::vector<ArgumentValue> &arguments,
                                   const std::array<int64_t, 3> &grid) {
  // From the last block on, in which order ordered updates come.
  std::array<int64_t, 3> block;
  for (block[2] = grid[2]; block[2]-- > 0;)
    for (block[1] = grid[1]; block[1]-- > 0;)
      for (block[0] = grid[0]; block[0]-- > 0;) {
        Interpreter interpreter(block, grid);
        for (auto [argument, value] :
             llvm::zip(kernel.getBody().front().getArguments(), arguments))
          interpreter.setArgument(argument, value);
        if (failed(interpreter.run(kernel.getBody().front())))
          return failure();
      }
  return success();
}
