// BoundsAssertions.h - assertions that boxes are inside tiles and arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_BOUNDSASSERTIONS_H
#define TILE_IR_BOUNDSASSERTIONS_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Asserts that a box lies inside a tile of shape `shape`, for offsets that are
/// known only at run time: constant offsets are verified elsewhere. `box` has
/// the number of elements along each dimension, at distances `steps`, or one.
void assertBoxInside(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     llvm::ArrayRef<int64_t> box, llvm::ArrayRef<int64_t> shape,
                     std::optional<llvm::ArrayRef<int64_t>> steps = {});

/// Asserts in `root` the offsets of views, inserted parts and elements along
/// those dimensions in which the box fills the tile. Folding drops a run-time
/// offset there, since a valid one is zero; the assertions must be made before.
void assertFilledBounds(mlir::Operation *root);

/// Asserts that an access with the assumption `in_bounds` is inside its array,
/// where its mask holds, if the array has rows; asserts nothing for other
/// operations.
void assertInsideArray(mlir::OpBuilder &builder, mlir::Operation *access);

} // namespace tile

#endif // TILE_IR_BOUNDSASSERTIONS_H
