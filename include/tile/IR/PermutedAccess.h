// PermutedAccess.h - accesses whose tile has any of the array's dimensions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PERMUTEDACCESS_H
#define TILE_IR_PERMUTEDACCESS_H

#include "tile/IR/Tile.h"

namespace tile {

/// The dimension of the array that is dimension `dim` of the tile.
template <typename Op>
int64_t getArrayDimension(Op op, int64_t dim) {
  if (op.getDims())
    return (*op.getDims())[dim];
  return dim + mlir::cast<mlir::MemRefType>(op.getArray().getType()).getRank() -
         mlir::cast<TileType>(op.getAccessedTile().getType()).getRank();
}

/// Creates the access without `dims`, to the array with its dimensions permuted
/// so that the tile's are the last ones.
/// @pre it has `dims`
llvm::SmallVector<mlir::Value> accessPermuted(mlir::OpBuilder &builder,
                                              ArrayAccessOpInterface access);

} // namespace tile

#endif // TILE_IR_PERMUTEDACCESS_H
