// MatmulWarps.h - choice of the number of warps for a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_MATMULWARPS_H
#define TILE_LIB_TRANSFORMS_MATMULWARPS_H

#include "tile/Analysis/MatmulChain.h"

namespace tile {

/// Returns a number of warps that is efficient for a matmul. A warp that uses
/// tensor cores computes 64 x 64 elements, half of that if an element of the
/// accumulator takes two registers; with FMA, each thread of a warp computes 16
/// to 64 elements. There are at least four warps if the matmul has work for
/// them. In a batch, each matmul gets that number of warps, or each group of
/// warps computes several matmuls one after the other, all groups equally many.
int64_t proposeWarps(MatmulOpInterface op, const MatmulChains &chains,
                     const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_MATMULWARPS_H
