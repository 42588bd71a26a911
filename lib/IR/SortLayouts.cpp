// SortLayouts.cpp - layouts in which a sorting network compares
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SortLayout.h"

#include "tile/IR/ConvertLayout.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

SmallVector<SmallVector<Value>> PartialSortOp::getLayoutGroups() {
  return {SmallVector<Value>(getSources()), SmallVector<Value>(getResults())};
}

bool PartialSortOp::followsSource() { return true; }

std::optional<RegisterLayout>
PartialSortOp::inferResultLayout(const RegisterLayout &source) {
  return getSortLayout(source, getTileShape(getSources().front().getType()),
                       getAxis());
}

std::optional<RegisterLayout>
PartialSortOp::getPreferredLayout(int64_t numWarps) {
  return makeSortLayout(getTileShape(getSources().front().getType()), getAxis(),
                        numWarps);
}

/// The pairs at the start of a network's steps that are all within the warps of
/// a layout, or all not.
static ArrayRef<int64_t> getStepsAlike(ArrayRef<int64_t> steps,
                                       const RegisterLayout &layout,
                                       int64_t axis) {
  auto isWithin = [&](size_t step) {
    return isWithinWarps(layout, axis, int64_t(1) << steps[step + 1]);
  };
  size_t count = 0;
  while (count < steps.size() && isWithin(count) == isWithin(0))
    count += 2;
  return steps.take_front(count);
}

/// Cuts a network into parts within warps. Where a step goes from warp to warp,
/// the warps along the axis are exchanged with lanes.
void PartialSortOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  OpBuilder builder(*this);
  int64_t axis = getAxis();
  RegisterLayout layout =
      *inferResultLayout(getRegisterLayout(getSources().front()));
  RegisterLayout exchanged = exchangeWarps(layout, axis);
  PartialSortOp part;
  SmallVector<Value> tiles(getSources());
  ArrayRef<int64_t> left = getSteps();
  do {
    ArrayRef<int64_t> steps = getStepsAlike(left, layout, axis);
    left = left.drop_front(steps.size());
    bool isWithin =
        steps.empty() || isWithinWarps(layout, axis, int64_t(1) << steps[1]);
    for (Value &tile : tiles)
      tile = convertTo(builder, getLoc(), tile, isWithin ? layout : exchanged);
    part = PartialSortOp::create(builder, getLoc(), TypeRange(tiles), tiles,
                                 axis, steps);
    tiles = llvm::to_vector_of<Value>(part.getResults());
  } while (!left.empty());
  getOperation()->replaceAllUsesWith(part.getResults());
  erase();
  // The last step, of adjacent elements, is within the layout's warps.
  setResults(part, layout, wanted);
}
