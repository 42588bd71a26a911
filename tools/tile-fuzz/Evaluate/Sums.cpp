// Sums.cpp - sums and reductions in an unspecified order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Sums.h"

#include "Arithmetic.h"

#include <complex>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

Element tile::fuzz::roundToTF32(const Element &x) {
  if (!std::isfinite(x.value) || x.value == 0)
    return x;
  // Denormals have the step of the smallest normal values.
  int exponent = std::max(std::ilogb(x.value), -126);
  double step = std::ldexp(1.0, exponent - 10);
  bool isTie = std::fabs(std::remainder(x.value, step)) == step / 2;
  if (!x.isExact() || isTie)
    return Element::ofFloat(x.value, x.error + step + 0x1p-10 * x.error);
  double value = std::round(x.value / step) * step;
  return Element::ofFloat(std::fabs(value) < 0x1p128
                              ? value
                              : std::copysign(Element::kInfinity, value));
}

void tile::fuzz::addProduct(Accumulation &sum, double a, double aError,
                            double b, double bError) {
  sum.add(a * b,
          aError * std::fabs(b) + bError * std::fabs(a) + aError * bError);
}

/// Returns the roundoff of sums of a type; f16 and bf16 are summed in f32.
static double getSumRoundoff(Type type) {
  return std::min(getUnitRoundoff(type), 0x1p-24);
}

static Element reduceFloats(ReduceKind kind, ArrayRef<Element> terms,
                            Type type) {
  Element result = terms.front();
  if (kind == ReduceKind::min || kind == ReduceKind::max) {
    for (const Element &term : terms.drop_front())
      result = pickExtreme(result, term, kind == ReduceKind::max);
    return result;
  }
  if (kind == ReduceKind::add) {
    Accumulation sum{type, /*value=*/-0.0};
    for (const Element &term : terms)
      sum.add(term.value, term.error);
    return sum.finish(getSumRoundoff(type));
  }
  double product = 1, relative = 0;
  for (const Element &term : terms) {
    product *= term.value;
    if (!term.isExact())
      relative +=
          term.error / std::max(std::fabs(term.value) - term.error, 0.0);
  }
  relative += 2 * (terms.size() - 1) * (getSumRoundoff(type) + 0x1p-53);
  // Intermediate results may overflow or vanish even if the result does not.
  double least = 1, greatest = 1;
  for (const Element &term : terms) {
    double size = std::fabs(term.value);
    least *= std::min(size, 1.0);
    greatest *= std::max(size, 1.0);
  }
  if (terms.size() > 1 && (!(greatest < 1e30) || !(least > 1e-30)))
    return Element::unknown();
  return rounded(product, std::fabs(product) * std::expm1(2 * relative), type);
}

static Element multiplyComplex(ArrayRef<Element> terms, Type type) {
  std::complex<double> product = 1;
  double size = 1, bound = 1, least = 1, greatest = 1;
  for (const Element &term : terms) {
    std::complex<double> z(term.value, term.imaginary);
    product *= z;
    size *= std::abs(z);
    bound *= std::abs(z) + 2 * term.error;
    least *= std::min(std::abs(z), 1.0);
    greatest *= std::max(std::abs(z), 1.0);
  }
  // Intermediate results may overflow or vanish even if the result does not.
  if (!(greatest < 1e15) || !(least > 1e-15))
    return Element::unknown();
  // A complex multiplication has a relative error of at most sqrt(5) unit
  // roundoffs.
  double roundings = 3.0 * static_cast<double>(terms.size() - 1) *
                     (getUnitRoundoff(type) + 0x1p-53);
  double error = 2 * (bound - size) + bound * std::expm1(2 * roundings);
  return Element::ofComplex(rounded(product.real(), error, type),
                            rounded(product.imag(), error, type));
}

/// @pre `kind` is add or mul.
static Element reduceComplex(ReduceKind kind, ArrayRef<Element> terms,
                             Type type) {
  if (terms.size() == 1)
    return terms.front();
  if (kind == ReduceKind::mul)
    return multiplyComplex(terms, type);
  Accumulation real{type, /*value=*/-0.0}, imaginary{type, /*value=*/-0.0};
  for (const Element &term : terms) {
    real.add(term.value, term.error);
    imaginary.add(term.imaginary, term.error);
  }
  return Element::ofComplex(real.finish(getSumRoundoff(type)),
                            imaginary.finish(getSumRoundoff(type)));
}

static Element reduceIntegers(ReduceKind kind, ArrayRef<Element> terms,
                              Type type) {
  int64_t result = terms.front().integer;
  for (const Element &term : terms.drop_front()) {
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
  return Element::ofInteger(wrapInteger(result, type));
}

Element tile::fuzz::reduceElements(ReduceKind kind, ArrayRef<Element> terms,
                                   Type type) {
  if (llvm::any_of(terms, [](const Element &x) { return x.isUnknown(); }))
    return Element::unknown();
  if (isa<ComplexType>(type))
    return reduceComplex(kind, terms, getPartType(type));
  return isInteger(type) ? reduceIntegers(kind, terms, type)
                         : reduceFloats(kind, terms, type);
}
