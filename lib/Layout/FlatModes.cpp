// FlatModes.cpp - lists of extent:stride, from which the algebra builds layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FlatModes.h"

using namespace tile;

void tile::appendCoalesced(FlatModes &modes, FlatMode mode) {
  if (!modes.empty() &&
      multiply(modes.back().first, modes.back().second) == mode.second)
    modes.back().first *= mode.first;
  else
    modes.push_back(mode);
}

std::pair<IntTuple, IntTuple> tile::toTuples(const FlatModes &modes) {
  if (modes.empty())
    return {IntTuple(1), IntTuple(0)};
  if (modes.size() == 1)
    return {IntTuple(modes[0].first), IntTuple(modes[0].second)};
  std::vector<IntTuple> extents, strides;
  for (auto [extent, stride] : modes) {
    extents.push_back(extent);
    strides.push_back(stride);
  }
  return {IntTuple(std::move(extents)), IntTuple(std::move(strides))};
}

Result<Layout> tile::toLayout(const FlatModes &modes) {
  auto [shape, stride] = toTuples(modes);
  return Layout::get(std::move(shape), std::move(stride));
}

std::optional<int64_t> tile::evaluateUnbounded(const FlatModes &modes,
                                               int64_t index) {
  std::optional<int64_t> sum = 0;
  for (size_t i = 0; sum && i < modes.size(); ++i) {
    bool isLast = i + 1 == modes.size();
    std::optional<int64_t> term =
        multiply(isLast ? index : index % modes[i].first, modes[i].second);
    sum = term ? add(*sum, *term) : std::nullopt;
    index /= modes[i].first;
  }
  return sum;
}
