// BoundsAssertions.h - assertions that boxes are inside tiles and arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_BOUNDSASSERTIONS_H
#define TILE_IR_BOUNDSASSERTIONS_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Asserts that a box lies inside a tile of shape `shape`, for offsets that are
/// known only at run time: constant offsets are verified elsewhere. `box` has
/// the number of elements of the box along each dimension, and `steps` their
/// distances, which are one if not given.
void assertBoxInside(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     llvm::ArrayRef<int64_t> box, llvm::ArrayRef<int64_t> shape,
                     std::optional<llvm::ArrayRef<int64_t>> steps = {});

/// Asserts, for all views, inserted parts and elements in `root`, the offsets
/// along those dimensions in which the box fills the tile. Folding drops a
/// run-time offset there, since a valid one is zero, so this must run before
/// folding.
void assertFilledBounds(mlir::Operation *root);

/// Returns an i1: whether the box of an access is inside its array, along the
/// dimensions without indices.
mlir::Value isBoxInside(mlir::OpBuilder &builder,
                        ArrayAccessOpInterface access);

/// Returns a tile of i1, of the shape and storage of `type`: whether each
/// element of an access is inside its array.
mlir::Value areElementsInside(mlir::OpBuilder &builder,
                              ArrayAccessOpInterface access, TileType type);

/// Asserts that an access with the assumption `in_bounds` is inside its array,
/// for the elements that its mask selects, if the array has more than one
/// dimension. Asserts nothing for other operations.
void assertInsideArray(mlir::OpBuilder &builder, mlir::Operation *access);

} // namespace tile

#endif // TILE_IR_BOUNDSASSERTIONS_H
