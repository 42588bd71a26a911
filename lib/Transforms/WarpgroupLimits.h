// WarpgroupLimits.h - which products cannot be those of warpgroups
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_WARPGROUPLIMITS_H
#define TILE_LIB_TRANSFORMS_WARPGROUPLIMITS_H

#include "tile/Analysis/ProductChain.h"

namespace tile {

/// The compiler's own choice of warpgroups gives way where their accumulators
/// do not fit, or what is given, or where a chain would not stay in registers:
/// then its products have rows that follow one another.
/// @pre the kernel has a block size, each product a tiling, be it empty
void limitWarpgroups(KernelOp kernel, ProductChains &chains,
                     const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_WARPGROUPLIMITS_H
