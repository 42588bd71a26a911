// PrefetchLoads.h - loads an iteration before the one that uses them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_PREFETCHLOADS_H
#define TILE_LIB_GRADIENT_PREFETCHLOADS_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Makes each iteration of a loop load the boxes of the next one, which the
/// loop carries, so that loads overlap with the reductions and barriers of an
/// iteration. Loads of arrays that the kernel only reads are moved, if their
/// offsets are arithmetic of the induction variable, and if no access after the
/// end of the array is undefined. A loop with matmuls is returned as it is,
/// since their operands are copied to shared memory. Returns the new loop.
mlir::scf::ForOp prefetchLoads(mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_LIB_GRADIENT_PREFETCHLOADS_H
