// WarpgroupLimits.h - matmuls that warpgroups cannot compute
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_WARPGROUPLIMITS_H
#define TILE_LIB_TRANSFORMS_WARPGROUPLIMITS_H

#include "tile/Analysis/MatmulChain.h"

namespace tile {

/// Forbids warpgroup instructions that the compiler chose for a matmul if the
/// accumulators do not fit, the given parameters do not fit, or a chain would
/// not stay in registers. The matmuls of such a chain then have consecutive
/// rows.
/// @pre the kernel has a block size, and each matmul a tiling, which may be
/// empty
void limitWarpgroups(KernelOp kernel, MatmulChains &chains,
                     const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_WARPGROUPLIMITS_H
