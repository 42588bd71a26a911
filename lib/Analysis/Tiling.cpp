// Tiling.cpp - a complete warp tiling and the layouts that follow from it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Tiling.h"

#include "tile/Analysis/Fragments.h"

using namespace mlir;
using namespace tile;

int64_t tile::getAxisNumber(DenseI64ArrayAttr values, int axis) {
  if (axis == kBatchAxis)
    return values.size() == 3 ? values[0] : 1;
  return values[values.size() - 2 + axis];
}

bool tile::hasCompleteTiling(MatmulOpInterface op) {
  TilingAttr tiling = op.getTilingAttr();
  if (!tiling || !tiling.getWarps() || !tiling.getSub())
    return false;
  MatrixInstructionAttrInterface instruction = getInstruction(op);
  return instruction && (instruction.hasFragments() || tiling.getThread());
}

void tile::setLanes(Tiling &tiling, const std::array<int64_t, 3> &extents) {
  int64_t left = kWarpSize;
  for (int axis : {1, kBatchAxis}) {
    int64_t perLane = tiling.warps[axis] * tiling.sub[axis] *
                      (axis == kBatchAxis ? 1 : tiling.thread[axis]);
    tiling.lanes[axis] = std::min<int64_t>(
        llvm::PowerOf2Ceil(llvm::divideCeil(extents[axis], perLane)), left);
    left /= tiling.lanes[axis];
  }
  tiling.lanes[0] = left;
}

std::array<int64_t, 3> tile::getExtents(MatmulOpInterface op) {
  ArrayRef<int64_t> shape = op.getSumType().getShape();
  ArrayRef<int64_t> matmul = shape.take_back(2);
  return {matmul[0], matmul[1], shape.size() == 3 ? shape[0] : 1};
}

Tiling tile::getTiling(MatmulOpInterface op) {
  TilingAttr attr = op.getTilingAttr();
  Tiling tiling;
  tiling.instruction = getInstruction(op);
  tiling.operands = attr.getOperands();
  tiling.vector = attr.getVector();
  for (int axis : {0, 1, kBatchAxis}) {
    tiling.warps[axis] = getAxisNumber(attr.getWarps(), axis);
    tiling.sub[axis] = getAxisNumber(attr.getSub(), axis);
    tiling.hasBatch[axis] =
        getTileShape(op->getOperand(axis).getType()).size() == 3;
  }
  if (!tiling.instruction.hasFragments()) {
    for (int axis : {0, 1})
      tiling.thread[axis] = attr.getThread()[axis];
    setLanes(tiling, getExtents(op));
  }
  return tiling;
}

int64_t tile::estimateRegisters(const Tiling &tiling, MatmulOpInterface op,
                                const Architecture &architecture) {
  constexpr int64_t kRegisterBytes = 4;
  auto lhs = cast<ShapedType>(op.getLhs().getType());
  int64_t part[2];
  for (int axis : {0, 1})
    part[axis] = tiling.sub[axis] * tiling.subExtent(axis);
  int64_t accumulators = part[0] * part[1] / kWarpSize;
  int64_t operands =
      (part[0] + part[1]) * tiling.instruction.getSubTile().k / kWarpSize;
  if (!tiling.instruction.hasFragments()) {
    for (int axis : {0, 1})
      part[axis] = tiling.sub[axis] * tiling.thread[axis];
    accumulators = part[0] * part[1];
    operands = part[0] + part[1];
    if (tiling.operands == OperandSource::global)
      operands *= op.getK() * tiling.sub[kBatchAxis];
  }
  accumulators *= tiling.sub[kBatchAxis];
  auto registers = [](int64_t count, Type element) {
    return llvm::divideCeil(count * getElementBytes(element), kRegisterBytes);
  };
  return registers(accumulators, op.getSumType().getElementType()) +
         (tiling.instruction.readsDescriptors()
              ? architecture.costs.descriptorRegisters
              : registers(operands, lhs.getElementType()));
}

/// Adds the modes of an FMA sub-tile. Adjacent lanes are adjacent along N, and
/// each lane has TN adjacent columns, so that it can access vectors.
static void addFmaModes(const Tiling &tiling, RegisterLayout::Modes &lane,
                        RegisterLayout::Modes &value) {
  lane = {{tiling.lanes[1], 1, tiling.thread[1]},
          {tiling.lanes[0], 0, tiling.thread[0]}};
  value = {{tiling.thread[1], 1, 1}, {tiling.thread[0], 0, 1}};
}

RegisterLayout tile::spreadOverBatch(const Tiling &tiling,
                                     RegisterLayout::Modes lane,
                                     RegisterLayout::Modes warp,
                                     RegisterLayout::Modes value,
                                     ArrayRef<int64_t> box, int64_t numWarps) {
  bool hasBatch = box.size() == 3;
  if (hasBatch)
    for (RegisterLayout::Modes *modes : {&lane, &warp, &value})
      for (RegisterMode &mode : *modes)
        mode.dim += mode.dim < 0 ? 0 : 1;
  int64_t sub = tiling.sub[kBatchAxis], lanes = tiling.lanes[kBatchAxis];
  if (lanes > 1)
    lane.push_back({lanes, hasBatch ? 0 : -1, hasBatch});
  if (hasBatch)
    value.push_back({sub, 0, lanes});
  warp.push_back(hasBatch
                     ? RegisterMode{tiling.warps[kBatchAxis], 0, sub * lanes}
                     : RegisterMode{tiling.warps[kBatchAxis], -1, 0});
  warp.push_back({numWarps / tiling.getNumWarps(), -1, 0});
  return RegisterLayout::fromModes(lane, warp, value, {box.begin(), box.end()});
}

RegisterLayout tile::getAccumulatorLayout(const Tiling &tiling,
                                          int64_t numWarps) {
  RegisterLayout::Modes lane, warp, value;
  if (!tiling.instruction.hasFragments())
    addFmaModes(tiling, lane, value);
  else
    addAccumulatorModes(tiling.instruction, lane, value);
  // The warps of a group have neighbouring sub-tiles along M.
  int64_t group = tiling.instruction.getNumWarps();
  for (int axis : {1, 0}) {
    int64_t side = axis == 0 ? group : 1;
    value.push_back({tiling.sub[axis], axis, side * tiling.subExtent(axis)});
  }
  for (int axis : {0, 1}) {
    int64_t side = axis == 0 ? group : 1;
    warp.push_back({side, axis, tiling.subExtent(axis)});
    warp.push_back({tiling.warps[axis] / side, axis,
                    side * tiling.sub[axis] * tiling.subExtent(axis)});
  }
  SmallVector<int64_t> box = {tiling.extent(0), tiling.extent(1)};
  if (tiling.hasBatch[2])
    box.insert(box.begin(), tiling.extent(kBatchAxis));
  return spreadOverBatch(tiling, lane, warp, value, box, numWarps);
}
