// BlockSize.h - choice of the number of warps of a kernel's block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_BLOCKSIZE_H
#define TILE_LIB_TRANSFORMS_BLOCKSIZE_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Returns the number of warps of a block if the program does not fix it.
/// Operations may specify, prefer or request warps (WarpDemand). More warps
/// than requested are chosen if other operations have elements for more
/// threads, or if the live tiles of a thread would not fit its registers. If no
/// operation has such a demand, each thread gets a few elements of the largest
/// tile.
int64_t chooseWarps(KernelOp kernel, const DistributionContext &context);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_BLOCKSIZE_H
