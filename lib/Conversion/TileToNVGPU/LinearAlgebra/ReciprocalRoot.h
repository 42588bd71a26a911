// ReciprocalRoot.h - reciprocal square root without a division
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_RECIPROCALROOT_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_RECIPROCALROOT_H

#include "mlir/IR/Builders.h"

namespace tile {

/// Returns the reciprocal of the square root of an f32 or f64, within two units
/// in the last place; NaN if `x` is negative, zero, infinite or NaN.
/// `rsqrt.approx` has a relative error of 2^-22.9 for f32 (PTX ISA, "Floating
/// Point Instructions: rsqrt"), which a step of Newton's iteration squares. The
/// square root and the quotient of IEEE 754 take about four times the
/// instructions, and a branch each.
mlir::Value createReciprocalRoot(mlir::OpBuilder &builder, mlir::Location loc,
                                 mlir::Value x);

/// Returns the reciprocal of the square root with the relative error of
/// `rsqrt.approx`; the result for zero is infinite.
mlir::Value createApproximateReciprocalRoot(mlir::OpBuilder &builder,
                                            mlir::Location loc, mlir::Value x);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_RECIPROCALROOT_H
