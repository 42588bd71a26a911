// RowCoverTest.cpp - tests the chunks that cover unaligned rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/RowCover.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace mlir;
using namespace tile;

namespace {
using Coordinate = std::vector<int64_t>;

struct Box {
  std::vector<int64_t> shape;
  size_t fastest;
  int64_t elementBytes;
};

const std::vector<Box> kBoxes = {{{256, 64}, 1, 2},   {{64, 256}, 0, 2},
                                 {{17, 48}, 1, 2},    {{3, 5, 8}, 2, 2},
                                 {{100, 16}, 1, 1},   {{8, 192}, 1, 2},
                                 {{1, 512}, 1, 1},    {{6, 32}, 1, 1},
                                 {{4, 64, 64}, 2, 2}, {{64, 4, 128}, 0, 1}};

/// Returns the first coordinate of the row that contains `at`.
Coordinate getRow(Coordinate at, const Box &box) {
  at[box.fastest] = 0;
  return at;
}

bool isInside(const Coordinate &at, const Box &box) {
  return llvm::all_of(llvm::zip(at, box.shape), [](auto pair) {
    return std::get<0>(pair) < std::get<1>(pair);
  });
}

// Each chunk belongs to one lane, and each row to one warp.
TEST(RowCover, AWarpShiftsWholeRows) {
  for (const Box &box : kBoxes)
    for (int64_t numWarps : {1, 2, 3, 4, 8, 12}) {
      RowShiftPlan plan =
          planRowShift(box.shape, box.fastest, box.elementBytes, numWarps);
      ASSERT_EQ(plan.vector, 16 / box.elementBytes);
      std::map<Coordinate, int64_t> warpOf;
      std::set<Coordinate> elements;
      int64_t count = 0;
      for (int64_t warp = 0; warp < numWarps; ++warp)
        for (int64_t lane = 0; lane < 32; ++lane)
          for (int64_t value = 0; value < plan.layout.getNumValues(); ++value) {
            Coordinate at = plan.layout.coordinate(lane, warp, value);
            if (!isInside(at, box))
              continue;
            ++count;
            elements.insert(at);
            EXPECT_EQ(at[box.fastest] % plan.vector, value % plan.vector);
            auto [it, isNew] = warpOf.try_emplace(getRow(at, box), warp);
            EXPECT_EQ(it->second, warp);
          }
      int64_t wanted = 1;
      for (int64_t extent : box.shape)
        wanted *= extent;
      EXPECT_EQ(static_cast<int64_t>(elements.size()), wanted);
      EXPECT_EQ(count, wanted);
    }
}

// Each sequence of `parts` accesses of a warp reads whole rows, so that the
// warp can read a row completely before it writes to it.
TEST(RowCover, PartsOfARowFollowEachOther) {
  for (const Box &box : kBoxes) {
    RowShiftPlan plan =
        planRowShift(box.shape, box.fastest, box.elementBytes, /*numWarps=*/4);
    int64_t values = plan.parts * plan.vector;
    ASSERT_EQ(plan.layout.getNumValues() % values, 0);
    for (int64_t first = 0; first < plan.layout.getNumValues();
         first += values) {
      std::map<Coordinate, std::set<int64_t>> columns;
      for (int64_t lane = 0; lane < 32; ++lane)
        for (int64_t value = first; value < first + values; ++value) {
          Coordinate at = plan.layout.coordinate(lane, 0, value);
          if (isInside(at, box))
            columns[getRow(at, box)].insert(at[box.fastest]);
        }
      for (const auto &[row, found] : columns)
        EXPECT_EQ(static_cast<int64_t>(found.size()), box.shape[box.fastest]);
    }
  }
}

// With an odd stride, rows that a warp reads at the same time start at
// different words of a chunk, so that the 32 lanes read 32 banks.
TEST(RowCover, WordsOfAWarpAreInDifferentBanks) {
  Box box{{256, 64}, 1, 2};
  RowShiftPlan plan =
      planRowShift(box.shape, box.fastest, box.elementBytes, /*numWarps=*/8);
  for (int64_t stride : {4093, 4097, 4099, 4095}) {
    std::set<std::pair<int64_t, int64_t>> columnAndShift;
    for (int64_t lane = 0; lane < 32; ++lane) {
      Coordinate at = plan.layout.coordinate(lane, 0, 0);
      int64_t shift = at[0] * stride * 2 % 16 / 4;
      columnAndShift.insert({at[1], shift});
    }
    EXPECT_EQ(columnAndShift.size(), 32u);
  }
}
} // namespace
