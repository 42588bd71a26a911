// ElementArithmetic.h - arithmetic on the elements of matrices, real or complex
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_ELEMENTARITHMETIC_H
#define TILE_CONVERSION_TILETONVGPU_ELEMENTARITHMETIC_H

#include "RealArithmetic.h"

namespace tile {

/// Arithmetic on elements of a floating-point type and on complex elements with
/// parts of that type. Each function takes both kinds unless its comment states
/// otherwise. Complex elements are computed part by part, by fused
/// multiply-adds. The functions of the base class are for real elements.
class ElementArithmetic : public RealArithmetic {
public:
  /// @param type of the elements: f32 or f64, or complex with such parts.
  ElementArithmetic(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Type type)
      : RealArithmetic(builder, loc, getPartType(type)), type(type) {}

  bool isComplex() const { return type != element; }
  /// Returns a zero of the elements' type; real(0) has the type of their parts.
  mlir::Value zero() { return fromReal(real(0)); }
  /// Returns a real value as an element.
  mlir::Value fromReal(mlir::Value value);
  mlir::Value getReal(mlir::Value a);
  /// @pre `a` is complex
  mlir::Value getImaginary(mlir::Value a);
  mlir::Value makeComplex(mlir::Value re, mlir::Value im);

  mlir::Value negate(mlir::Value a);
  mlir::Value conjugate(mlir::Value a);
  mlir::Value add(mlir::Value a, mlir::Value b);
  mlir::Value subtract(mlir::Value a, mlir::Value b);
  /// Multiplies two elements, or a complex element and a real one.
  mlir::Value multiply(mlir::Value a, mlir::Value b);
  /// Returns a b + c; a null `c` is zero. `a` may be real if `b` and `c` are
  /// complex.
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value c);
  /// Returns |a|^2 + c, which is real; a null `c` is zero.
  mlir::Value addSquare(mlir::Value a, mlir::Value c);
  /// Returns the bits of an element's magnitude, which are ordered like the
  /// magnitudes, with NaN above all others. The magnitude of a complex element
  /// is |re| + |im|.
  mlir::Value getSizeBits(mlir::Value a);
  /// Whether an element is not zero; NaN is not zero.
  mlir::Value isNotZero(mlir::Value a);
  /// Returns the reciprocal of a real value within one ulp.
  /// @pre the value and its reciprocal are normal.
  mlir::Value createNormalReciprocal(mlir::Value x);
  /// Refines a reciprocal of `x` to twice as many bits, by a step of Newton's
  /// iteration.
  mlir::Value refineReciprocal(mlir::Value x, mlir::Value reciprocal);
  /// Returns the reciprocal of a complex element; that of zero is not finite.
  /// An intermediate value overflows or underflows only if the result does.
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
