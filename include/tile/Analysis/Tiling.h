// Tiling.h - a complete warp tiling and the layouts that follow from it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of BM x BN is cut, from the outside in, into
//
//   warpsM x warpsN   warp tiles of WM x WN, one a warp,
//   subM x subN       sub-tiles of a warp tile (WMITER, WNITER), in turn,
//   lanes             of a sub-tile, TM x TN each (fma), or one mma's fragment.
//
// Extents that the cut does not divide are padded: the padding is computed and
// never stored.

#ifndef TILE_ANALYSIS_TILING_H
#define TILE_ANALYSIS_TILING_H

#include "tile/Analysis/InstructionTable.h"
#include "tile/IR/Tile.h"

namespace tile {

/// A complete `#tile.tiling`, as numbers.
struct Tiling {
  const MatrixInstruction *instruction = nullptr;
  int64_t warps[2] = {1, 1};
  int64_t sub[2] = {1, 1};
  /// TM and TN; one each for an mma.
  int64_t thread[2] = {1, 1};
  /// Lanes along M and N of a sub-tile, for fma.
  int64_t lanes[2] = {1, 1};
  /// Where each step reads the operands.
  OperandSource operands = OperandSource::shared;
  /// The most elements of an operand in one access; 0 is as many as there are.
  int64_t vector = 0;

  /// Extent of a sub-tile along M (0) or N (1).
  int64_t subExtent(int axis) const {
    return instruction->isFma() ? lanes[axis] * thread[axis]
           : axis == 0          ? instruction->subM
                                : instruction->subN;
  }
  /// Extent of the product with padding.
  int64_t extent(int axis) const {
    return warps[axis] * sub[axis] * subExtent(axis);
  }
};

/// The tiling of a product whose attribute is complete (after
/// -tile-warp-tiling).
Tiling getTiling(MatmulOp op, const Architecture &architecture);

/// The registers of 32 bits that a thread needs at least: for its part of the
/// accumulator, and for what it holds of the operands, which is one step along
/// K, or all of `k` where it loads them itself.
int64_t estimateRegisters(const Tiling &tiling, MatmulOp op);

/// Where the accumulator lives: padded to the tiling's extents, replicated over
/// the warps that the tiling leaves out.
RegisterLayout getAccumulatorLayout(const Tiling &tiling, int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_TILING_H
