// RowRanks.h - where rows that do not move would be after exchanges
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_ROWRANKS_H
#define TILE_CONVERSION_TILETONVGPU_ROWRANKS_H

#include "WarpMatrix.h"

namespace tile {

/// The rank of a row is the place that it would have if each step had exchanged
/// its pivot's row with the row in that place: a row of a rank below the step's
/// number is done. Among equal candidates LAPACK takes the one of least rank.
///
/// A rank is a number, less kDone for a row that is done, or, where a warp has
/// several matrices of which each lane has a row, a bit: those of the lanes'
/// candidates, put together by one instruction for all matrices, have the least
/// rank of each as the lowest bit of its part.
class RowRanks {
public:
  /// @p lanes that have a matrix of `order` rows; those of `numMatrices` follow
  /// one another. @p rows each in one lane.
  RowRanks(IndexBuilder &index, MatrixSide &rows, int64_t order, int64_t lanes,
           int64_t numMatrices);

  /// The largest of the numbers, of this warp's lanes of a thread's matrix,
  /// which are i32 and not signed.
  mlir::Value findLargest(mlir::Value number);
  /// An i32 of a row that is left before a step, zero for one that is done.
  mlir::Value keepLeft(int64_t i, int64_t row, mlir::Value step,
                       mlir::Value word);
  /// The least rank of the candidates of matrix i that are left before a step,
  /// one value a row of this thread, of this warp's; any where none is left, of
  /// several warps a larger one than those of rows that are left.
  mlir::Value findLeast(int64_t i, mlir::Value step,
                        llvm::ArrayRef<mlir::Value> isCandidate);

  /// Exchanges the step's row and the one of a rank, which is done then.
  /// Returns whether a thread's rows were of that.
  llvm::SmallVector<mlir::Value> exchange(int64_t i, mlir::Value step,
                                          mlir::Value rank);

  /// Whether a row that is left has the rank of a step.
  mlir::Value isRank(int64_t i, int64_t row, mlir::Value step);
  /// What stands for the ranks of matrix i.
  llvm::MutableArrayRef<mlir::Value> getState(int64_t i) {
    return llvm::MutableArrayRef(ranks).slice(i * numRows, numRows);
  }
  /// A row's rank as an i32 number. @pre it is no row of padding.
  mlir::Value getNumber(int64_t i, int64_t row);

private:
  static constexpr int64_t kDone = 128; ///< as many rows as a matrix has

  bool areBits() const { return numRows == 1 && lanes < kWarpSize; }
  /// What the lanes of a matrix have, reduced by operations of two kinds.
  template <typename Op>
  mlir::Value reduce(mlir::Value value, mlir::NVVM::ReduxKind kind);
  /// As ranks are.
  mlir::Value encode(mlir::Value step);
  mlir::Value &get(int64_t i, int64_t row) { return ranks[i * numRows + row]; }
  mlir::Value compare(mlir::arith::CmpIPredicate predicate, mlir::Value a,
                      mlir::Value b);
  template <typename Op>
  mlir::Value create(mlir::Value a, mlir::Value b);

  IndexBuilder &index;
  int64_t lanes, numRows;
  mlir::Value first; ///< the number of the first lane of a thread's matrix
  llvm::SmallVector<mlir::Value> ranks;
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_ROWRANKS_H
