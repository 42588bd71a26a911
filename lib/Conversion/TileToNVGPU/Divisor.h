// Divisor.h - quotients by one number
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_DIVISOR_H
#define TILE_CONVERSION_TILETONVGPU_DIVISOR_H

#include "ElementArithmetic.h"

namespace tile {

/// A divisor of several values, all of them real or all complex; a real one
/// divides complex values fast, too. Its reciprocal is computed once, of the
/// divisor times a power of two that brings it near one, so that neither
/// overflows nor loses bits. Quotients by zero are infinite or NaN.
class Divisor : private ElementArithmetic {
public:
  Divisor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value divisor);

  /// Within little more than half a unit of the last place, of the larger part
  /// where they are complex.
  mlir::Value divide(mlir::Value dividend);
  /// Within two units, in half the instructions where there are many.
  mlir::Value divideFast(mlir::Value dividend);

private:
  mlir::Value createScale(mlir::Value divisor);

  mlir::Value scale;
  mlir::Value scaled;     ///< the divisor times the scale
  mlir::Value reciprocal; ///< of that, within a unit of the last place
  mlir::Value refined;    ///< within half a unit, once it is wanted
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_DIVISOR_H
