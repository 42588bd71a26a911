// ElementArithmetic.h - arithmetic on the elements of matrices, real or complex
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_ELEMENTARITHMETIC_H
#define TILE_CONVERSION_TILETONVGPU_ELEMENTARITHMETIC_H

#include "RealArithmetic.h"

namespace tile {

/// Arithmetic on numbers of a floating-point type and on complex ones whose
/// parts are of that type: each function takes both, and says so where it takes
/// only one kind. Complex numbers are computed with part by part, by fused
/// multiply-adds. What the base class does is for real numbers.
class ElementArithmetic : public RealArithmetic {
public:
  /// @param type of the elements, f32 or f64, or complex numbers of them.
  ElementArithmetic(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Type type)
      : RealArithmetic(builder, loc, getPartType(type)), type(type) {}

  bool isComplex() const { return type != element; }
  /// Of the elements' type; real(0) is of that of their parts.
  mlir::Value zero() { return fromReal(real(0)); }
  /// The element that a real number is.
  mlir::Value fromReal(mlir::Value number);
  mlir::Value getReal(mlir::Value a);
  /// @pre the number is complex
  mlir::Value getImaginary(mlir::Value a);
  mlir::Value makeComplex(mlir::Value re, mlir::Value im);

  mlir::Value negate(mlir::Value a);
  mlir::Value conjugate(mlir::Value a);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  /// Of a complex number and a real one, too.
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  /// a b + c, with null for a c of zero; a may be real where the others are
  /// complex.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
  /// |a|^2 + c, a real number, with null for a c of zero.
  mlir::Value addSquare(mlir::Value a, mlir::Value c);
  /// The bits of a number's size, which are in the order of sizes and, of NaN,
  /// above all others. That of a complex number is |re| + |im|.
  mlir::Value getSizeBits(mlir::Value a);
  /// Whether a number is not zero, as NaN is not.
  mlir::Value isNotZero(mlir::Value a);
  /// One by a real number that is normal, as its reciprocal is, within a unit
  /// of the last place.
  mlir::Value createNormalReciprocal(mlir::Value x);
  /// A reciprocal of x with twice as many bits, by a step of Newton's
  /// iteration.
  mlir::Value refineReciprocal(mlir::Value x, mlir::Value reciprocal);
  /// One by a complex number; not finite of zero. Nothing overflows or is lost
  /// but what is so of the result.
  mlir::Value createComplexReciprocal(mlir::Value a);
  mlir::Value select(mlir::Value condition, mlir::Value a, mlir::Value b);

private:
  static mlir::Type getPartType(mlir::Type type);
  static bool isComplex(mlir::Value a);
  template <typename Op>
  mlir::Value createByParts(mlir::Value a, mlir::Value b);

  mlir::Type type;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_ELEMENTARITHMETIC_H
