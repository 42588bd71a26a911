// ComplementTest.cpp - tests that complements fill gaps, or that none exists
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Complement.h"

#include "AllLayouts.h"

#include <set>

using namespace tile;
using namespace tile::test;

TEST(Complement, Examples) {
  EXPECT_EQ(text(complement(layout("4:1"), 24)), "6:4");
  EXPECT_EQ(text(complement(layout("6:4"), 24)), "4:1");
  EXPECT_EQ(text(complement(layout("(4,6):(1,4)"), 24)), "1:0");
  EXPECT_EQ(text(complement(layout("4:2"), 24)), "(2,3):(1,8)");
  EXPECT_EQ(text(complement(layout("(2,4):(1,6)"), 24)), "3:2");
  EXPECT_EQ(text(complement(layout("(2,2):(1,6)"), 24)), "(3,2):(2,12)");
  // The size is rounded up, also for a layout that is larger than the bound.
  EXPECT_EQ(text(complement(layout("4:1"), 23)), "6:4");
  EXPECT_EQ(text(complement(layout("4:1"), 25)), "7:4");
  EXPECT_EQ(text(complement(layout("4:8"), 1)), "8:1");
  EXPECT_EQ(text(complement(layout("1:0"), 24)), "24:1");
}

TEST(Complement, Refusals) {
  EXPECT_EQ(text(complement(layout("4:0"), 24)),
            "no complement of 4:0: expected positive strides, got 0");
  EXPECT_EQ(text(complement(layout("4:-1"), 24)),
            "no complement of 4:-1: expected positive strides, got -1");
  EXPECT_EQ(text(complement(layout("4:1"), 0)),
            "no complement of 4:1: expected a positive bound, got 0");
  EXPECT_EQ(text(complement(layout("(2,2):(3,1)"), 24)),
            "no complement of (2,2):(3,1): expected the stride of the mode 2:3 "
            "to be a multiple of 2, where the modes of smaller stride end");
  Layout far = *Layout::get(2, int64_t(1) << 62);
  EXPECT_FALSE(complement(far, 1));
}

/// Returns whether a set S exists such that each of 0 ... n-1, for some
/// n >= bound, is the sum of one member of `image` and one of S. The least
/// value not yet covered must be in S, so S is found or refuted by taking it.
static bool tilesAnInterval(const std::vector<int64_t> &image, int64_t bound) {
  std::set<int64_t> covered;
  // For all layouts tested here, an interval of n >= 4 * (bound + span)
  // contains a shorter one if there is any.
  int64_t limit = 4 * (bound + image.back() + 1);
  for (int64_t next = 0; next < limit; ++next) {
    if (covered.count(next))
      continue;
    bool isComplete =
        covered.empty() || *covered.rbegin() == int64_t(covered.size()) - 1;
    if (isComplete && next >= bound)
      return true;
    for (int64_t value : image)
      if (!covered.insert(next + value).second)
        return false;
  }
  return false;
}

TEST(Complement, FillsTheGapsExactly) {
  int numAccepted = 0, numRefused = 0;
  for (const Layout &any : manyLayouts()) {
    for (int64_t bound : {int64_t(1), int64_t(7), any.size(), int64_t(24)}) {
      Result<Layout> result = complement(any, bound);
      if (!result) {
        ++numRefused;
        std::vector<int64_t> image = any.image();
        // A layout is refused only if no complement exists, not even one that
        // is not a layout.
        ASSERT_TRUE(image.front() < 0 || !any.isInjective() ||
                    !tilesAnInterval(image, bound))
            << toString(any) << " in " << bound;
        continue;
      }
      ++numAccepted;
      int64_t before = 0;
      for (auto [extent, stride] : result->flattened()) {
        ASSERT_TRUE(stride > before || result->size() == 1)
            << toString(*result);
        before = stride;
      }
      ASSERT_TRUE(isShortest(*result)) << toString(*result);
      Layout both = *concatenate({any, *result});
      ASSERT_TRUE(both.isBijection()) << toString(both);
      ASSERT_GE(both.size(), bound) << toString(both);
    }
  }
  EXPECT_GT(numAccepted, 10000);
  EXPECT_GT(numRefused, 10000);
}

// The complement of the complement is the layout, in order of stride.
TEST(Complement, OfTheComplement) {
  for (const Layout &any : manyLayouts()) {
    Result<Layout> once = complement(any, 24);
    if (!once)
      continue;
    int64_t all = any.size() * once->size();
    Result<Layout> twice = complement(*once, all);
    ASSERT_TRUE(twice) << text(twice);
    ASSERT_EQ(twice->image(), any.image()) << toString(any);
  }
}
