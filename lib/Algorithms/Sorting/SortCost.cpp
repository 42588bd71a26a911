// SortCost.cpp - cost of the steps of a sorting network for a thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "SortLayout.h"

#include "tile/IR/ConvertLayout.h"

using namespace mlir;
using namespace tile;

namespace {
struct SortCost : CostOpInterface::ExternalModel<SortCost, PartialSortOp> {
  /// A step within a thread is a comparison and two selections for two
  /// elements. A step between lanes is 20 instructions for a key of 64 bits and
  /// 10 for a narrower one. The values that belong to the keys are exchanged
  /// and selected, but not compared, in 6 or 3 instructions. Instructions of
  /// steps between lanes count two to three times, since they depend on
  /// conditions, for which ptxas takes longer.
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    auto sort = cast<PartialSortOp>(op);
    constexpr int64_t kInThread = 3, kKey = 25, kWideKey = 50, kFollower = 7,
                      kWideFollower = 15;
    auto isWide = [](Value source) {
      return getElementBytes(getElementTypeOrSelf(source)) == 8;
    };
    ValueRange sources = sort.getSources();
    RegisterLayout layout = getRegisterLayout(sources[0]);
    int64_t betweenLanes = isWide(sources[0]) ? kWideKey : kKey;
    for (Value follower : sources.drop_front())
      betweenLanes += isWide(follower) ? kWideFollower : kFollower;
    int64_t inThread = kInThread * static_cast<int64_t>(sources.size());
    int64_t cost = 0;
    for (size_t step = 1; step < sort.getSteps().size(); step += 2)
      cost += isWithinThreads(layout, sort.getAxis(),
                              int64_t(1) << sort.getSteps()[step])
                  ? inThread
                  : betweenLanes;
    return cost * elements;
  }
};
} // namespace

void tile::addSortCost(MLIRContext &context) {
  PartialSortOp::attachInterface<SortCost>(context);
}
