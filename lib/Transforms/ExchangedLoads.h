// ExchangedLoads.h - loads of tiles that pass through shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_EXCHANGEDLOADS_H
#define TILE_TRANSFORMS_EXCHANGEDLOADS_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace tile {

/// Returns the loads whose layout the program declares, or whose tile it
/// converts itself.
/// @pre layouts are not assigned.
llvm::SmallPtrSet<mlir::Operation *, 4> findDeclaredLoads(KernelOp kernel);

/// Makes loads, except those in `declared`, fill shared memory if their tiles
/// only pass through there to another layout, and would take more than 96
/// registers of a thread before: asynchronous copies need none, so that all are
/// in flight at once. A pad value follows the copy, which fills elements
/// outside the array with zeros.
/// @pre tiles in registers have layouts.
void copyExchangedLoads(
    KernelOp kernel, const llvm::SmallPtrSetImpl<mlir::Operation *> &declared);

} // namespace tile

#endif // TILE_TRANSFORMS_EXCHANGEDLOADS_H
