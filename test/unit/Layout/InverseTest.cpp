// InverseTest.cpp - tests inverses over all small layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Inverse.h"

#include "RandomLayouts.h"

#include "tile/Layout/Compose.h"

#include <algorithm>

using namespace tile;
using namespace tile::test;

TEST(RightInverse, Examples) {
  EXPECT_EQ(text(rightInverse(layout("(4,8):(8,1)"))), "(8,4):(4,1)");
  EXPECT_EQ(text(rightInverse(layout("(4,8):(1,5)"))), "4:1");
  EXPECT_EQ(text(rightInverse(layout("(4,8):(2,16)"))), "1:0");
  EXPECT_EQ(text(rightInverse(layout("((2,2),3):((6,1),2)"))), "(6,2):(2,1)");
  // Between two modes with stride 1, the one that starts the longer chain is
  // used.
  EXPECT_EQ(text(rightInverse(layout("(4,2,16):(1,1,2)"))), "32:4");
  EXPECT_EQ(text(rightInverse(layout("(2,4):(1,-2)"))),
            "expected strides that are not negative, got -2 in (2,4):(1,-2)");
  EXPECT_EQ(text(rightInverse(layout("(2,1):(1,-2)"))), "2:1");
}

/// Returns the maximum size of a chain of modes with strides 1, s0, s0*s1 ...
static int64_t longestChain(const FlatModes &modes, int64_t stride) {
  int64_t most = 1;
  for (auto mode : modes)
    if (mode.first > 1 && mode.second == stride)
      most =
          std::max(most, mode.first * longestChain(modes, stride * mode.first));
  return most;
}

TEST(RightInverse, UndoesTheLayoutFromTheRight) {
  int numBijections = 0;
  for (const Layout &any : manyLayouts()) {
    Result<Layout> result = rightInverse(any);
    bool hasNegative = false;
    for (auto [extent, stride] : any.flattened())
      hasNegative |= extent > 1 && stride < 0;
    ASSERT_EQ(bool(result), !hasNegative) << toString(any);
    if (!result)
      continue;
    for (int64_t i = 0; i < result->size(); ++i) {
      ASSERT_LT((*result)(i), any.size());
      ASSERT_EQ(any((*result)(i)), i) << toString(any);
    }
    ASSERT_EQ(result->size(), longestChain(any.flattened(), 1))
        << toString(any);
    if (!any.isBijection())
      continue;
    ++numBijections;
    ASSERT_EQ(result->size(), any.size()) << toString(any);
    for (int64_t i = 0; i < any.size(); ++i)
      ASSERT_EQ((*result)(any(i)), i) << toString(any);
    ASSERT_TRUE(rightInverse(*result)->isEquivalent(any)) << toString(any);
  }
  EXPECT_GT(numBijections, 1000);
}

TEST(LeftInverse, Examples) {
  EXPECT_EQ(text(leftInverse(layout("(4,8):(8,1)"))), "(8,4):(4,1)");
  // The layouts have holes, also where no stride is a power of two.
  EXPECT_EQ(text(leftInverse(layout("(4,8):(1,5)"))), "(5,8):(1,4)");
  EXPECT_EQ(text(leftInverse(layout("4:2"))), "(2,4):(0,1)");
  EXPECT_EQ(text(leftInverse(layout("(3,5):(20,4)"))), "(4,5,3):(0,3,1)");
  EXPECT_EQ(text(leftInverse(layout("1:7"))), "1:0");
}

TEST(LeftInverse, Refusals) {
  EXPECT_EQ(text(leftInverse(layout("4:0"))),
            "no left inverse of 4:0: expected positive strides, got 0");
  EXPECT_EQ(text(leftInverse(layout("4:-1"))),
            "no left inverse of 4:-1: expected positive strides, got -1");
  EXPECT_EQ(text(leftInverse(layout("(4,2):(1,3)"))),
            "no left inverse of (4,2):(1,3): two coordinates have the value 3");
  EXPECT_EQ(text(leftInverse(layout("(2,2):(2,3)"))),
            "no left inverse of (2,2):(2,3): expected strides that are "
            "multiples of the smaller ones, got 3 after 2");
  EXPECT_FALSE(leftInverse(layout("(2,2):(1,4611686018427387904)")));
}

/// Whether, after contiguous adjacent modes are joined, the strides of modes
/// with extents above 1 are positive and each is a multiple of the smaller
/// strides.
static bool stridesNest(const Layout &layout) {
  FlatModes modes = layout.coalescedModes();
  for (auto a : modes)
    for (auto b : modes)
      if (a.second <= 0 || b.second <= 0 ||
          std::max(a.second, b.second) % std::min(a.second, b.second) != 0)
        return false;
  return true;
}

static void checkLeftInverse(const Layout &any, int &numInverted) {
  Result<Layout> result = leftInverse(any);
  ASSERT_EQ(bool(result), stridesNest(any) && any.isInjective())
      << toString(any) << ": " << text(result);
  if (!result)
    return;
  ++numInverted;
  ASSERT_GE(result->size(), any.cosize()) << toString(any);
  ASSERT_TRUE(isShortest(*result)) << toString(*result);
  for (int64_t i = 0; i < any.size(); ++i)
    ASSERT_EQ((*result)(any(i)), i) << toString(any);
  // As layouts, the inverse after the layout is the identity.
  Result<Layout> identity = compose(*result, any);
  ASSERT_TRUE(identity) << text(identity);
  ASSERT_TRUE(identity->isEquivalent(*layoutLeft(any.shape())));
  if (any.isBijection()) {
    ASSERT_EQ(*result, *rightInverse(any)) << toString(any);
  }
}

TEST(LeftInverse, UndoesTheLayoutFromTheLeft) {
  int numInverted = 0;
  for (const Layout &any : manyLayouts())
    ASSERT_NO_FATAL_FAILURE(checkLeftInverse(any, numInverted));
  EXPECT_GT(numInverted, 5000);
  numInverted = 0;
  Sequence random(5);
  for (int i = 0; i < 5000; ++i)
    ASSERT_NO_FATAL_FAILURE(
        checkLeftInverse(randomLayout(random), numInverted));
  EXPECT_GT(numInverted, 1000);
}
