// CopyNest.h - iterations of two nested loops, over which copies run ahead
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The copies of a pipelined loop inside another loop, such as a loop over K
// inside a loop over tiles of the result, run ahead over the iterations of
// both: while the last steps of one tile are multiplied, the first steps of the
// next one are copied. An iteration of the copies consists of the indices of
// both loops, and of the values that the outer loop's body computes for the
// offsets of copies; these are computed again only where the outer index
// changes:
//
//   %t, %m, %k                          an iteration
//   copy A[%m, %k] if %t < %tiles
//   %k' = %k + 64                       the next one
//   if %k' >= %K: %k' = 0, %t' = %t + 1, %m' = f(%t')

#ifndef TILE_TRANSFORMS_COPYNEST_H
#define TILE_TRANSFORMS_COPYNEST_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"

namespace tile {

/// Returns the loop directly around a pipelined loop, if it contains no other
/// loop; null otherwise.
mlir::scf::ForOp getOuterLoop(mlir::scf::ForOp loop);

/// Returns the reason why copies of `loads` cannot run ahead over the
/// iterations of both `loop` and the loop around it; empty if they can. The
/// bounds of `loop` must be the same in all iterations of the outer loop, which
/// writes none of the arrays and computes the offsets from its index.
/// @pre getOuterLoop(loop), and the loads may run ahead in `loop`
/// (StageMarks.h).
llvm::StringRef whyNotAcross(mlir::scf::ForOp loop,
                             llvm::ArrayRef<CopyableOpInterface> loads);

/// Clones, at the insertion point, the operations of the loop's body that
/// compute a value, with the operands that `mapping` has.
mlir::Value cloneSlice(mlir::OpBuilder &builder, mlir::Value value,
                       mlir::scf::ForOp loop, mlir::IRMapping &mapping);

/// Creates the arithmetic of the iterations. An iteration is a range of values;
/// the first two are the indices of the inner and of the outer loop.
class CopyNest {
public:
  /// @pre whyNotAcross(inner, loads) is empty.
  CopyNest(mlir::scf::ForOp inner, llvm::ArrayRef<CopyableOpInterface> loads);

  mlir::scf::ForOp getOuter() const { return outer; }
  /// Sets the loops, if they are replaced.
  void setLoops(mlir::scf::ForOp newInner, mlir::scf::ForOp newOuter) {
    inner = newInner;
    outer = newOuter;
  }

  /// Returns the first iteration. @pre the outer loop has an iteration.
  llvm::SmallVector<mlir::Value> getFirst(mlir::OpBuilder &builder);
  /// Returns the iteration after `at`.
  llvm::SmallVector<mlir::Value> getNext(mlir::OpBuilder &builder,
                                         mlir::ValueRange at);
  /// Returns whether the loops have the iteration.
  mlir::Value exists(mlir::OpBuilder &builder, mlir::ValueRange at);
  /// Maps the indices and values of the loops' bodies to those of an iteration.
  /// Values that are known not to be negative stay so.
  void map(mlir::OpBuilder &builder, mlir::ValueRange at,
           mlir::IRMapping &mapping);

private:
  llvm::SmallVector<mlir::Value> compute(mlir::OpBuilder &builder,
                                         mlir::Value outerIndex);

  mlir::scf::ForOp inner, outer;
  /// The values of the outer loop's body from which offsets are computed.
  llvm::SmallVector<mlir::Value> values;
};

} // namespace tile

#endif // TILE_TRANSFORMS_COPYNEST_H
