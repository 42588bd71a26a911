// LaneExchangeTest.cpp - tests plans of values that lanes read from other lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/LaneExchange.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace tile;

namespace {

using Modes = RegisterLayout::Modes;

/// Expects that each lane of all warps reads the value that `to` specifies.
void expectExchanged(const RegisterLayout &from, const RegisterLayout &to) {
  std::optional<LaneExchange> exchange = planLaneExchange(from, to);
  ASSERT_TRUE(exchange);
  ASSERT_EQ(exchange->reads.size(), static_cast<size_t>(to.getNumValues()));
  for (int64_t warp = 0; warp < to.getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < kWarpSize; ++lane)
      for (int64_t value = 0; value < to.getNumValues(); ++value) {
        const LaneRead &read = exchange->reads[value];
        int64_t thread = kWarpSize * warp + lane, chosen = read.value(thread);
        EXPECT_NE(std::find(read.values.begin(), read.values.end(), chosen),
                  read.values.end());
        EXPECT_EQ(from.coordinate(read.lane(thread), warp, chosen),
                  to.coordinate(lane, warp, value));
      }
}

RegisterLayout make(Modes lane, Modes warp, Modes value,
                    std::vector<int64_t> box) {
  return RegisterLayout::fromModes(std::move(lane), std::move(warp),
                                   std::move(value), std::move(box));
}

// The example of LaneExchange.h: a shuffle for each value that lanes need.
TEST(LaneExchange, RowsToVectors) {
  RegisterLayout rows = make({{32, 0, 1}}, {}, {{2, 0, 32}}, {64});
  RegisterLayout vectors = make({{32, 0, 2}}, {}, {{2, 0, 1}}, {64});
  expectExchanged(rows, vectors);
  expectExchanged(vectors, rows);
  EXPECT_EQ(planLaneExchange(rows, vectors)->getNumShuffles(), 4);
}

// Rows of a matrix become columns, in each of four warps.
TEST(LaneExchange, Transposes) {
  RegisterLayout rows =
      make({{4, 1, 1}, {8, 0, 1}}, {{4, 0, 8}}, {{2, 1, 4}}, {32, 8});
  RegisterLayout columns =
      make({{8, 0, 1}, {4, 1, 2}}, {{4, 0, 8}}, {{2, 1, 1}}, {32, 8});
  expectExchanged(rows, columns);
}

// If several lanes have an element, one of them gives it to all that need it.
TEST(LaneExchange, Replicas) {
  RegisterLayout one = make({{8, 0, 1}, {4, -1, 0}}, {}, {}, {8});
  RegisterLayout all = make({{32, -1, 0}}, {}, {{8, 0, 1}}, {8});
  expectExchanged(one, all);
  expectExchanged(all, one);
}

// A lane has three values, so the extents are not powers of two.
TEST(LaneExchange, OddExtents) {
  RegisterLayout rows = make({{32, 0, 1}}, {}, {{3, 1, 1}}, {32, 3});
  RegisterLayout turned =
      make({{4, 0, 8}, {8, 0, 1}}, {}, {{3, 1, 1}}, {32, 3});
  expectExchanged(rows, turned);
}

// Every warp holds all elements, and each warp needs different elements.
TEST(LaneExchange, PartsOfReplicas) {
  RegisterLayout all =
      make({{16, 0, 4}, {2, -1, 0}}, {{8, -1, 0}}, {{4, 0, 1}}, {64});
  RegisterLayout parts =
      make({{16, -1, 0}, {2, 0, 1}}, {{8, 0, 2}}, {{4, 0, 16}}, {64});
  expectExchanged(all, parts);
  EXPECT_EQ(planLaneExchange(all, parts)->getNumShuffles(), 16);
}

// No plan exists if another warp holds the elements. No plan exists for 96
// elements, three per lane, because no exclusive or computes the lanes that
// hold them.
TEST(LaneExchange, None) {
  RegisterLayout first = make({{32, 0, 1}}, {{2, 0, 32}}, {}, {64});
  RegisterLayout second = make({{32, 0, 2}}, {{2, 0, 1}}, {}, {64});
  EXPECT_FALSE(planLaneExchange(first, second));
  RegisterLayout rows = make({{32, 0, 1}}, {}, {{3, 0, 32}}, {96});
  RegisterLayout vectors = make({{32, 0, 3}}, {}, {{3, 0, 1}}, {96});
  EXPECT_FALSE(planLaneExchange(rows, vectors));
}

} // namespace
