// MatrixSteps.h - a factorisation's steps, some of them in loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSTEPS_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSTEPS_H

#include "WarpMatrix.h"

namespace tile {

/// A step in the range from `first` to `last`. If these differ, the step is the
/// run-time value `current`, an i32 that a loop counts.
struct MatrixStep {
  int64_t first, last;
  mlir::Value current; ///< null for `first`

  /// Whether the index of a value in some lane is that of the step, or after it
  /// (`isBefore`).
  bool reaches(const MatrixSide &side, int64_t value) const {
    return side.getFirst(value) <= last && side.getLast(value) >= first;
  }
  bool isBefore(const MatrixSide &side, int64_t value) const {
    return side.getLast(value) > first;
  }
  /// Whether this thread's index of a value is that of the step; null for
  /// always.
  /// @pre reaches
  mlir::Value isAt(IndexBuilder &index, MatrixSide &side, int64_t value) const;
  /// Whether this thread's index of a value is after that of the step; null for
  /// always.
  /// @pre isBefore
  mlir::Value isBehind(IndexBuilder &index, MatrixSide &side,
                       int64_t value) const;
  /// Returns, for this thread's row, the value that the lanes of the step's
  /// column have. `fromRow` returns, for this thread's column, the value that
  /// the lanes of the step's row have.
  mlir::Value fromColumn(IndexBuilder &index, WarpMatrix &matrix,
                         mlir::Value value) const;
  mlir::Value fromRow(IndexBuilder &index, WarpMatrix &matrix,
                      mlir::Value value) const;
};

/// Returns the steps for the columns from zero on. Steps that one loop executes
/// are one element of the result, since the unrolled code of matrices of many
/// rows would not fit the instruction cache and would take long to compile. The
/// columns of one loop belong to one value of each lane.
llvm::SmallVector<MatrixStep> groupSteps(const MatrixSide &columns,
                                         int64_t numColumns, int64_t numRows);

/// Emits a loop whose iterations change the values in `state`. `body` gets the
/// index of the iteration, an i32.
void emitLoop(IndexBuilder &index, int64_t trips,
              llvm::ArrayRef<mlir::Value *> state,
              llvm::function_ref<void(mlir::Value trip)> body);

/// Emits `body` for each step, in order or in reverse. `body` changes the
/// values that `getState` lists for a group of steps.
void emitSteps(
    IndexBuilder &index, llvm::ArrayRef<MatrixStep> groups, bool isReversed,
    llvm::function_ref<llvm::SmallVector<mlir::Value *>(MatrixStep)> getState,
    llvm::function_ref<void(MatrixStep)> body);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSTEPS_H
