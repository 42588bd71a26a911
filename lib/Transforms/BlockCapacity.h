// BlockCapacity.h - tiles that no block can hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_BLOCKCAPACITY_H
#define TILE_TRANSFORMS_BLOCKCAPACITY_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Refuses, at the operation, a tile that has more bytes than the registers of
/// a block. Of a thread it may have more: ptxas may spill.
mlir::LogicalResult verifyFitsBlock(mlir::Operation *op, TileType tile,
                                    const Architecture &architecture);

} // namespace tile

#endif // TILE_TRANSFORMS_BLOCKCAPACITY_H
