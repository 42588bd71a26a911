// MatrixBlocks.h - square matrices that are factored in blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_MATRIXBLOCKS_H
#define TILE_LIB_ALGORITHMS_MATRIXBLOCKS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Rows of the largest square matrix that is factored in blocks.
int64_t getMaxOrderInBlocks(int64_t elementBytes);

/// Whether a warp's registers do not hold a square matrix of the type.
bool areInBlocks(TileType matrices);

/// Rows, or columns, that belong together.
struct MatrixRange {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

/// The ranges of the diagonal blocks of a square matrix, each of which a warp
/// holds. The first has the rest that the whole blocks leave, so that the rows
/// after each block divide evenly over the warps.
llvm::SmallVector<MatrixRange> cutIntoBlocks(int64_t order);

/// Builds with blocks of batches of matrices. Blocks have the batch as one
/// dimension, or none for a batch of one.
class MatrixBlocks {
public:
  /// @param matrices a type of the batch, of whatever matrices.
  MatrixBlocks(mlir::OpBuilder &builder, mlir::Location loc, TileType matrices);

  /// A block of matrices that have the batch's dimensions. Matrices that are
  /// loaded only for that are loaded in blocks.
  mlir::Value takeFirst(mlir::Value matrices, MatrixRange rows,
                        MatrixRange columns);
  /// A block of a block.
  mlir::Value take(mlir::Value block, MatrixRange rows, MatrixRange columns);
  /// Blocks side by side, or one above the other.
  mlir::Value joinColumns(llvm::ArrayRef<mlir::Value> blocks);
  mlir::Value joinRows(llvm::ArrayRef<mlir::Value> blocks);
  /// `from` - a b.
  mlir::Value subtractMatmul(mlir::Value a, mlir::Value b, mlir::Value from);
  /// The X with X T = `rows`, or X T' with `isTransposed`, the rows spread over
  /// the warps of a block of threads.
  mlir::Value solveRows(mlir::Value triangle, mlir::Value rows, bool isUpper,
                        bool isTransposed, bool isUnit);

  mlir::Value zeros(int64_t rows, int64_t columns);
  /// Matrices of so many rows and columns.
  TileType getType(int64_t rows, int64_t columns);
  /// The type of a tile with one element for each matrix.
  TileType getNumbersType(mlir::Type element);
  /// Blocks, or tiles of getNumbersType, with the batch's dimensions.
  mlir::Value restore(mlir::Value blocks, mlir::Type type);

private:
  mlir::Value reshape(mlir::Value tile, mlir::Type type);
  mlir::Value join(llvm::ArrayRef<mlir::Value> blocks, unsigned fromLast);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type element;
  int64_t matrices;                 ///< of the batch
  llvm::SmallVector<int64_t> batch; ///< one extent, or none
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_MATRIXBLOCKS_H
