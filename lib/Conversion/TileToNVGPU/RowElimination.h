// RowElimination.h - elimination in matrices of which a lane has rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_ROWELIMINATION_H
#define TILE_CONVERSION_TILETONVGPU_ROWELIMINATION_H

#include "Divisor.h"
#include "ElementArithmetic.h"
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
  /// @pre the type's layout has rows in consecutive lanes, more than one, and
  /// the buffer (matrix, row, column) a row for each and one more.
  RowElimination(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
                 TileType type, mlir::ValueRange source, mlir::Value scratch,
                 bool hasStatus);

  /// For each matrix, the number from one on of the first column whose pivot is
  /// zero; zero for none.
  llvm::ArrayRef<mlir::Value> getStatus() { return statuses; }

protected:
  /// One step of an elimination.
  struct Step {
    mlir::Value number; ///< an i32
    int64_t column;     ///< of the pivot, in `left`
    bool isLast;        ///< known to be the last one
    mlir::Value trip;   ///< of its loop, an i32, null for no loop
    int64_t trips;      ///< of that
  };
  /// A step's pivot, in all lanes of its matrix.
  struct Pivot {
    llvm::SmallVector<mlir::Value> isRow; ///< whether a thread's rows are its
    llvm::SmallVector<mlir::Value> row;   ///< its row, as `left` has rows
    mlir::Value value;
    mlir::Value isUsable; ///< whether it is not zero
  };

  /// Makes `left` the rows of matrix i.
  void begin(int64_t i);
  /// The steps of matrix i, whose rows `left` has. A loop has so many trips at
  /// most. Each is followed by `retire` for as many columns, which are the last
  /// ones of `left` then.
  void eliminate(int64_t i, int64_t mostTrips,
                 llvm::function_ref<void(const Step &)> eliminateColumn,
                 llvm::function_ref<void(int64_t count)> retire);
  /// Finds the pivot of a step and hands out its row.
  Pivot findPivot(int64_t i, const Step &step);
  /// Whether a column of `left` is none of a step of the loop's trips before
  /// this one; null for always.
  mlir::Value isLeft(const Step &step, int64_t column);

  /// Writes the columns of a row, from one on, that its part of the buffer does
  /// not have: those before the first of the four that the diagonal is in.
  /// @p row whose lanes do so, @p number of the row in the buffer.
  void writeBelow(int64_t row, mlir::Value number, int64_t begin,
                  llvm::ArrayRef<mlir::Value> columns);

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
  /// Trips of a loop whose steps have fewer and fewer columns left: masks, or
  /// what is computed in vain, take the place of code. Of real numbers as many
  /// as were fastest (docs/performance/alternatives.csv): masks of f64 take two
  /// instructions. Steps of complex ones have four times the code, which above
  /// 32 rows would not fit the instruction cache in fewer trips.
  int64_t getMostTrips() {
    if (getOrder() > (isComplex() ? 32 : 64))
      return 4;
    return getOrder() > 32 && element.isF32() ? 2 : 1;
  }
  int64_t getOrder() { return type.getShape().back(); }
  /// A thread's rows.
  int64_t getNumRows() { return rows().getNumValues(); }
  int64_t getNumMatrices() { return matrix.getNumMatrices(); }
  /// The number of a row of matrix i among those of all matrices.
  int64_t getRow(int64_t i, int64_t row) { return i * getNumRows() + row; }

  TileType type;
  ThreadCoordinates thread;
  WarpMatrix matrix;
  int64_t lanes; ///< of a matrix, in one warp
  RowRanks ranks;
  WarpScratch scratch;
  /// A thread's rows of the matrix at hand, from the column of the first of
  /// four steps on; those of done steps may follow.
  llvm::SmallVector<llvm::SmallVector<mlir::Value>> left;

private:
  llvm::SmallVector<mlir::Value *> getState(int64_t i);
  mlir::Value clamp(int64_t row, mlir::Value place);
  llvm::SmallVector<mlir::Value> splitSize(mlir::Value value);
  mlir::Value findRank(int64_t i, const Step &step);
  mlir::Value findRankOfWarps(llvm::ArrayRef<mlir::Value> largest,
                              mlir::Value rank);

  bool hasStatus;
  llvm::SmallVector<mlir::Value> statuses;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_ROWELIMINATION_H
