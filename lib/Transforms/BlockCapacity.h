// BlockCapacity.h - tiles that no block can hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_BLOCKCAPACITY_H
#define TILE_TRANSFORMS_BLOCKCAPACITY_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Refuses, with an error at `op`, a tile that has more bytes than the
/// registers of a block. A thread's share may be larger than its registers:
/// ptxas may spill.
mlir::LogicalResult verifyFitsBlock(mlir::Operation *op, TileType tile,
                                    const Architecture &architecture);

} // namespace tile

#endif // TILE_TRANSFORMS_BLOCKCAPACITY_H
