// RegisterLayoutBuilder.cpp - register layouts, digit by digit
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/RegisterLayoutBuilder.h"

#include <algorithm>

using namespace tile;

static int64_t nextPowerOfTwo(int64_t n) {
  int64_t power = 1;
  while (power < n)
    power *= 2;
  return power;
}

int64_t RegisterLayoutBuilder::countLeft(int64_t dim, int64_t extent) const {
  return (extent + box[dim] - 1) / box[dim];
}

void RegisterLayoutBuilder::add(Level level, int64_t dim, int64_t extent) {
  modes[level].push_back({extent, dim, box[dim]});
  box[dim] *= extent;
}

void RegisterLayoutBuilder::repeat(Level level, int64_t extent) {
  modes[level].push_back({extent, -1, 0});
}

void RegisterLayoutBuilder::fill(int64_t dim, int64_t extent) {
  add(RegisterLayout::kValue, dim, countLeft(dim, extent));
}

void RegisterLayoutBuilder::spread(const std::vector<int64_t> &dims,
                                   const std::vector<int64_t> &shape,
                                   int64_t numLanes, int64_t numWarps) {
  for (int64_t dim : dims) {
    int64_t lanes =
        std::min(numLanes, nextPowerOfTwo(countLeft(dim, shape[dim])));
    add(RegisterLayout::kLane, dim, lanes);
    numLanes /= lanes;
  }
  for (int64_t dim : dims) {
    int64_t warps = std::min(numWarps, countLeft(dim, shape[dim]));
    while (numWarps % warps != 0)
      --warps;
    add(RegisterLayout::kWarp, dim, warps);
    numWarps /= warps;
  }
  repeat(RegisterLayout::kLane, numLanes);
  repeat(RegisterLayout::kWarp, numWarps);
  for (int64_t dim : dims)
    fill(dim, shape[dim]);
}

RegisterLayout RegisterLayoutBuilder::build() const {
  return RegisterLayout::fromModes(modes[RegisterLayout::kLane],
                                   modes[RegisterLayout::kWarp],
                                   modes[RegisterLayout::kValue], box);
}
