// CooperativeOpInterface.cpp - what the threads of a block compute together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/CooperativeOpInterface.h"

#include "tile/Layout/RegisterLayout.h"

using namespace tile;

#include "tile/IR/CooperativeOpInterface.cpp.inc"

Holder tile::getHolder(int64_t lanes) {
  if (lanes == 1)
    return Holder::thread;
  return lanes <= kWarpSize / 2 ? Holder::half_warp : Holder::warp;
}

const WorkDistribution &
tile::findCheapest(llvm::ArrayRef<WorkDistribution> distributions) {
  return *llvm::min_element(
      distributions, [](const WorkDistribution &a, const WorkDistribution &b) {
        return a.cost < b.cost;
      });
}
