// SimplifyGradient.h - simplifies the transposed program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SIMPLIFYGRADIENT_H
#define TILE_LIB_GRADIENT_SIMPLIFYGRADIENT_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace tile {

/// Removes values that loops carry without a change, such as the cotangent of a
/// sum, and casts to a wider type and back, and moves loads to where their
/// offsets are known, so that they overlap the values that are computed again.
void simplifyGradient(KernelOp kernel);

/// Erases operations that write an array, and whose results nothing uses, but
/// not those of `kept`.
void eraseWrites(mlir::Value array,
                 const llvm::DenseSet<mlir::Operation *> &kept = {});

/// Erases operations whose results nothing needs, and the values that loops
/// carry only for such results.
void eraseDeadOperations(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SIMPLIFYGRADIENT_H
