// Divisor.h - quotients by one divisor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_DIVISOR_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_DIVISOR_H

#include "../ElementArithmetic.h"

namespace tile {

/// A divisor of several values of its type; a real divisor can also divide
/// complex values, by divideFast. The divisor is multiplied by a power of two
/// that brings it near one, and the reciprocal of the result is computed once,
/// so that the reciprocal neither overflows nor loses bits. Quotients by zero
/// are infinite or NaN.
class Divisor : private ElementArithmetic {
public:
  Divisor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value divisor);

  /// The two factors of divideFast(): a power of two, which is real, and the
  /// reciprocal of the divisor times this power.
  struct Factors {
    mlir::Value scale, reciprocal;
  };
  Factors getFactors();

  /// Divides with an error of little more than half an ulp; for complex values,
  /// half an ulp of the larger part.
  mlir::Value divide(mlir::Value dividend);
  /// Divides within two ulp, in half the instructions if there are many
  /// quotients.
  mlir::Value divideFast(mlir::Value dividend);

private:
  mlir::Value createScale(mlir::Value divisor);

  mlir::Value scale;
  mlir::Value scaled;     ///< the divisor times the scale
  mlir::Value reciprocal; ///< of `scaled`, within one ulp
  mlir::Value refined; ///< `reciprocal` within half an ulp, once it is needed
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_DIVISOR_H
