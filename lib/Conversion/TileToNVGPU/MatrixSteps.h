// MatrixSteps.h - a factorisation's steps, some of them in loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_MATRIXSTEPS_H
#define TILE_CONVERSION_TILETONVGPU_MATRIXSTEPS_H

#include "WarpMatrix.h"

namespace tile {

/// One of the steps from `first` to `last`: of several, that of `number`, an
/// i32, which a loop counts.
struct MatrixStep {
  int64_t first, last;
  mlir::Value number; ///< null for `first`

  /// Whether a place of a value, or of some lane's of it, is that of the step,
  /// or behind it.
  bool reaches(const MatrixSide &side, int64_t value) const {
    return side.getFirst(value) <= last && side.getLast(value) >= first;
  }
  bool isBefore(const MatrixSide &side, int64_t value) const {
    return side.getLast(value) > first;
  }
  /// Whether this thread's place of a value is that of the step; null for
  /// always. @pre reaches
  mlir::Value isAt(IndexBuilder &index, MatrixSide &side, int64_t value) const;
  /// Whether it is behind the step's; null for always. @pre isBefore
  mlir::Value isBehind(IndexBuilder &index, MatrixSide &side,
                       int64_t value) const;
  /// Of a value that the lanes of the step's column have, that of this thread's
  /// row; of one that the lanes of its row have, that of this thread's column.
  mlir::Value fromColumn(IndexBuilder &index, WarpMatrix &matrix,
                         mlir::Value value) const;
  mlir::Value fromRow(IndexBuilder &index, WarpMatrix &matrix,
                      mlir::Value value) const;
};

/// The steps of the columns from zero on, those of one loop together: the code
/// of matrices of many rows would not fit the instruction cache, and compile
/// for long. Columns of one loop are of one value of each lane.
llvm::SmallVector<MatrixStep> groupSteps(const MatrixSide &columns,
                                         int64_t numColumns, int64_t numRows);

/// Emits a loop of which each trip, whose number is an i32, changes values.
void emitLoop(IndexBuilder &index, int64_t trips,
              llvm::ArrayRef<mlir::Value *> state,
              llvm::function_ref<void(mlir::Value trip)> body);

/// Emits what `body` does in each step, in order or in reverse. It changes
/// values that `getState` lists for a group of them.
void emitSteps(
    IndexBuilder &index, llvm::ArrayRef<MatrixStep> groups, bool isReversed,
    llvm::function_ref<llvm::SmallVector<mlir::Value *>(MatrixStep)> getState,
    llvm::function_ref<void(MatrixStep)> body);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MATRIXSTEPS_H
