// CooperativeOpInterface.cpp - operations that threads compute together
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/CooperativeOpInterface.h"

#include "tile/Layout/RegisterLayout.h"

using namespace tile;

#include "tile/IR/CooperativeOpInterface.cpp.inc"

Holder tile::getHolder(int64_t lanes) {
  if (lanes == 1)
    return Holder::thread;
  if (lanes <= kWarpSize / 2)
    return Holder::half_warp;
  return lanes <= kWarpSize ? Holder::warp : Holder::block;
}

const WorkDistribution &
tile::findCheapest(llvm::ArrayRef<WorkDistribution> distributions) {
  return *llvm::min_element(
      distributions, [](const WorkDistribution &a, const WorkDistribution &b) {
        return a.cost < b.cost;
      });
}
