// EliminationLayout.h - lanes that hold a matrix that is eliminated by rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_ELIMINATIONLAYOUT_H
#define TILE_LIB_ALGORITHMS_ELIMINATIONLAYOUT_H

#include "tile/IR/Tile.h"

namespace tile {

/// Distribution of a batch of matrices, and of right-hand sides that are
/// eliminated along with them, over the threads of a block: consecutive lanes,
/// or the threads of several warps, hold a matrix, each of them whole rows.
class Elimination {
public:
  /// Distributes the matrices of an operation over lanes, with the right-hand
  /// sides of a tile.solve.
  explicit Elimination(LuOp op);
  explicit Elimination(SolveOp op);
  explicit Elimination(InverseOp op);

  /// Returns the number of lanes that together hold a matrix: as few as have
  /// the registers for it, but enough for the tile's matrices to fill a warp. A
  /// single lane holds whole matrices, for which there is other code
  /// (LaneElimination.h). More than 32 lanes are those of consecutive warps.
  int64_t getLanes() const { return lanes; }
  /// Returns the number of lanes that hold a matrix in a block of `numWarps`
  /// warps, which may have fewer lanes than getLanes().
  int64_t getLanes(int64_t numWarps) const;
  /// Whether each of `lanes` lanes has the registers for its rows.
  bool fits(int64_t lanes) const;

  /// Returns the layout of a tile of the matrices, or of their right-hand
  /// sides.
  RegisterLayout getLayout(TileType type, int64_t numWarps) const;
  /// Returns the type of the buffer for the matrices that the block's warps
  /// hold at a time, (matrix, row, column), with one more row for each matrix;
  /// null if a lane holds whole matrices.
  mlir::MemRefType getScratchType(int64_t numWarps) const;

private:
  Elimination(TileType matrix, int64_t sides, int64_t gap, bool mayBeWhole);

  int64_t getOrder() const { return matrix.getShape().back(); }
  int64_t getRegisters(int64_t lanes) const;
  int64_t chooseLanes(bool mayBeWhole) const;

  TileType matrix;
  int64_t columns; ///< number of columns, including right-hand sides
  int64_t gap;     ///< unused elements after a row in the buffer
  int64_t lanes;
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_ELIMINATIONLAYOUT_H
