// Element.h - one element of a tile, and the bound of its error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The evaluator computes in float64, a program in the types of its elements. So
// the program's value is known as an interval: `value`, plus or minus `error`.
// If an operation is rounded correctly by IEEE 754 and its operands are exact,
// its result is known exactly: it is rounded to the type and the error stays
// zero, so that elementwise programs are compared bit for bit. A sum whose
// order the compiler chooses has an error bound that is valid for every order.
// A value that depends on a comparison of values within their errors is
// unknown: its error is infinite.
//
// If the evaluator computes derivatives, `dual` is the value without the
// program's rounding, with its derivative. The other components then follow
// from it, and comparisons are exact (Evaluate/Duals.cpp).

#ifndef TILE_TOOLS_TILEFUZZ_ELEMENT_H
#define TILE_TOOLS_TILEFUZZ_ELEMENT_H

#include "Dual.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace tile::fuzz {

/// An integer (i1 to i64, index; sign-extended, i1 is 0 or 1), a floating-point
/// value, or a complex one whose parts have the same error. Integers are exact
/// or unknown.
struct Element {
  double value = 0;
  double error = 0;
  int64_t integer = 0;
  double imaginary = 0;
  /// The imaginary parts are zero for real elements.
  ComplexDual dual = {};

  static Element ofFloat(double value, double error = 0) {
    return {value, error, 0, 0, WideComplex(value)};
  }
  static Element ofComplex(const Element &real, const Element &imaginary) {
    return {real.value, std::fmax(real.error, imaginary.error), 0,
            imaginary.value, WideComplex(real.value, imaginary.value)};
  }
  static Element ofDual(const RealDual &dual) {
    return ofDual(ComplexDual(dual.value, dual.tangent));
  }
  static Element ofDual(const ComplexDual &dual) {
    return {static_cast<double>(dual.value.real()), 0, 0,
            static_cast<double>(dual.value.imag()), dual};
  }
  static Element ofInteger(int64_t integer) { return {0, 0, integer, 0}; }
  static Element unknown() {
    return {0, std::numeric_limits<double>::infinity(), 0, 0,
            ComplexDual::unknown()};
  }
  bool isUnknown() const { return !(error < kInfinity); }
  bool isExact() const { return error == 0; }

  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
};

/// Whether values of the type are stored in Element::integer.
bool isInteger(mlir::Type type);

/// Returns the width of an integer type in bits; 64 for index.
unsigned getIntegerBits(mlir::Type type);

/// Returns the low bits of `value`, sign-extended; 0 or 1 for i1.
int64_t wrapInteger(int64_t value, mlir::Type type);

/// Returns the type of the parts of a complex type; the type itself for others.
mlir::Type getPartType(mlir::Type type);

/// Whether the type is f8E4M3FN or f8E5M2.
bool isFloat8(mlir::Type type);

/// Return the smallest positive and the largest finite value of the type.
double getSmallest(mlir::Type type);
double getLargest(mlir::Type type);

/// Returns half the distance from 1 to the next value of the type.
double getUnitRoundoff(mlir::Type type);

/// Returns the nearest value of the type; ties are rounded to even.
double roundTo(double value, mlir::Type type);

/// Returns the result of an operation that is rounded once: `value` in float64,
/// with the error that comes from its operands.
Element rounded(double value, double error, mlir::Type type);

/// Returns the result of an operation that is accurate to `ulps` units in the
/// last place: `value` in float64, with the error that comes from its operands.
Element approximate(double value, double error, double ulps, mlir::Type type);

/// Reads or writes an element in memory.
Element readElement(const void *memory, mlir::Type type);
void writeElement(void *memory, const Element &element, mlir::Type type);

} // namespace tile::fuzz

#endif // TILE_TOOLS_TILEFUZZ_ELEMENT_H
