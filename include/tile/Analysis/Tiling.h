// Tiling.h - a complete warp tiling and the layouts that follow from it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matmul of BM x BN is divided, from the outside in, into
//
//   warpsM x warpsN   warp tiles of WM x WN, one a warp,
//   subM x subN       sub-tiles of a warp tile (WMITER, WNITER), in turn,
//   lanes             of a sub-tile, TM x TN each (fma), or one mma's fragment.
//
// Before that, the matmuls of a batch are distributed over the warps: each
// group of warpsM x warpsN warps gets some of them and computes them in turn.
// In layouts, the batch is the slowest part of the warp index and of the value
// index.
//
// Extents that are not divisible are padded: padding is computed but never
// stored.

#ifndef TILE_ANALYSIS_TILING_H
#define TILE_ANALYSIS_TILING_H

#include "tile/Analysis/InstructionTable.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Index of the batch among the axes of a tiling; M is 0 and N is 1.
constexpr int kBatchAxis = 2;

/// Returns the entry of `warps` or `sub` of a tiling for an axis. In the
/// attribute the batch comes first; it is 1 if the attribute has none.
int64_t getAxisNumber(mlir::DenseI64ArrayAttr values, int axis);

/// A complete `#tile.tiling` as integers.
struct Tiling {
  MatrixInstructionAttrInterface instruction;
  /// Number of warps, and of sub-tiles of a warp, along M, N and the batch.
  int64_t warps[3] = {1, 1, 1};
  int64_t sub[3] = {1, 1, 1};
  /// Whether lhs, rhs and the accumulator have a batch.
  bool hasBatch[3] = {false, false, false};
  /// TM and TN, the elements of a thread in a sub-tile, for FMA; one each
  /// otherwise.
  int64_t thread[2] = {1, 1};
  /// Number of lanes along M, N and the batch of a sub-tile, for FMA.
  int64_t lanes[3] = {1, 1, 1};
  /// Location from which each step reads the operands.
  OperandSource operands = OperandSource::shared;
  /// Maximum number of operand elements in one access; 0 for as many as
  /// possible.
  int64_t vector = 0;

  /// Returns the extent of a sub-tile along an axis.
  int64_t subExtent(int axis) const {
    return axis == kBatchAxis            ? lanes[axis]
           : !instruction.hasFragments() ? lanes[axis] * thread[axis]
           : axis == 0                   ? instruction.getSubTile().m
                                         : instruction.getSubTile().n;
  }
  /// Returns the extent of the matmul along an axis, with padding.
  int64_t extent(int axis) const {
    return warps[axis] * sub[axis] * subExtent(axis);
  }
  /// Returns the number of warps that compute different parts of the result.
  int64_t getNumWarps() const {
    return warps[0] * warps[1] * warps[kBatchAxis];
  }
};

/// Sets the lanes of an FMA matmul of the given extents along M, N and the
/// batch. Along N there are as many as N requires, a power of two; these are
/// adjacent. As many of the others as the batch requires are along the batch,
/// and the rest along M.
/// @pre the tiling's warps, sub-tiles and threads are known.
void setLanes(Tiling &tiling, const std::array<int64_t, 3> &extents);

/// Whether a matmul's attribute specifies everything that getTiling reads.
bool hasCompleteTiling(MatmulOpInterface op);

/// Returns the extents of a matmul's result along M, N and the batch.
std::array<int64_t, 3> getExtents(MatmulOpInterface op);

/// Returns the tiling of a matmul whose attribute is complete (after
/// -tile-warp-tiling).
Tiling getTiling(MatmulOpInterface op);

/// Returns the minimum number of 32-bit registers of a thread: for its part of
/// the accumulator, and for the operand elements that it holds, which are those
/// of one step along K, or of all of K if the thread loads operands from global
/// memory.
int64_t estimateRegisters(const Tiling &tiling, MatmulOpInterface op,
                          const Architecture &architecture);

/// Returns the layout of a matmul's operand or accumulator over the block's
/// warps, given its modes for lanes, for warps along M and N, and for values.
/// If `box` has rank 3, the modes of the batch are added; otherwise all matmuls
/// of the batch share the tile.
RegisterLayout spreadOverBatch(const Tiling &tiling, RegisterLayout::Modes lane,
                               RegisterLayout::Modes warp,
                               RegisterLayout::Modes value,
                               llvm::ArrayRef<int64_t> box, int64_t numWarps);

/// Returns the layout of the accumulator. It is padded to the tiling's extents,
/// and warps that the tiling does not use hold copies.
RegisterLayout getAccumulatorLayout(const Tiling &tiling, int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_TILING_H
