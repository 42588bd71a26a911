// HeldTiles.h - room for the tiles that a loop over programs holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_HELDTILES_H
#define TILE_LIB_GRADIENT_HELDTILES_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Returns how many blocks, from 1 to 8, have room on a multiprocessor at a
/// time for the tiles that a loop holds in registers from
/// one iteration to the next: loaded ones of this iteration and the next one
/// (PrefetchLoads.h), tiles from before the loop, and sums. With more, threads
/// would spill; fewer would leave it idle while warps exchange sums.
int64_t chooseBlocksPerProcessor(mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_LIB_GRADIENT_HELDTILES_H
