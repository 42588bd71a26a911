// Fragments.cpp - how the lanes of a warp share a sub-tile of a matmul
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Fragments.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

using Modes = RegisterLayout::Modes;

using Instruction = MatrixInstructionAttrInterface;

/// Return the distance along M or N of two rows: of rows whose g differs by
/// one, and of rows whose r differs by one (Fragments.h).
static int64_t getLaneStep(Instruction instruction) {
  return instruction.hasAdjacentRows() ? 2 : 1;
}
static int64_t getRowStep(Instruction instruction) {
  return instruction.hasAdjacentRows() ? 1 : 8;
}

void tile::addAccumulatorModes(Instruction instruction, Modes &lane,
                               Modes &value) {
  if (!instruction.hasAdjacentRows()) {
    lane = {{4, 1, 2}, {8, 0, 1}};
    value = {{2, 1, 1}, {2, 0, 8}};
    return;
  }
  lane = {{4, 1, 4}, {8, 0, 2}};
  value = {{4, 1, 1}, {2, 0, 1}};
}

int64_t tile::getAccumulatorValue(Instruction instruction, int64_t alongN,
                                  int64_t row, int64_t column) {
  if (!instruction.hasAdjacentRows())
    return column + 2 * row;
  return alongN + 2 * column + 4 * row;
}

namespace {
/// Builds the access plan of operand 0 or 1 of a matmul by matrix instructions.
struct PlanBuilder {
  const Tiling &tiling;
  int operand;
  ArrayRef<int64_t> box;
  int64_t contiguous; ///< contiguous dimension, of the last two
  int64_t elementBytes, numWarps;

  int64_t outer() const { return operand == 0 ? 0 : 1; } ///< for M or N
  int64_t inner() const { return 1 - outer(); }          ///< for K
  bool isAlongK() const { return contiguous == inner(); }
  int64_t warpExtent() const {
    return tiling.sub[operand] * tiling.subExtent(operand);
  }

  /// Whether a fragment of rhs has one row instead of two: a warp has an odd
  /// number of sub-tiles of 8 columns.
  bool isSingle() const { return warpExtent() % 16 != 0; }

  RegisterLayout getLayout() const;

  AccessPlan getMatrices() const;
  AccessPlan getBytes() const;
  AccessPlan getLoads() const;

  AccessPlan finish(const Modes &lane, const Modes &value, int64_t rows,
                    AccessKind accessKind, int64_t vector,
                    int64_t matrices) const {
    return {spread(lane, value, rows), accessKind, vector,
            static_cast<int64_t>(box.size()) - 2 + contiguous, matrices};
  }

  /// Repeats a layout of `rows` rows and one step along K, with the modes
  /// `lane` and `value`, over the whole operand.
  RegisterLayout spread(const Modes &lane, Modes value, int64_t rows) const {
    int64_t subK = tiling.instruction.getSubTile().k;
    // The warps of a group have neighbouring rows of lhs.
    int64_t group = operand == 0 ? tiling.instruction.getNumWarps() : 1;
    value.push_back({warpExtent() / rows, outer(), group * rows});
    value.push_back({box.take_back(2)[inner()] / subK, inner(), subK});
    Modes warp = {{group, outer(), rows}};
    for (int axis : {0, 1})
      if (axis == operand)
        warp.push_back(
            {tiling.warps[axis] / group, outer(), group * warpExtent()});
      else
        warp.push_back({tiling.warps[axis], -1, 0});
    return spreadOverBatch(tiling, lane, warp, value, box, numWarps);
  }
};
} // namespace

/// Returns the plan for rows along K by ldmatrix, or for 16-bit elements with
/// rows along M or N by ldmatrix.trans. A lane gives the address of a row of a
/// matrix. The lane index is the row within the matrix, then the matrix. The
/// matrices are in the order r + 2 q for lhs and q + 2 r for rhs, so that the
/// registers of one instruction are adjacent.
AccessPlan PlanBuilder::getMatrices() const {
  Modes lane;
  lane.push_back(isAlongK() ? RegisterMode{kMatrixRows, outer(),
                                           getLaneStep(tiling.instruction)}
                            : RegisterMode{kMatrixRows, inner(), 1});
  int64_t unit = kMaxAccessBytes / elementBytes;
  RegisterMode group = {kFragmentGroups, inner(), isAlongK() ? unit : 8};
  RegisterMode rows = isSingle() ? RegisterMode{kFragmentRows, -1, 0}
                                 : RegisterMode{kFragmentRows, outer(),
                                                getRowStep(tiling.instruction)};
  if (operand == 0) {
    lane.push_back(rows);
    lane.push_back(group);
  } else {
    lane.push_back(group);
    lane.push_back(rows);
  }
  return finish(lane, {{unit, contiguous, 1}}, isSingle() ? 8 : 16,
                isAlongK() ? AccessKind::kLdmatrix
                           : AccessKind::kLdmatrixTransposed,
                unit, isSingle() ? 2 : 4);
}

