// HeldTiles.h - room for the tiles that a loop over programs holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_HELDTILES_H
#define TILE_LIB_GRADIENT_HELDTILES_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// The blocks of a kernel that run on a multiprocessor at a time.
struct ResidentBlocks {
  int64_t count;
  /// The threads of a block, if the kernel's attribute is to state them.
  std::optional<int64_t> threads;
};

/// Chooses the resident blocks of a kernel with a loop over programs: as many,
/// from 1 to 8, as have room for the tiles that the loop holds in registers
/// from one iteration to the next. These are loaded ones of this iteration and
/// the next one (PrefetchLoads.h), tiles from before the loop, and sums. With
/// more, threads would spill; fewer would leave the multiprocessor idle while
/// warps exchange sums. Blocks are smaller than those of other kernels if a
/// loop with several reductions leaves room for it.
ResidentBlocks chooseResidentBlocks(KernelOp kernel, mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_LIB_GRADIENT_HELDTILES_H
