// MatrixSteps.h - a factorisation's steps, some of them in loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSTEPS_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSTEPS_H

#include "WarpMatrix.h"

namespace tile {

/// A step in the range from `first` to `last`. If these differ, the step is the
/// run-time value `current`, an i32.
struct MatrixStep {
  int64_t first, last;
  mlir::Value current; ///< null for `first`

  /// Whether, in some lane, the index of a value may be that of the step
  /// (`reaches`), or the step may be before it (`isBefore`).
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
  /// Returns the `value` of the lane that holds this thread's row and the
  /// step's column (`fromColumn`), or this thread's column and the step's row
  /// (`fromRow`).
  mlir::Value fromColumn(IndexBuilder &index, WarpMatrix &matrix,
                         mlir::Value value) const;
  mlir::Value fromRow(IndexBuilder &index, WarpMatrix &matrix,
                      mlir::Value value) const;
  /// Returns the `value` of the lane that holds the step's element of the
  /// diagonal.
  mlir::Value fromDiagonal(IndexBuilder &index, WarpMatrix &matrix,
                           mlir::Value value) const;
  /// Returns the value that the lanes of the step's column have for the row
  /// whose index equals that of this thread's column `own`.
  mlir::Value fromColumnTransposed(WarpMatrix &matrix,
                                   llvm::ArrayRef<mlir::Value> ofRows,
                                   int64_t own) const;
};

/// Returns the steps for the columns from zero on. Each element of the result
/// is one step, or all steps of a loop, whose columns belong to one value of
/// each lane. Loops are for matrices of many rows: unrolled code would not fit
/// the instruction cache and would take long to compile.
llvm::SmallVector<MatrixStep> groupSteps(const MatrixSide &columns,
                                         int64_t numColumns, int64_t numRows);

/// Emits a loop whose iterations change the values in `state`. `body` gets the
/// index of the iteration, an i32.
void emitLoop(IndexBuilder &index, int64_t trips,
              llvm::ArrayRef<mlir::Value *> state,
              llvm::function_ref<void(mlir::Value trip)> body);

/// Emits `body` for each step, in order or in reverse. `getState` lists the
/// values that the steps of one element of `groups` change.
void emitSteps(
    IndexBuilder &index, llvm::ArrayRef<MatrixStep> groups, bool isReversed,
    llvm::function_ref<llvm::SmallVector<mlir::Value *>(MatrixStep)> getState,
    llvm::function_ref<void(MatrixStep)> body);

/// Emits `body` for the steps from `order` - 1 to zero. The steps of a loop
/// differ in the lane that holds their columns; an iteration has the adjacent
/// columns of one lane. `body` changes the values in `state`.
void emitStepsOfLanes(IndexBuilder &index, WarpMatrix &matrix, int64_t order,
                      llvm::ArrayRef<mlir::Value *> state,
                      llvm::function_ref<void(MatrixStep)> body);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSTEPS_H
