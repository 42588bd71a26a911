// RowElimination.h - elimination in matrices of which a lane has rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_ROWELIMINATION_H
#define TILE_CONVERSION_TILETONVGPU_ROWELIMINATION_H

#include "Divisor.h"
#include "RealArithmetic.h"
#include "RowRanks.h"
#include "WarpScratch.h"

namespace tile {

/// What LU factors, solutions and inverses have in common: rows stay in their
/// lanes; a step's pivot is searched for in the lanes of its column, whose lane
/// writes its row to the row of the buffer that is the step's, where the others
/// read it. So the buffer has the upper triangle in the end, in order, and what
/// lanes make of rows that are done need not be kept from them.
class RowElimination : protected RealArithmetic {
public:
  /// @pre the type's layout has rows in consecutive lanes, more than one, and
  /// the buffer (matrix, row, column) a row for each and one more.
  RowElimination(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
                 TileType type, mlir::ValueRange source, mlir::Value scratch,
                 bool hasStatus);

  /// For each matrix, the number from one on of the first column whose pivot is
  /// zero; zero for none.
  llvm::ArrayRef<mlir::Value> getStatus() { return statuses; }

protected:
  /// A step's pivot, in all lanes of its matrix.
  struct Pivot {
    llvm::SmallVector<mlir::Value> isRow; ///< whether a thread's rows are its
    llvm::SmallVector<mlir::Value> row;   ///< the elements handed out
    mlir::Value value;
    mlir::Value isUsable; ///< whether it is not zero
  };
  /// The elements of one of a thread's rows.
  using RowOf = llvm::function_ref<llvm::SmallVector<mlir::Value>(int64_t row)>;

  /// Finds the pivot of a step and hands out the elements of its row, of which
  /// the first is that of column `begin`, which begins a vector.
  Pivot findPivot(int64_t i, int64_t step, int64_t begin, RowOf ofRow);

  /// Those of matrix i.
  llvm::SmallVector<mlir::Value> getElements(int64_t i, int64_t row);

  /// Writes the number of each row of matrix i in place of its rank to the last
  /// row of the buffer, which is returned.
  int64_t listRows(int64_t i);
  /// A thread's place of one of its rows; of padding that of the last row.
  mlir::Value getPlace(int64_t row);
  /// The rank of one, likewise.
  mlir::Value getRank(int64_t i, int64_t row);
  /// Whether a row is none of padding; null for always.
  mlir::Value isInside(int64_t row);

  MatrixSide &rows() { return matrix.getRows(); }
  int64_t getOrder() { return type.getShape().back(); }
  /// A thread's rows.
  int64_t getNumRows() { return rows().getNumValues(); }
  int64_t getNumMatrices() { return matrix.getNumMatrices(); }
  /// The number of a row of matrix i among those of all matrices.
  int64_t getRow(int64_t i, int64_t row) { return i * getNumRows() + row; }

  TileType type;
  ThreadCoordinates thread;
  WarpMatrix matrix;
  int64_t lanes; ///< of a matrix
  RowRanks ranks;
  WarpScratch scratch;

private:
  mlir::Value clamp(int64_t row, mlir::Value place);
  llvm::SmallVector<mlir::Value> splitSize(mlir::Value value);
  mlir::Value findRank(int64_t i, int64_t step);

  bool hasStatus;
  llvm::SmallVector<mlir::Value> statuses;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_ROWELIMINATION_H
