// WidenTiles.h - larger tiles for owners along a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_WIDENTILES_H
#define TILE_LIB_GRADIENT_WIDENTILES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Makes a program compute the updates of several neighbouring iterations at
/// once, by larger tiles. `index` is the iteration, and `update` the only
/// update: both move by one box along one dimension from iteration to
/// iteration. A tile along K of a matmul is often too small to be a side of an
/// accumulator.
///
/// Returns the number of iterations, one if tiles are not widened because an
/// operation that depends on the iteration is not known to compute the parts of
/// its result by themselves, or because tiles are large enough. The caller then
/// replaces `index` by the first of the iterations.
///
/// @pre iterations after the last one update no element of the array
int64_t widenTiles(KernelOp kernel, mlir::Value index, AtomicRMWOp update);

} // namespace tile

#endif // TILE_LIB_GRADIENT_WIDENTILES_H