/// Returns the plan for 8-bit elements with rows along M or N, by
/// ldmatrix.trans of pairs of bytes. A lane gets, of its pair g, the rows 2 t
/// and 2 t + 1 of a matrix. The rows of the matrix are values of k, chosen so
/// that the lane gets two of 4 t + 0 .. 3; the next matrix has the other two.
AccessPlan PlanBuilder::getBytes() const {
  Modes lane = {{2, inner(), 1},
                {4, inner(), 4},
                {2, inner(), 2},
                {kFragmentGroups, inner(), 16}};
  return finish(lane, {{16, contiguous, 1}}, 16,
                AccessKind::kLdmatrixTransposed, 16, 4);
}

/// Returns the plan of one load for each element, or for each pair of elements
/// that are adjacent along M or N.
AccessPlan PlanBuilder::getLoads() const {
  Modes lane = {{4, inner(), 1}, {8, outer(), getLaneStep(tiling.instruction)}};
  RegisterMode rows = {isSingle() ? 1 : kFragmentRows, outer(),
                       getRowStep(tiling.instruction)};
  RegisterMode group = {kFragmentGroups, inner(), 4};
  Modes value = isAlongK() ? Modes{group, rows} : Modes{rows, group};
  return finish(lane, value, isSingle() ? 8 : 16, AccessKind::kLoad,
                tiling.instruction.hasAdjacentRows() ? 2 : 1, 0);
}

/// Returns the number of elements in a register, which are neighbours along K.
/// Four lanes hold one group of a row.
static int64_t getRegisterElements(Instruction instruction) {
  return instruction.getSubTile().k / (4 * kFragmentGroups);
}

/// Whether the registers of the groups of a row are adjacent, as an instruction
/// requires for rhs. For tf32, rows come first, since rows are adjacent in
/// memory, and conversions reorder the registers before the instruction.
static bool hasGroupsFirst(Instruction instruction, int operand) {
  return operand == 1 && !isa<FloatTF32Type>(instruction.getOperandType());
}

int64_t tile::getFragmentRegister(Instruction instruction, int operand,
                                  int64_t rows, int64_t row, int64_t group) {
  return hasGroupsFirst(instruction, operand) ? group + kFragmentGroups * row
                                              : row + rows * group;
}

RegisterLayout PlanBuilder::getLayout() const {
  int64_t run = getRegisterElements(tiling.instruction);
  Modes lane = {{4, inner(), run},
                {8, outer(), getLaneStep(tiling.instruction)}};
  RegisterMode row = {isSingle() ? 1 : kFragmentRows, outer(),
                      getRowStep(tiling.instruction)};
  RegisterMode group = {kFragmentGroups, inner(), 4 * run};
  Modes value = {{run, inner(), 1}, row, group};
  if (hasGroupsFirst(tiling.instruction, operand))
    value = {{run, inner(), 1}, group, row};
  return spread(lane, value, isSingle() ? 8 : 16);
}

RegisterLayout tile::getFragmentLayout(const Tiling &tiling, int operand,
                                       int64_t k, int64_t numWarps) {
  SmallVector<int64_t> box = getOperandBox(tiling, operand, k);
  return PlanBuilder{
      tiling, operand, box, /*contiguous=*/0, /*elementBytes=*/0, numWarps}
      .getLayout();
}

AccessPlan tile::getFragmentPlan(const Tiling &tiling, int operand,
                                 ArrayRef<int64_t> box, int64_t contiguous,
                                 int64_t elementBytes, int64_t numWarps) {
  int64_t batch = box.size() - 2;
  PlanBuilder plan{tiling,       operand, box, contiguous - batch,
                   elementBytes, numWarps};
  // ldmatrix transposes elements of 16 bits only.
  Type type = tiling.instruction.getOperandType();
  if (type.isF64())
    return plan.getLoads();
  if (plan.isAlongK() || !tiling.instruction.hasAdjacentRows())
    return plan.getMatrices();
  return isa<FloatTF32Type>(type) ? plan.getLoads() : plan.getBytes();
}
