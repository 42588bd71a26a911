// ApproximateMath.h - functions that an author lets be approximate
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_APPROXIMATEMATH_H
#define TILE_CONVERSION_TILETONVGPU_APPROXIMATEMATH_H

#include "mlir/IR/PatternMatch.h"

namespace tile {

/// `math.exp2` and `math.exp` of f32, f16 and bf16 with `fastmath<afn>` become
/// one `ex2.approx.ftz.f32` (PTX ISA, "Floating Point Instructions: ex2"),
/// after a multiplication by log2(e) for `exp`: within 2 units in the last
/// place, and 2 + 1.173 |x| for `exp` (CUDA Programming Guide, "Mathematical
/// Functions"), and zero where the result is below 2^-126. Without the flag
/// they are libdevice's, which keep subnormal results by three more
/// instructions.
void populateApproximateMathPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_APPROXIMATEMATH_H
