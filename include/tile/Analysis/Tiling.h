// Tiling.h - a complete warp tiling and the layouts that follow from it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul of BM x BN is cut, from the outside in, into
//
//   warpsM x warpsN   warp tiles of WM x WN, one a warp,
//   subM x subN       sub-tiles of a warp tile (WMITER, WNITER), in turn,
//   lanes             of a sub-tile, TM x TN each (fma), or one mma's fragment.
//
// The matmuls of a batch are distributed over warps before that: each group of
// warpsM x warpsN gets some of them and computes them in turn. In layouts, the
// batch is the slowest part of a warp's index and of a value's index.
//
// Extents that the cut does not divide are padded: the padding is computed and
// never stored.

#ifndef TILE_ANALYSIS_TILING_H
#define TILE_ANALYSIS_TILING_H

#include "tile/Analysis/InstructionTable.h"
#include "tile/IR/Tile.h"

namespace tile {

/// The axis of a tiling after M (0) and N (1).
constexpr int kBatchAxis = 2;

/// Returns the entry for an axis in `warps` or `sub` of a tiling, where a batch
/// is the first; 1 for the batch of a single matmul.
int64_t getAxisNumber(mlir::DenseI64ArrayAttr numbers, int axis);

/// A complete `#tile.tiling`, in integers.
struct Tiling {
  const MatrixInstruction *instruction = nullptr;
  /// Along M, N and the batch.
  int64_t warps[3] = {1, 1, 1};
  int64_t sub[3] = {1, 1, 1};
  /// Whether lhs, rhs and the accumulator have a batch.
  bool hasBatch[3] = {false, false, false};
  /// TM and TN; one each for an mma.
  int64_t thread[2] = {1, 1};
  /// Lanes along M and N of a sub-tile, for fma.
  int64_t lanes[2] = {1, 1};
  /// Location from which each step reads the operands.
  OperandSource operands = OperandSource::shared;
  /// The most elements of an operand in one access; 0 is as many as there are.
  int64_t vector = 0;

  /// Returns the extent of a sub-tile along an axis.
  int64_t subExtent(int axis) const {
    return axis == kBatchAxis     ? 1
           : instruction->isFma() ? lanes[axis] * thread[axis]
           : axis == 0            ? instruction->subM
                                  : instruction->subN;
  }
  /// Returns the extent of the matmul with padding.
  int64_t extent(int axis) const {
    return warps[axis] * sub[axis] * subExtent(axis);
  }
  /// Returns the number of warps that have a part of their own.
  int64_t getNumWarps() const {
    return warps[0] * warps[1] * warps[kBatchAxis];
  }
};

/// Returns the lanes along N, which are neighbours, of an FMA matmul of
/// `extent` columns: as many as N needs. The other lanes are along M.
/// @pre the tiling's warps, sub-tiles and threads are known.
int64_t getLanesAlongN(const Tiling &tiling, int64_t extent);

/// Whether a matmul's attribute specifies everything that getTiling reads.
bool hasCompleteTiling(MatmulOpInterface op);

/// Returns the tiling of a matmul whose attribute is complete (after
/// -tile-warp-tiling).
Tiling getTiling(MatmulOpInterface op, const Architecture &architecture);

/// Returns the fewest 32-bit registers that a thread needs: for its part of the
/// accumulator, and for the elements of the operands that it holds, which are
/// one step along K, or all of `k` if it loads them itself.
int64_t estimateRegisters(const Tiling &tiling, MatmulOpInterface op,
                          const Architecture &architecture);

/// Returns the layout, over the block's warps, of one matmul's operand or
/// accumulator, given the modes of lanes, warps along M and N, and values. If
/// `box` has rank 3, the layout includes the batch; else the tile is shared by
/// all matmuls of the batch.
RegisterLayout spreadOverBatch(const Tiling &tiling, RegisterLayout::Modes lane,
                               RegisterLayout::Modes warp,
                               RegisterLayout::Modes value,
                               llvm::ArrayRef<int64_t> box, int64_t numWarps);

/// Returns the layout of the accumulator: padded to the tiling's extents,
/// replicated over the warps that the tiling leaves out.
RegisterLayout getAccumulatorLayout(const Tiling &tiling, int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_TILING_H
