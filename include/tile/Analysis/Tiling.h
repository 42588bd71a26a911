// Tiling.h - a complete warp tiling and the layouts that follow from it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of BM x BN is cut, from the outside in, into
//
//   warpsM x warpsN   warp tiles of WM x WN, one a warp,
//   subM x subN       sub-tiles of a warp tile (WMITER, WNITER), in turn,
//   lanes             of a sub-tile, TM x TN each (fma), or one mma's fragment.
//
// The products of a batch are dealt out to warps before that: a group of
// warpsM x warpsN for some of them, which it computes in turn. In layouts, the
// batch is the slowest of a warp's and of a thread's numbers.
//
// Extents that the cut does not divide are padded: the padding is computed and
// never stored.

#ifndef TILE_ANALYSIS_TILING_H
#define TILE_ANALYSIS_TILING_H

#include "tile/Analysis/InstructionTable.h"
#include "tile/IR/Tile.h"

namespace tile {

/// The axis of a tiling behind M (0) and N (1).
constexpr int kBatchAxis = 2;

/// The number for an axis in `warps` or `sub` of a tiling, where a batch is the
/// first; 1 for the batch of a single product.
int64_t getAxisNumber(mlir::DenseI64ArrayAttr numbers, int axis);

/// A complete `#tile.tiling`, as numbers.
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
  /// Where each step reads the operands.
  OperandSource operands = OperandSource::shared;
  /// The most elements of an operand in one access; 0 is as many as there are.
  int64_t vector = 0;

  /// Extent of a sub-tile along an axis.
  int64_t subExtent(int axis) const {
    return axis == kBatchAxis     ? 1
           : instruction->isFma() ? lanes[axis] * thread[axis]
           : axis == 0            ? instruction->subM
                                  : instruction->subN;
  }
  /// Extent of the product with padding.
  int64_t extent(int axis) const {
    return warps[axis] * sub[axis] * subExtent(axis);
  }
  /// Warps with a part of their own.
  int64_t getNumWarps() const {
    return warps[0] * warps[1] * warps[kBatchAxis];
  }
};

/// Lanes along N, which are neighbours, of an FMA product of so many columns:
/// as many as N needs, the others are along M.
/// @pre the tiling's warps, sub-tiles and threads are known.
int64_t getLanesAlongN(const Tiling &tiling, int64_t extent);

/// Whether a product's attribute says all that getTiling reads.
bool hasCompleteTiling(ProductOpInterface op);

/// The tiling of a product whose attribute is complete (after
/// -tile-warp-tiling).
Tiling getTiling(ProductOpInterface op, const Architecture &architecture);

/// The registers of 32 bits that a thread needs at least: for its part of the
/// accumulator, and for what it holds of the operands, which is one step along
/// K, or all of `k` where it loads them itself.
int64_t estimateRegisters(const Tiling &tiling, ProductOpInterface op,
                          const Architecture &architecture);

/// A layout over the block's warps of what lanes, warps along M and N, and
/// values have of one product's operand or accumulator: that of the batch if
/// `box` has rank 3, else of all of the batch.
RegisterLayout spreadOverBatch(const Tiling &tiling, RegisterLayout::Modes lane,
                               RegisterLayout::Modes warp,
                               RegisterLayout::Modes value,
                               llvm::ArrayRef<int64_t> box, int64_t numWarps);

/// Where the accumulator lives: padded to the tiling's extents, replicated over
/// the warps that the tiling leaves out.
RegisterLayout getAccumulatorLayout(const Tiling &tiling, int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_TILING_H
