// Places.h - assertions that boxes are inside tiles and arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PLACES_H
#define TILE_IR_PLACES_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Asserts that a box of extents `box`, and of these steps or one, at run-time
/// offsets lies inside `shape`. Constant ones are verified.
void assertBoxInside(mlir::OpBuilder &builder, mlir::Location loc,
                     llvm::ArrayRef<mlir::OpFoldResult> offsets,
                     llvm::ArrayRef<int64_t> box, llvm::ArrayRef<int64_t> shape,
                     std::optional<llvm::ArrayRef<int64_t>> steps = {});

/// Asserts in `root` that views, parts and elements of tiles are inside along
/// those dimensions that they fill. Such a box is the whole extent, whatever
/// its offset: folding drops a run-time offset.
void assertFilledPlaces(mlir::Operation *root);

/// Asserts that an access with the assumption `in_bounds` is inside its array,
/// where its mask holds, if the array has rows; asserts nothing for other
/// operations.
void assertInsideArray(mlir::OpBuilder &builder, mlir::Operation *access);

} // namespace tile

#endif // TILE_IR_PLACES_H
