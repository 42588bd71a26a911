// Divisor.h - quotients by one number
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_DIVISOR_H
#define TILE_CONVERSION_TILETONVGPU_DIVISOR_H

#include "mlir/IR/Builders.h"

namespace tile {

/// One by a number that is normal, as its reciprocal is, within a unit of the
/// last place.
mlir::Value createReciprocal(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value x);

/// A number by which others are divided: its reciprocal is computed once, of
/// the number times a power of two that brings it near one, so that neither
/// overflows nor loses bits. Quotients by zero are infinite or NaN.
class Divisor {
public:
  Divisor(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value divisor);

  /// Within little more than half a unit of the last place.
  mlir::Value divide(mlir::Value dividend);
  /// Within two units, in half the instructions where there are many.
  mlir::Value divideFast(mlir::Value dividend);

private:
  mlir::Value negate(mlir::Value value);
  mlir::Value createScale(mlir::Value divisor);

  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Type type;
  mlir::Value scale;
  mlir::Value scaled;     ///< the divisor times the scale
  mlir::Value reciprocal; ///< of that, within a unit of the last place
  mlir::Value refined;    ///< within half a unit, once it is wanted
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_DIVISOR_H
