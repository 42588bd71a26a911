// ApproximateMath.h - functions that an author allows to be approximate
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_APPROXIMATEMATH_H
#define TILE_CONVERSION_TILETONVGPU_APPROXIMATEMATH_H

#include "mlir/IR/PatternMatch.h"

namespace tile {

/// Lowers `math.exp2` and `math.exp` of f32, f16 and bf16 with `fastmath<afn>`
/// to one `ex2.approx.ftz.f32` (PTX ISA, "Floating Point Instructions: ex2"),
/// after a multiplication by log2(e) for `exp`. The error is within 2 ulp, and
/// 2 + 1.173 |x| for `exp` (CUDA Programming Guide, "Mathematical Functions");
/// a result below 2^-126 is zero. Without the flag the functions are
/// libdevice's, which keep subnormal results with three more instructions.
void populateApproximateMathPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_APPROXIMATEMATH_H
