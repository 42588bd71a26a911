// PermutedAccess.h - accesses whose tile has any of the array's dimensions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PERMUTEDACCESS_H
#define TILE_IR_PERMUTEDACCESS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the dimension of the array that is dimension `dim` of the tile.
template <typename Op>
int64_t getArrayDimension(Op op, int64_t dim) {
  if (op.getDims())
    return (*op.getDims())[dim];
  return dim + mlir::cast<mlir::MemRefType>(op.getArray().getType()).getRank() -
         mlir::cast<TileType>(op.getAccessedTile().getType()).getRank();
}

/// Creates an access without `dims` that is equivalent to an access with
/// `dims`. The dimensions of the array are permuted so that those of the tile
/// come last.
/// @pre the access has `dims`
llvm::SmallVector<mlir::Value> accessPermuted(mlir::OpBuilder &builder,
                                              ArrayAccessOpInterface access);

} // namespace tile

#endif // TILE_IR_PERMUTEDACCESS_H
