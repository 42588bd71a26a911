// BlockSize.h - how many warps a kernel's block has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_BLOCKSIZE_H
#define TILE_LIB_TRANSFORMS_BLOCKSIZE_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

namespace tile {

/// The warps of a block where the program fixes none: what its operations give
/// or want, more where a thread had more live tiles than fit its registers;
/// else a few elements a thread of the largest tile.
int64_t chooseWarps(KernelOp kernel, const DistributionContext &context);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_BLOCKSIZE_H
