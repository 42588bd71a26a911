// EliminationLayout.h - lanes that hold a matrix that is eliminated by rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_ELIMINATIONLAYOUT_H
#define TILE_LIB_ALGORITHMS_ELIMINATIONLAYOUT_H

#include "tile/IR/Tile.h"

namespace tile {

/// How a batch of matrices, and right-hand sides that are eliminated along with
/// them, are spread over the threads of a block: consecutive lanes have a
/// matrix, each of them whole rows, or the threads of several warps.
class Elimination {
public:
  /// Factors, without right-hand sides, whose rows stay in their lanes.
  explicit Elimination(LuOp op);
  explicit Elimination(SolveOp op);
  explicit Elimination(InverseOp op);

  /// Lanes that have a matrix together: as few as have registers for it, and as
  /// there are matrices for. A single lane has whole matrices, for which there
  /// is other code (LaneElimination.h). More lanes than a warp has are of
  /// consecutive warps.
  int64_t getLanes() const { return lanes; }
  /// The number of these lanes that a block of `numWarps` warps has.
  int64_t getLanes(int64_t numWarps) const;
  /// Whether each of so many lanes has registers for its rows.
  bool fits(int64_t lanes) const;

  /// The layout of a tile of the matrices, or of their right-hand sides.
  RegisterLayout getLayout(TileType type, int64_t numWarps) const;
  /// Type of a buffer for the matrices that the block's warps have at a time,
  /// (matrix, row, column), with one more row for each; null if a lane has
  /// whole matrices.
  mlir::MemRefType getScratchType(int64_t numWarps) const;

private:
  Elimination(TileType matrix, int64_t sides, int64_t gap, bool mayBeWhole);

  int64_t getOrder() const { return matrix.getShape().back(); }
  int64_t getRegisters(int64_t lanes) const;
  int64_t chooseLanes(bool mayBeWhole) const;

  TileType matrix;
  int64_t columns; ///< with those of right-hand sides
  int64_t gap;     ///< unused elements after a row in the buffer
  int64_t lanes;
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_ELIMINATIONLAYOUT_H
