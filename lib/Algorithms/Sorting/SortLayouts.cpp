// SortLayouts.cpp - layouts in which a sorting network compares
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "SortLayout.h"

#include "tile/IR/ConvertLayout.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

/// Returns the longest prefix of `steps`, each of them a pair of integers, in
/// which either all steps compare elements of one warp of `layout`, or all
/// compare elements of different warps.
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

/// Returns the layout in which `op` sorts sources that are in the layout
/// `source`.
static RegisterLayout getLayout(PartialSortOp op,
                                const RegisterLayout &source) {
  return getSortLayout(source, getTileShape(op.getSources().front().getType()),
                       op.getAxis());
}

namespace {
struct PartialSortLayouts
    : LayoutOpInterface::ExternalModel<PartialSortLayouts, PartialSortOp> {
  SmallVector<SmallVector<Value>> getLayoutGroups(Operation *op) const {
    return {SmallVector<Value>(op->getOperands()),
            SmallVector<Value>(op->getResults())};
  }

  bool followsSource(Operation *) const { return true; }

  std::optional<RegisterLayout>
  inferResultLayout(Operation *op, const RegisterLayout &source) const {
    return getLayout(cast<PartialSortOp>(op), source);
  }

  std::optional<RegisterLayout> getPreferredLayout(Operation *op,
                                                   int64_t numWarps) const {
    auto sort = cast<PartialSortOp>(op);
    return makeSortLayout(getTileShape(sort.getSources().front().getType()),
                          sort.getAxis(), numWarps);
  }

  /// Splits a network into parts whose steps are within warps. For steps
  /// between warps, the warps along the axis are first exchanged with lanes.
  void adaptToLayouts(Operation *op, ArrayRef<TileType> wanted, int64_t) const {
    auto sort = cast<PartialSortOp>(op);
    OpBuilder builder(op);
    Location loc = op->getLoc();
    int64_t axis = sort.getAxis();
    RegisterLayout layout =
        getLayout(sort, getRegisterLayout(sort.getSources().front()));
    RegisterLayout exchanged = exchangeWarps(layout, axis);
    PartialSortOp part;
    SmallVector<Value> tiles(sort.getSources());
    ArrayRef<int64_t> left = sort.getSteps();
    do {
      ArrayRef<int64_t> steps = getStepsAlike(left, layout, axis);
      left = left.drop_front(steps.size());
      bool isWithin =
          steps.empty() || isWithinWarps(layout, axis, int64_t(1) << steps[1]);
      for (Value &tile : tiles)
        tile = convertTo(builder, loc, tile, isWithin ? layout : exchanged);
      part = PartialSortOp::create(builder, loc, TypeRange(tiles), tiles, axis,
                                   steps);
      tiles = llvm::to_vector_of<Value>(part.getResults());
    } while (!left.empty());
    op->replaceAllUsesWith(part.getResults());
    op->erase();
    // The last step, of adjacent elements, is within the layout's warps.
    setResults(part, layout, wanted);
  }
};
} // namespace

void tile::addSortLayouts(MLIRContext &context) {
  PartialSortOp::attachInterface<PartialSortLayouts>(context);
}
