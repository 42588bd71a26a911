// Fragments.h - how the lanes of a warp share a sub-tile of a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lane, with g = lane / 4 and t = lane % 4, holds two rows r = 0, 1 of each
// operand (rows of A along M, of B along N). It holds two groups q = 0, 1 of
// elements of each row along K, each group in one register; PTX orders the
// registers of A by r + 2 q. The registers of one row of B are the fragment of
// one instruction. The terms along K may be added in any order, and the rows of
// a tile may be distributed in any order. So each register may hold any row and
// any k, as long as both operands and the accumulator agree:
//
//   operand  row of A   row of B   k                    columns of C
//   16 bits  g + 8 r    g + 8 r    8 q + 2 t + 0, 1     2 t + 0, 1   (+ 8 r)
//   8 bits   2 g + r    2 g + r    16 q + 4 t + 0 .. 3  4 t + 0 .. 3
//   tf32     2 g + r    2 g + r    4 q + t              4 t + 0 .. 3
//   f64      g + 8 r    g + 8 r    4 q + t              2 t + 0, 1   (+ 8 r)
//
// 16 bits and f64 have PTX's own order ("Matrix Fragments for mma.m16n8k16",
// "... m16n8k8"), and so has every operand of wgmma in registers. For 8 bits
// and tf32 the rows of a lane are adjacent (hasAdjacentRows): 8 bits are those
// of two m16n8k32, tf32 of two m16n8k8, columns in pairs. If K is not
// contiguous in memory, two adjacent rows are one access: of ldmatrix.trans,
// whose 16-bit elements are then pairs of bytes, or of ld.shared.v2. Four
// adjacent elements of the result are one store. f64 gains nothing by adjacent
// rows: the instruction requires its registers in an order that a load of a
// pair does not give.

#ifndef TILE_ANALYSIS_FRAGMENTS_H
#define TILE_ANALYSIS_FRAGMENTS_H

#include "tile/Analysis/SharedAccess.h"
#include "tile/Analysis/Tiling.h"

namespace tile {

/// Number of rows of a lane along M or N, and of groups along K.
constexpr int64_t kFragmentRows = 2;
constexpr int64_t kFragmentGroups = 2;

/// Adds the modes of a sub-tile's accumulator (dimension 0 is M, 1 is N).
void addAccumulatorModes(MatrixInstructionAttrInterface instruction,
                         RegisterLayout::Modes &lane,
                         RegisterLayout::Modes &value);

/// Returns the value of a sub-tile's accumulator that is element `column` (0,
/// 1) of row `row` (0, 1) of the lane's part of the instruction with index
/// `alongN` along N.
int64_t getAccumulatorValue(MatrixInstructionAttrInterface instruction,
                            int64_t alongN, int64_t row, int64_t column);

/// Returns how a matmul by matrix instructions reads operand 0 or 1, see
/// getOperandPlan. An access of ldmatrix loads four registers of a fragment, or
/// two if the fragment has a single row: rows come first for lhs, groups for
/// rhs. (8-bit elements along M or N have another order, see
/// PlanBuilder::getBytes.) Without ldmatrix, groups come first if K is
/// contiguous, else rows.
AccessPlan getFragmentPlan(const Tiling &tiling, int operand,
                           llvm::ArrayRef<int64_t> box, int64_t contiguous,
                           int64_t elementBytes, int64_t numWarps);

/// Returns the index of the register that holds group `group` of row `row` in a
/// fragment of operand 0 or 1 with `rows` (1 or 2) rows.
int64_t getFragmentRegister(MatrixInstructionAttrInterface instruction,
                            int operand, int64_t rows, int64_t row,
                            int64_t group);

/// Returns the layout of operand 0 or 1 in the registers of lanes, for K = `k`
/// padded to whole instructions. The values are, from the fastest to the
/// slowest: the elements of a register, adjacent along K; the registers of a
/// fragment (getFragmentRegister); fragments along M or N; steps along K; and
/// matmuls of the batch.
/// @pre the matmul uses matrix instructions.
RegisterLayout getFragmentLayout(const Tiling &tiling, int operand, int64_t k,
                                 int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_FRAGMENTS_H
