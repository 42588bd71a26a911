// Floats.cpp - arithmetic of one floating-point value
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arithmetic.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

static Element divide(const Element &a, const Element &b, Type type) {
  if (a.isExact() && b.isExact())
    return rounded(a.value / b.value, 0, type);
  double least = std::fabs(b.value) - b.error;
  if (!(least > 0))
    return Element::unknown();
  double value = a.value / b.value;
  return rounded(value, (a.error + std::fabs(value) * b.error) / least, type);
}

static Element takeRoot(const Element &a, Type type) {
  if (a.isExact())
    return rounded(std::sqrt(a.value), 0, type);
  if (!(a.value > a.error))
    return Element::unknown();
  return rounded(std::sqrt(a.value),
                 a.error / (2 * std::sqrt(a.value - a.error)), type);
}

Element tile::fuzz::pickExtreme(const Element &a, const Element &b,
                                bool isMax) {
  if (std::isnan(a.value) || std::isnan(b.value))
    return Element::ofFloat(std::nan(""), std::max(a.error, b.error));
  bool takesFirst = isMax ? a.value > b.value : a.value < b.value;
  // Equal values may be zeros with different signs: -0 counts as less than +0.
  if (a.value == b.value)
    takesFirst = std::signbit(a.value) != isMax;
  return Element::ofFloat(takesFirst ? a.value : b.value,
                          std::max(a.error, b.error));
}

/// Returns the smaller or larger of two values; NaN if both are NaN. The sign
/// of a zero is unspecified.
static Element pickNotNaN(const Element &a, const Element &b, bool isMax) {
  if (std::isnan(a.value) && a.isExact())
    return b;
  if (std::isnan(b.value) && b.isExact())
    return a;
  if (a.value == 0 && b.value == 0 &&
      std::signbit(a.value) != std::signbit(b.value))
    return Element::unknown();
  return tile::fuzz::pickExtreme(a, b, isMax);
}

static Element takeLogarithm(const Element &a, double (*function)(double),
                             Type type) {
  if (a.isExact())
    return approximate(function(a.value), 0, 4, type);
  if (!(a.value > 2 * a.error))
    return Element::unknown();
  // The slopes of both logarithms are below 2/x.
  return approximate(function(a.value), 2 * a.error / (a.value - a.error), 4,
                     type);
}

static Element multiply(const Element &a, const Element &b, Type type) {
  return rounded(a.value * b.value,
                 a.error * std::fabs(b.value) + b.error * std::fabs(a.value) +
                     a.error * b.error,
                 type);
}

Element tile::fuzz::step(const Element &a, double (*function)(double)) {
  if (a.isExact())
    return Element::ofFloat(function(a.value));
  if (function(a.value - a.error) != function(a.value + a.error))
    return Element::unknown();
  return Element::ofFloat(function(a.value));
}

/// Evaluates a monotonic function: the ends of the interval bound it.
static Element applyMonotone(const Element &a, double (*function)(double),
                             Type type) {
  double value = function(a.value);
  if (a.isExact())
    return approximate(value, 0, 8, type);
  double below = std::fabs(function(a.value - a.error) - value);
  double above = std::fabs(function(a.value + a.error) - value);
  // These are NaN if the interval leaves the domain of the function.
  if (std::isnan(below) || std::isnan(above))
    return Element::unknown();
  return approximate(value, std::max(below, above) + 0x1p-49 * std::fabs(value),
                     8, type);
}

/// Evaluates the hyperbolic cosine. Its slope is largest at the end of the
/// interval that is farther from zero.
static Element takeCosh(const Element &a, Type type) {
  double slope = std::sinh(std::fabs(a.value) + a.error);
  return approximate(std::cosh(a.value), a.isExact() ? 0 : a.error * slope, 8,
                     type);
}

static Element takeTangent(const Element &a, Type type) {
  double value = std::tan(a.value);
  // Near a pole nothing is known.
  if (!a.isExact() && !(a.error * (1 + std::fabs(value)) < 0.1))
    return Element::unknown();
  double error = a.isExact() ? 0 : 2 * a.error * (1 + value * value);
  return approximate(value, error, 8, type);
}

static Element takeAngle(const Element &y, const Element &x, Type type) {
  double value = std::atan2(y.value, x.value);
  // The sign of a zero decides between pi and -pi.
  if (y.value == 0 && !(x.value > 0))
    return Element::unknown();
  if (y.isExact() && x.isExact())
    return approximate(value, 0, 8, type);
  double radius = std::hypot(x.value, y.value), error = x.error + y.error;
  bool isCut = std::fabs(y.value) <= y.error && x.value <= x.error;
  if (isCut || !(radius > 4 * error))
    return Element::unknown();
  return approximate(value, 2 * error / radius, 8, type);
}

