// ComplexScale.h - complex numbers whose squares neither overflow nor vanish
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A complex quotient and an absolute value contain squares of parts. The square
// of 2^64 overflows in f32 although the result is finite. Multiplied by a power
// of two, which rounds nothing, the parts are near one.

#ifndef TILE_ALGORITHMS_COMPLEXSCALE_H
#define TILE_ALGORITHMS_COMPLEXSCALE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/PatternMatch.h"

namespace tile {

/// The power of two that brings the larger of two parts, by size, between a
/// quarter and a half, or as near as a normal value does. A dividend of the
/// complex value may be multiplied by this power, too: it overflows only if
/// the quotient does.
/// @pre the parts are of f16, bf16, f32 or f64.
mlir::Value createComplexScale(mlir::OpBuilder &builder, mlir::Location loc,
                               mlir::Value re, mlir::Value im);

/// Makes `complex.div` and `complex.abs` arithmetic on parts that are scaled.
void populateScaledComplexPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_ALGORITHMS_COMPLEXSCALE_H
