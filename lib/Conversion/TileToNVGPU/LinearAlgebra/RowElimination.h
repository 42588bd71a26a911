// RowElimination.h - elimination in matrices of which a lane has rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_ROWELIMINATION_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_ROWELIMINATION_H

#include "../ElementArithmetic.h"
#include "Divisor.h"
#include "RowRanks.h"
#include "WarpScratch.h"

namespace tile {

/// Row elimination, shared by LU factors, solutions and inverses. Rows stay in
/// their lanes. A step searches the lanes of its column for the pivot; the lane
/// that holds it writes its row to the step's row of the buffer, where the
/// other lanes read it. The buffer therefore ends as the upper triangle, in
/// order, and lanes may compute with rows that are finished.
///
/// Every four steps a lane's rows are rotated, so that the next four steps find
/// their columns in the same registers. For larger matrices four steps are one
/// iteration of a loop: unrolled code would exceed the instruction cache and
/// take long to compile. Every iteration performs the checks that only the
/// first one needs.
class RowElimination : protected ElementArithmetic {
public:
  /// @pre the type's layout has the rows in consecutive lanes, at least two,
  /// and the buffer (matrix, row, column) has a row for each row of a matrix
  /// and one more.
  RowElimination(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
                 TileType type, mlir::ValueRange source, mlir::Value scratch,
                 bool hasStatus);

  /// Returns, for each matrix, the one-based index of the first column whose
  /// pivot is zero; zero if there is none.
  llvm::ArrayRef<mlir::Value> getStatus() { return statuses; }

protected:
  /// Step of an elimination.
  struct Step {
    mlir::Value index; ///< an i32
    int64_t column;    ///< of the pivot, in `left`
    bool isLast;       ///< known to be the last step of the elimination
    mlir::Value trip;  ///< index of the loop's iteration, an i32; null if the
                       ///< step is not in a loop
    int64_t trips;     ///< number of iterations of the loop
  };
  /// A step's pivot, in all lanes of its matrix.
  struct Pivot {
    llvm::SmallVector<mlir::Value> isRow; ///< whether a row is the pivot row
    llvm::SmallVector<mlir::Value> row;   ///< its row, in the form of `left`
    mlir::Value value;
    mlir::Value isUsable; ///< whether it is not zero
  };

  /// Sets `left` to the rows of matrix `i`.
  void begin(int64_t i);
  /// Emits the steps of matrix `i`, whose rows are in `left`. A loop has at
  /// most `mostTrips` iterations. After each loop `retire` is called with the
  /// count of the loop's columns, which are then the last columns of `left`.
  void eliminate(int64_t i, int64_t mostTrips,
                 llvm::function_ref<void(const Step &)> eliminateColumn,
                 llvm::function_ref<void(int64_t count)> retire);
  /// Finds the pivot of a step and distributes its row.
  Pivot findPivot(int64_t i, const Step &step);
  /// Whether a column of `left` is still to be computed with, since it does not
  /// belong to a step of an earlier iteration of the loop; null for always.
  mlir::Value isLeft(const Step &step, int64_t column);

  /// Writes those elements of a row that the buffer does not have yet: those in
  /// the columns from `begin` on that are before the group of four columns with
  /// the diagonal. `columns` are the row's elements, `row` is its index among
  /// the thread's rows, and `bufferRow` its index in the buffer.
  void writeBelow(int64_t row, mlir::Value bufferRow, int64_t begin,
                  llvm::ArrayRef<mlir::Value> columns);

  /// Writes the indices of the rows of matrix `i`, in the order of their ranks,
  /// to the last row of the buffer, and returns the index of that last row.
  int64_t listRows(int64_t i);
  /// Returns the index in the matrix of one of this thread's rows; for a
  /// padding row the index of the last row.
  mlir::Value getRowIndex(int64_t row);
  /// Returns the rank (RowRanks.h) of one of this thread's rows of matrix `i`;
  /// for a padding row the largest rank.
  mlir::Value getRank(int64_t i, int64_t row);
  /// Whether a row is not padding; null for always.
  mlir::Value isInside(int64_t row);

  MatrixSide &rows() { return matrix.getRows(); }
  /// Returns the maximum number of iterations of a loop over steps. A loop
  /// keeps the code short. In its later iterations fewer columns are left, and
  /// the others are masked or computed needlessly. For real elements the limit
  /// is the fastest one (docs/performance/alternatives.csv); it is lower for
  /// f64, whose masks take two instructions. Steps of complex elements have
  /// four times the code, which for more than 32 rows would not fit the
  /// instruction cache with fewer iterations.
  int64_t getMostTrips() {
    if (getOrder() > (isComplex() ? 32 : 64))
      return 4;
    return getOrder() > 32 && element.isF32() ? 2 : 1;
  }
  int64_t getOrder() { return type.getShape().back(); }
  /// Number of a thread's rows.
  int64_t getNumRows() { return rows().getNumValues(); }
  int64_t getNumMatrices() { return matrix.getNumMatrices(); }
  /// Index of a row of matrix `i` among the rows of all matrices.
  int64_t getRow(int64_t i, int64_t row) { return i * getNumRows() + row; }

  TileType type;
  ThreadCoordinates thread;
  WarpMatrix matrix;
  int64_t lanes; ///< number of lanes of a warp that hold a matrix
  RowRanks ranks;
  WarpScratch scratch;
  /// The thread's rows of the current matrix. They start at the column of the
  /// first of four steps; columns of finished steps may be at their ends.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> left;

private:
  llvm::SmallVector<mlir::Value *> getState(int64_t i);
  mlir::Value clamp(int64_t row, mlir::Value rowIndex);
  llvm::SmallVector<mlir::Value> splitSize(mlir::Value value);
  mlir::Value findRank(int64_t i, const Step &step);
  mlir::Value findRankOfWarps(llvm::ArrayRef<mlir::Value> largest,
                              mlir::Value rank);

  bool hasStatus;
  llvm::SmallVector<mlir::Value> statuses;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_ROWELIMINATION_H