/// @pre the base is not negative.
static Element takePower(const Element &base, const Element &exponent,
                         Type type) {
  double value = std::pow(base.value, exponent.value);
  if (base.isExact() && exponent.isExact())
    return approximate(value, 0, 8, type);
  if (!(base.value > base.error))
    return Element::unknown();
  // A power is monotonic in each operand, so its values at the corners of the
  // intervals bound it.
  double error = 0x1p-49 * std::fabs(value);
  for (double a : {base.value - base.error, base.value + base.error})
    for (double b :
         {exponent.value - exponent.error, exponent.value + exponent.error})
      error = std::max(error, 1.01 * std::fabs(std::pow(a, b) - value));
  return approximate(value, error, 8, type);
}

std::optional<Element> tile::fuzz::applyFloat(Operation *op,
                                              ArrayRef<Element> x, Type type) {
  using Result = std::optional<Element>;
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
          [&](auto) { return Element::ofFloat(-x[0].value, x[0].error); })
      .Case<arith::MaximumFOp>(
          [&](auto) { return pickExtreme(x[0], x[1], /*isMax=*/true); })
      .Case<arith::MinimumFOp>(
          [&](auto) { return pickExtreme(x[0], x[1], /*isMax=*/false); })
      .Case<math::ClampFOp>([&](auto) {
        return tile::fuzz::pickExtreme(pickExtreme(x[0], x[2], /*isMax=*/false),
                                       x[1],
                                       /*isMax=*/true);
      })
      .Case<math::AbsFOp>([&](auto) {
        return Element::ofFloat(std::fabs(x[0].value), x[0].error);
      })
      .Case<math::SqrtOp>([&](auto) { return takeRoot(x[0], type); })
      .Case<math::FmaOp>([&](auto) {
        Element product = Element::ofFloat(
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
          return Element::unknown();
        return approximate(value, value * x[0].error / x[0].value, 4, type);
      })
      .Case<math::CopySignOp>([&](auto) {
        if (!x[1].isExact() || std::isnan(x[1].value))
          return Element::unknown();
        return Element::ofFloat(std::copysign(x[0].value, x[1].value),
                                x[0].error);
      })
      .Case<arith::MaxNumFOp>(
          [&](auto) { return pickNotNaN(x[0], x[1], /*isMax=*/true); })
      .Case<arith::MinNumFOp>(
          [&](auto) { return pickNotNaN(x[0], x[1], /*isMax=*/false); })
      .Case<arith::RemFOp>([&](auto) {
        if (!x[0].isExact() || !x[1].isExact())
          return Element::unknown();
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
        return tile::fuzz::step(x[0], [](double v) { return std::round(v); });
      })
      .Case<math::RoundEvenOp>([&](auto) {
        return tile::fuzz::step(x[0],
                                [](double v) { return std::nearbyint(v); });
      })
      .Case<math::FloorOp>([&](auto) { return step(x[0], std::floor); })
      .Case<math::CeilOp>([&](auto) { return step(x[0], std::ceil); })
      .Case<math::TruncOp>([&](auto) { return step(x[0], std::trunc); })
      .Default([](Operation *) { return Result(); });
}

Element tile::fuzz::compareFloats(arith::CmpFPredicate predicate,
                                  const Element &a, const Element &b) {
  bool isClose = !(std::fabs(a.value - b.value) > a.error + b.error);
  if (isClose && !(a.isExact() && b.isExact()))
    return Element::unknown();
  return Element::ofInteger(arith::applyCmpPredicate(
      predicate, llvm::APFloat(a.value), llvm::APFloat(b.value)));
}

std::optional<Element> tile::fuzz::classify(Operation *op, const Element &x,
                                            Type type) {
  using Result = std::optional<Element>;
  // A value with an error is finite.
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<math::IsNaNOp>(
          [&](auto) { return Element::ofInteger(std::isnan(x.value)); })
      .Case<math::IsInfOp>(
          [&](auto) { return Element::ofInteger(std::isinf(x.value)); })
      .Case<math::IsFiniteOp>(
          [&](auto) { return Element::ofInteger(std::isfinite(x.value)); })
      .Case<math::IsNormalOp>([&](auto) {
        if (!x.isExact())
          return Element::unknown();
        double least = llvm::APFloat::getSmallestNormalized(
                           cast<FloatType>(type).getFloatSemantics())
                           .convertToDouble();
        return Element::ofInteger(std::isfinite(x.value) &&
                                  std::fabs(x.value) >= least);
      })
      .Default([](Operation *) { return Result(); });
}
