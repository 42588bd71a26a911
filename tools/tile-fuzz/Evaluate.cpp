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
    Accumulation sum{type};
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
  Accumulation real{type}, imaginary{type};
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
  void load(LoadOp op);
  void store(StoreOp op);
  void reduce(ReduceOp op);
  void multiply(MatmulOp op);
  void rearrange(Operation *op);
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

Numbers Interpreter::readConstant(arith::ConstantOp op) {
  auto convert = [](Attribute attribute) {
    if (auto number = dyn_cast<FloatAttr>(attribute))
      return Number::ofFloat(number.getValueAsDouble());
    auto number = cast<IntegerAttr>(attribute);
    return Number::ofInteger(
        wrapInteger(number.getValue().getSExtValue(), number.getType()));
  };
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements)
    return {convert(op.getValue())};
  Numbers result;
  for (Attribute element : elements.getValues<Attribute>())
    result.push_back(convert(element));
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

void Interpreter::load(LoadOp op) {
  ArrayValue &array = *arrays[op.getSource()];
  SmallVector<int64_t> offsets = getIndices(op.getOffsets());
  Number pad = op.getPad() ? get(op.getPad()).front() : Number();
  Numbers result;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    std::optional<int64_t> at = array.find(place(offsets, coordinate));
    result.push_back(at ? array.elements[*at] : pad);
  });
  set(op.getResult(), std::move(result));
}

void Interpreter::store(StoreOp op) {
  ArrayValue &array = *arrays[op.getDest()];
  SmallVector<int64_t> offsets = getIndices(op.getOffsets());
  const Numbers &value = get(op.getValue());
  size_t next = 0;
  forEach(getShape(op.getValue()), [&](ArrayRef<int64_t> coordinate) {
    const Number &number = value[next++];
    if (std::optional<int64_t> at = array.find(place(offsets, coordinate))) {
      array.elements[*at] = number;
      array.isWritten[*at] = true;
    }
  });
}

void Interpreter::reduce(ReduceOp op) {
  ArrayRef<int64_t> shape = getShape(op.getSource());
  const Numbers &source = get(op.getSource());
  Type type = getElement(op.getSource());
  if (!op.getAxis())
    return set(op.getResult(), {reduceNumbers(op.getKind(), source, type)});
  Numbers result;
  forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
    SmallVector<int64_t> at(coordinate);
    at.insert(at.begin() + *op.getAxis(), 0);
    Numbers terms;
    for (int64_t &index = at[*op.getAxis()]; index < shape[*op.getAxis()];
         ++index)
      terms.push_back(source[getRowMajorIndex(shape, at)]);
    result.push_back(reduceNumbers(op.getKind(), terms, type));
  });
  set(op.getResult(), std::move(result));
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
    if (auto view = dyn_cast<ViewOp>(op))
      for (auto [dim, offset] : llvm::enumerate(getIndices(view.getOffsets())))
        at[dim] = offset + coordinate[dim];
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
      .Case<scf::YieldOp, func::ReturnOp, ReturnOp>(
          [](auto) { return success(); })
      .Case([&](scf::ForOp op) { return runFor(op); })
      .Case([&](scf::IfOp op) { return runIf(op); })
      .Case([&](func::CallOp op) { return runCall(op); })
      .Case([&](arith::ConstantOp op) {
        return set(op.getResult(), readConstant(op)), success();
      })
      .Case([&](complex::ConstantOp op) {
        auto parts = op.getValue().getAsRange<FloatAttr>();
        auto part = parts.begin();
        double real = (*part++).getValueAsDouble();
        double imaginary = (*part).getValueAsDouble();
        return set(op.getResult(),
                   {Number::ofComplex(Number::ofFloat(real),
                                      Number::ofFloat(imaginary))}),
               success();
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
      .Case([&](LoadOp op) { return load(op), success(); })
      .Case([&](StoreOp op) { return store(op), success(); })
      .Case([&](FillOp op) {
        return set(op.getResult(), Numbers(op.getType().getNumElements(),
                                           get(op.getValue()).front())),
               success();
      })
      .Case([&](IotaOp op) {
        Numbers result;
        Type type = getElement(op.getResult());
        forEach(getShape(op.getResult()), [&](ArrayRef<int64_t> coordinate) {
          int64_t index = coordinate[op.getAxis()];
          result.push_back(isInteger(type)
                               ? Number::ofInteger(wrapInteger(index, type))
                               : rounded(static_cast<double>(index), 0, type));
        });
        return set(op.getResult(), std::move(result)), success();
      })
      .Case([&](ReduceOp op) { return reduce(op), success(); })
      .Case([&](MatmulOp op) { return multiply(op), success(); })
      .Case([&](ConvertLayoutOp op) {
        return set(op.getResult(), Numbers(get(op.getSource()))), success();
      })
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
  std::array<int64_t, 3> block;
  for (block[2] = 0; block[2] < grid[2]; ++block[2])
    for (block[1] = 0; block[1] < grid[1]; ++block[1])
      for (block[0] = 0; block[0] < grid[0]; ++block[0]) {
        Interpreter interpreter(block, grid);
        for (auto [argument, value] :
             llvm::zip(kernel.getBody().front().getArguments(), arguments))
          interpreter.setArgument(argument, value);
        if (failed(interpreter.run(kernel.getBody().front())))
          return failure();
      }
  return success();
}
