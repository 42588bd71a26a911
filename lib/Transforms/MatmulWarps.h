// MatmulWarps.h - choice of the number of warps for a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_MATMULWARPS_H
#define TILE_LIB_TRANSFORMS_MATMULWARPS_H

#include "tile/Analysis/MatmulChain.h"

namespace tile {

/// Returns a number of warps that serves a matmul well. A tensor-core warp
/// computes 64 x 64 elements, half of that if an element of the accumulator
/// takes two registers. An FMA warp computes 16 to 64 elements a thread. There
/// are at least four warps if there is work for them. A batch has as many warps
/// for each of its matmuls, or computes them in turns of equal length.
int64_t proposeWarps(MatmulOpInterface op, const MatmulChains &chains,
                     const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MATMULWARPS_H
