// LaneElimination.h - elimination in small matrices, each in one lane
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_LANEELIMINATION_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_LANEELIMINATION_H

#include "../ElementArithmetic.h"
#include "Divisor.h"
#include "WarpMatrix.h"

namespace tile {

/// Elimination in which rows are exchanged by selections, since the index of
/// the pivot's row is known only at run time.
class LaneElimination : protected ElementArithmetic {
public:
  /// @pre in the type's layout each lane holds whole matrices.
  LaneElimination(mlir::OpBuilder &builder, mlir::Location loc, TileType type,
                  mlir::ValueRange source, bool hasStatus);

  /// Returns, for each matrix, the one-based index of the first column whose
  /// pivot is zero; zero for none.
  llvm::ArrayRef<mlir::Value> getStatus() { return statuses; }

protected:
  /// Accessor for the elements of a matrix, or for those that are eliminated
  /// along with it.
  using Element = llvm::function_ref<mlir::Value &(int64_t position)>;

  /// Returns the row index, an i32, of the step's pivot.
  mlir::Value findPivot(int64_t i, int64_t step);
  /// Exchanges the element at index `step` and the one at index `with`, which
  /// is not below `step` and known only at run time.
  void exchange(int64_t step, mlir::Value with, Element element);
  /// Returns the pivot of a step as a divisor, and updates the status.
  /// @pre the pivot's row has been exchanged with the step's row.
  Divisor takePivot(int64_t i, int64_t step);

  int64_t getOrder() { return type.getShape().back(); }
  int64_t getNumMatrices() { return matrix.getNumMatrices(); }

  TileType type;
  ThreadCoordinates thread;
  WarpMatrix matrix;

private:
  bool hasStatus;
  llvm::SmallVector<mlir::Value> statuses;
};

/// Solves A X = B: the right-hand sides are eliminated along with the matrix.
class LaneSolve : public LaneElimination {
public:
  LaneSolve(mlir::OpBuilder &builder, SolveOp op, mlir::ValueRange source,
            mlir::ValueRange rhs);

  llvm::ArrayRef<mlir::Value> solve();

private:
  void solve(int64_t i);

  ThreadCoordinates sidesThread;
  WarpMatrix sides;
  int64_t numSides;
};

/// Computes inverses by Gauss-Jordan elimination in place (Inverse.cpp).
class LaneInverse : public LaneElimination {
public:
  LaneInverse(mlir::OpBuilder &builder, InverseOp op, mlir::ValueRange source);

  llvm::ArrayRef<mlir::Value> invert();

private:
  void invert(int64_t i);
};

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_LANEELIMINATION_H
