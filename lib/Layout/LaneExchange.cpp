// LaneExchange.cpp - how lanes of a warp exchange the elements of a tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/LaneExchange.h"

#include <algorithm>
#include <map>

using namespace tile;

int64_t BitFunction::operator()(int64_t thread) const {
  int64_t result = base;
  for (size_t bit = 0; bit < columns.size(); ++bit)
    if (thread >> bit & 1)
      result ^= columns[bit];
  return result;
}

int64_t LaneExchange::getNumShuffles() const {
  int64_t count = 0;
  for (const LaneRead &read : reads)
    count += read.values.size();
  return count;
}

/// Returns the function whose value for thread i is values[i]; nothing if there
/// is no such function.
static std::optional<BitFunction>
findFunction(const std::vector<int64_t> &values) {
  BitFunction function;
  function.base = values[0];
  for (size_t bit = 0; size_t(1) << bit < values.size(); ++bit)
    function.columns[bit] = values[size_t(1) << bit] ^ function.base;
  for (size_t thread = 0; thread < values.size(); ++thread)
    if (function(thread) != values[thread])
      return std::nullopt;
  return function;
}

namespace {
/// A lane and one of its values.
struct LaneValue {
  int64_t lane, value;
};
using Elements = std::map<std::vector<int64_t>, LaneValue>;
} // namespace

/// Finds the lowest lane that has each element of a warp.
static Elements findElements(const RegisterLayout &layout, int64_t warp) {
  Elements elements;
  for (int64_t lane = 0; lane < kWarpSize; ++lane)
    for (int64_t value = 0; value < layout.getNumValues(); ++value)
      elements.try_emplace(layout.coordinate(lane, warp, value),
                           LaneValue{lane, value});
  return elements;
}

static std::optional<LaneRead> planRead(const std::vector<Elements> &warps,
                                        const RegisterLayout &to,
                                        int64_t value) {
  std::vector<int64_t> lanes, values;
  for (size_t warp = 0; warp < warps.size(); ++warp)
    for (int64_t lane = 0; lane < kWarpSize; ++lane) {
      auto it = warps[warp].find(to.coordinate(lane, warp, value));
      if (it == warps[warp].end())
        return std::nullopt;
      lanes.push_back(it->second.lane);
      values.push_back(it->second.value);
    }
  std::optional<BitFunction> lane = findFunction(lanes);
  std::optional<BitFunction> chosen = findFunction(values);
  if (!lane || !chosen)
    return std::nullopt;
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return LaneRead{*lane, *chosen, values};
}

std::optional<LaneExchange> tile::planLaneExchange(const RegisterLayout &from,
                                                   const RegisterLayout &to) {
  if (from.getRank() != to.getRank() || from.getNumWarps() != to.getNumWarps())
    return std::nullopt;
  std::vector<Elements> warps;
  for (int64_t warp = 0; warp < from.getNumWarps(); ++warp)
    warps.push_back(findElements(from, warp));
  LaneExchange exchange;
  for (int64_t value = 0; value < to.getNumValues(); ++value) {
    std::optional<LaneRead> read = planRead(warps, to, value);
    if (!read)
      return std::nullopt;
    exchange.reads.push_back(*read);
  }
  return exchange;
}
