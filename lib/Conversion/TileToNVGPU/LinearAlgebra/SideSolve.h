// SideSolve.h - T X = B, where each lane holds whole right-hand sides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_SIDESOLVE_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_SIDESOLVE_H

#include "tile/IR/Tile.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// Solves a `tile.triangular_solve` that has a buffer. The lanes of a warp
/// write its triangle to the buffer, and the reciprocals of the diagonal. Then
/// each lane solves its own right-hand sides: for each block of consecutive
/// rows it computes the elements of X, and subtracts their multiples from the
/// rows that are left. All lanes read the same elements of T at a time.
///
/// Returns the thread's elements of the solution. `triangle` and `sides` have
/// the thread's elements of the operands.
llvm::SmallVector<mlir::Value>
solveSides(mlir::ConversionPatternRewriter &rewriter, TriangularSolveOp op,
           llvm::ArrayRef<mlir::Value> triangle,
           llvm::ArrayRef<mlir::Value> sides);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_SIDESOLVE_H
