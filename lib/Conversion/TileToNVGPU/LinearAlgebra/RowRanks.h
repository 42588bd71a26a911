// RowRanks.h - ranks of rows that stay in place where LU would exchange them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_ROWRANKS_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_ROWRANKS_H

#include "WarpMatrix.h"

namespace tile {

/// Ranks of the rows of matrices. The rank of a row is the index that it would
/// have if each step had exchanged its pivot's row with the row at the step's
/// index: a row whose rank is below the step's index is finished. Among equal
/// candidates for the pivot, the one of least rank is chosen, as in LAPACK.
///
/// A rank is stored as an integer, from which kDone is subtracted if the row is
/// finished. If a warp has several matrices and each lane has one row, a rank
/// is stored as a bit: one instruction combines the bits of the lanes'
/// candidates for all matrices, and the lowest bit of each matrix's part is its
/// least rank.
class RowRanks {
public:
  /// @p lanes the number of lanes of a warp that hold a matrix of `order` rows.
  /// @p rows the rows, each of which is in one lane.
  /// @p numMatrices the number of matrices of which a lane has rows.
  RowRanks(IndexBuilder &index, MatrixSide &rows, int64_t order, int64_t lanes,
           int64_t numMatrices);

  /// Returns the largest `value`, an unsigned i32, over the lanes of this warp
  /// that hold the thread's matrix.
  mlir::Value findLargest(mlir::Value value);
  /// Returns `word`, an i32, if a row is left before a step, and zero if it is
  /// done.
  mlir::Value keepLeft(int64_t i, int64_t row, mlir::Value step,
                       mlir::Value word);
  /// Returns the least rank of the candidates of matrix `i` in this warp that
  /// are left before a step. `isCandidate` has one value for each row of this
  /// thread. If no candidate is left, the result is arbitrary; with several
  /// warps it is larger than the ranks of rows that are left.
  mlir::Value findLeast(int64_t i, mlir::Value step,
                        llvm::ArrayRef<mlir::Value> isCandidate);

  /// Exchanges the ranks of the step's row and of the row with `rank`, and
  /// marks the latter as done. Returns, for each of the thread's rows, whether
  /// it had `rank`.
  llvm::SmallVector<mlir::Value> exchange(int64_t i, mlir::Value step,
                                          mlir::Value rank);

  /// Whether a row that is left has the rank of a step.
  mlir::Value isRank(int64_t i, int64_t row, mlir::Value step);
  /// Returns the values that represent the ranks of matrix `i`.
  llvm::MutableArrayRef<mlir::Value> getState(int64_t i) {
    return llvm::MutableArrayRef(ranks).slice(i * numRows, numRows);
  }
  /// Returns a row's rank as an i32.
  /// @pre the row is not padding.
  mlir::Value getRank(int64_t i, int64_t row);

private:
  static constexpr int64_t kDone = 128; ///< maximum number of a matrix's rows

  bool areBits() const { return numRows == 1 && lanes < kWarpSize; }
  /// Reduces the values of a matrix's lanes: by redux.sync of `kind` if these
  /// are all lanes of the warp, otherwise by shuffles and `Op`.
  template <typename Op>
  mlir::Value reduce(mlir::Value value, mlir::NVVM::ReduxKind kind);
  /// Encodes a step in the form in which ranks are stored.
  mlir::Value encode(mlir::Value step);
  mlir::Value &get(int64_t i, int64_t row) { return ranks[i * numRows + row]; }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b);
  template <typename Op>
  mlir::Value create(mlir::Value a, mlir::Value b);

  IndexBuilder &index;
  int64_t lanes, numRows;
  mlir::Value first; ///< index of the first lane of a thread's matrix
  llvm::SmallVector<mlir::Value> ranks;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_ROWRANKS_H
