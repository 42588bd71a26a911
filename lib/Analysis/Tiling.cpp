// Tiling.cpp - a complete warp tiling and the layouts that follow from it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Tiling.h"

#include "tile/Analysis/Fragments.h"

using namespace mlir;
using namespace tile;

Tiling tile::getTiling(MatmulOp op, const Architecture &architecture) {
  TilingAttr attr = *op.getTiling();
  Tiling tiling;
  tiling.instruction =
      findInstruction(attr.getAtom().getValue(), op, architecture);
  tiling.operands = attr.getOperands();
  tiling.vector = attr.getVector();
  for (int axis : {0, 1}) {
    tiling.warps[axis] = attr.getWarps()[axis];
    tiling.sub[axis] = attr.getSub()[axis];
    if (!tiling.instruction->isFma())
      continue;
    tiling.thread[axis] = attr.getThread()[axis];
  }
  if (tiling.instruction->isFma()) {
    // Lanes along N are neighbours: as many as N needs, the rest along M.
    int64_t perLane = tiling.warps[1] * tiling.sub[1] * tiling.thread[1];
    int64_t extent = op.getType().getDimSize(1);
    int64_t lanes = llvm::PowerOf2Ceil(llvm::divideCeil(extent, perLane));
    tiling.lanes[1] = std::min<int64_t>(lanes, kWarpSize);
    tiling.lanes[0] = kWarpSize / tiling.lanes[1];
  }
  return tiling;
}

int64_t tile::estimateRegisters(const Tiling &tiling, MatmulOp op) {
  constexpr int64_t kRegisterBytes = 4;
  auto lhs = cast<ShapedType>(op.getLhs().getType());
  int64_t part[2];
  for (int axis : {0, 1})
    part[axis] = tiling.sub[axis] * tiling.subExtent(axis);
  int64_t sums = part[0] * part[1] / kWarpSize;
  int64_t operands = (part[0] + part[1]) * tiling.instruction->subK / kWarpSize;
  if (tiling.instruction->isFma()) {
    for (int axis : {0, 1})
      part[axis] = tiling.sub[axis] * tiling.thread[axis];
    sums = part[0] * part[1];
    operands = part[0] + part[1];
    if (tiling.operands == OperandSource::global)
      operands *= lhs.getDimSize(1);
  }
  auto registers = [](int64_t count, Type element) {
    return llvm::divideCeil(count * getElementBytes(element), kRegisterBytes);
  };
  return registers(sums, op.getType().getElementType()) +
         registers(operands, lhs.getElementType());
}

/// Lanes along N are neighbours, TN neighbours a lane: vectors of TN.
static void addFmaModes(const Tiling &tiling, RegisterLayout::Modes &lane,
                        RegisterLayout::Modes &value) {
  lane = {{tiling.lanes[1], 1, tiling.thread[1]},
          {tiling.lanes[0], 0, tiling.thread[0]}};
  value = {{tiling.thread[1], 1, 1}, {tiling.thread[0], 0, 1}};
}

RegisterLayout tile::getAccumulatorLayout(const Tiling &tiling,
                                          int64_t numWarps) {
  RegisterLayout::Modes lane, warp, value;
  if (tiling.instruction->isFma())
    addFmaModes(tiling, lane, value);
  else
    addAccumulatorModes(tiling.instruction->fragment, lane, value);
  for (int axis : {1, 0}) {
    value.push_back({tiling.sub[axis], axis, tiling.subExtent(axis)});
  }
  for (int axis : {0, 1})
    warp.push_back(
        {tiling.warps[axis], axis, tiling.sub[axis] * tiling.subExtent(axis)});
  warp.push_back({numWarps / (tiling.warps[0] * tiling.warps[1]), -1, 0});
  return RegisterLayout::fromModes(lane, warp, value,
                                   {tiling.extent(0), tiling.extent(1)});
}
