// WarpgroupMmaToPTX.h - tile_gpu.warpgroup_mma as inline assembly
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_WARPGROUPMMATOPTX_H
#define TILE_CONVERSION_WARPGROUPMMATOPTX_H

#include "mlir/IR/PatternMatch.h"

namespace tile {

/// Adds the pattern that converts tile_gpu.warpgroup_mma to the text of its
/// instruction.
void populateWarpgroupMmaToPTXPatterns(mlir::RewritePatternSet &patterns);

} // namespace tile

#endif // TILE_CONVERSION_WARPGROUPMMATOPTX_H
