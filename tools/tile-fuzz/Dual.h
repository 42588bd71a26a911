// Dual.h - dual numbers: values with their derivatives in one direction
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A dual number is x + x' e with e^2 = 0. A program that is evaluated on them
// computes its derivative together with its values, without a step size
// (Griewank and Walther, "Evaluating Derivatives", 3.1). The components are
// wider than float64, so that the error of the derivative is far below that of
// any program.

#ifndef TILE_TOOLS_TILEFUZZ_DUAL_H
#define TILE_TOOLS_TILEFUZZ_DUAL_H

#include <complex>
#include <limits>

namespace tile::fuzz {

using Wide = long double;
using WideComplex = std::complex<Wide>;

template <typename Number>
struct Dual {
  Number value = 0, tangent = 0;

  Dual() = default;
  Dual(Number value, Number tangent = 0) : value(value), tangent(tangent) {}

  Dual operator-() const { return {-value, -tangent}; }
  Dual operator+(const Dual &o) const {
    return {value + o.value, tangent + o.tangent};
  }
  Dual operator-(const Dual &o) const {
    return {value - o.value, tangent - o.tangent};
  }
  Dual operator*(const Dual &o) const {
    return {value * o.value, value * o.tangent + tangent * o.value};
  }
  Dual operator/(const Dual &o) const {
    Number quotient = value / o.value;
    return {quotient, (tangent - quotient * o.tangent) / o.value};
  }
  Dual &operator+=(const Dual &o) { return *this = *this + o; }
  Dual &operator-=(const Dual &o) { return *this = *this - o; }
  Dual &operator*=(const Dual &o) { return *this = *this * o; }

  /// Returns a value that is not known, like its derivative.
  static Dual unknown() {
    constexpr Wide nan = std::numeric_limits<Wide>::quiet_NaN();
    return {nan, nan};
  }
};

using RealDual = Dual<Wide>;
using ComplexDual = Dual<WideComplex>;

/// Returns f(x), given its value and the derivative of f at x.
inline RealDual chain(const RealDual &x, Wide value, Wide slope) {
  return {value, slope * x.tangent};
}

inline RealDual sqrt(const RealDual &x) {
  Wide root = std::sqrt(x.value);
  return chain(x, root, 1 / (2 * root));
}
inline RealDual log(const RealDual &x) {
  return chain(x, std::log(x.value), 1 / x.value);
}
inline RealDual exp(const RealDual &x) {
  Wide value = std::exp(x.value);
  return chain(x, value, value);
}

// Functions of complex numbers. Those without a complex derivative are linear
// in the parts of their argument.

inline ComplexDual exp(const ComplexDual &x) {
  WideComplex value = std::exp(x.value);
  return {value, value * x.tangent};
}
inline RealDual conj(const RealDual &x) { return x; }
inline ComplexDual conj(const ComplexDual &x) {
  return {std::conj(x.value), std::conj(x.tangent)};
}
inline RealDual real(const RealDual &x) { return x; }
inline RealDual real(const ComplexDual &x) {
  return {x.value.real(), x.tangent.real()};
}
inline RealDual imag(const RealDual &) { return {}; }
inline RealDual imag(const ComplexDual &x) {
  return {x.value.imag(), x.tangent.imag()};
}
/// Returns the absolute value. Its derivative at zero is zero.
inline RealDual abs(const RealDual &x) {
  Wide sign = x.value > 0 ? 1 : x.value < 0 ? -1 : 0 * x.value;
  return chain(x, std::fabs(x.value), sign);
}
inline RealDual abs(const ComplexDual &x) {
  Wide size = std::abs(x.value);
  Wide slope = (std::conj(x.value) * x.tangent).real();
  return {size, size == 0 ? 0 : slope / size};
}

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_DUAL_H
