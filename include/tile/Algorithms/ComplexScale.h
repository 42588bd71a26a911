// ComplexScale.h - complex numbers whose squares neither overflow nor vanish
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Complex division and the absolute value of a complex number square its parts.
// The square of 2^64 overflows in f32 even if the final result is finite. The
// parts are therefore multiplied first by a power of two that brings them near
// one, which is exact.

#ifndef TILE_ALGORITHMS_COMPLEXSCALE_H
#define TILE_ALGORITHMS_COMPLEXSCALE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

namespace tile {

/// Returns the power of two by which a complex value is multiplied. It brings
/// the part with the larger magnitude between a quarter and a half, or as near
/// to that as a normal power of two can. A dividend of the complex value may be
/// multiplied by the same power: it then overflows only if the quotient does.
/// @pre the parts are of f16, bf16, f32 or f64.
mlir::Value createComplexScale(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value re, mlir::Value im);

/// Adds patterns that convert `complex.div` and `complex.abs` to arithmetic on
/// scaled parts.
void populateScaledComplexPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_ALGORITHMS_COMPLEXSCALE_H
