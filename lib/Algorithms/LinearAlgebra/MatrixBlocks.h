// MatrixBlocks.h - square matrices that are factored in blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_MATRIXBLOCKS_H
#define TILE_LIB_ALGORITHMS_MATRIXBLOCKS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the number of rows of the largest square matrix that is factored in
/// blocks.
int64_t getMaxOrderInBlocks(int64_t elementBytes);

/// Whether a square matrix of the type exceeds the registers of a warp.
bool areInBlocks(TileType matrices);

/// A range of rows, or columns.
struct MatrixRange {
  int64_t begin, end;
  int64_t size() const { return end - begin; }
};

/// Returns the ranges of the diagonal blocks of a square matrix, each of which
/// a warp holds. The first range has the remainder, so that the rows after each
/// block divide evenly over the warps.
llvm::SmallVector<MatrixRange> cutIntoBlocks(int64_t order);

/// Builder of operations on blocks of batches of matrices. Blocks have the
/// batch as one dimension, or none for a batch of one.
class MatrixBlocks {
public:
  /// @param matrices a tile type with the batch dimensions and the element
  /// type; its rows and columns are ignored.
  MatrixBlocks(mlir::OpBuilder &builder, mlir::Location loc, TileType matrices);

  /// Returns a block of `matrices`, which have the batch's dimensions. If they
  /// are the result of a load that has no other use, loads only the block.
  mlir::Value takeFirst(mlir::Value matrices, MatrixRange rows,
                        MatrixRange columns);
  /// Returns a part of a block.
  mlir::Value take(mlir::Value block, MatrixRange rows, MatrixRange columns);
  /// Joins blocks along the columns, or along the rows.
  mlir::Value joinColumns(llvm::ArrayRef<mlir::Value> blocks);
  mlir::Value joinRows(llvm::ArrayRef<mlir::Value> blocks);
  /// Returns `from` - a b.
  mlir::Value subtractMatmul(mlir::Value a, mlir::Value b, mlir::Value from);
  /// Returns the X with X T = `rows`, or X T' = `rows` with `isTransposed`. The
  /// rows are distributed over the warps of a block of threads.
  mlir::Value solveRows(mlir::Value triangle, mlir::Value rows, bool isUpper,
                        bool isTransposed, bool isUnit);

  mlir::Value zeros(int64_t rows, int64_t columns);
  /// Returns the type of matrices of `rows` rows and `columns` columns.
  TileType getType(int64_t rows, int64_t columns);
  /// Returns the type of a tile with one element for each matrix.
  TileType getValuesType(mlir::Type element);
  /// Reshapes blocks, or tiles of getValuesType, to the dimensions of the
  /// batch.
  mlir::Value restore(mlir::Value blocks, mlir::Type type);

private:
  mlir::Value reshape(mlir::Value tile, mlir::Type type);
  mlir::Value join(llvm::ArrayRef<mlir::Value> blocks, unsigned fromLast);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type element;
  int64_t matrices;                 ///< number of matrices in the batch
  llvm::SmallVector<int64_t> batch; ///< one extent, or none
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_MATRIXBLOCKS_H
