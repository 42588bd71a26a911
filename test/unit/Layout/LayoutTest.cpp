// LayoutTest.cpp - tests layouts as functions from coordinates to integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Layout.h"

#include "AllLayouts.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tile;
using namespace tile::test;

static std::string errorOf(const IntTuple &shape, const IntTuple &stride) {
  Result<Layout> result = Layout::get(shape, stride);
  return result ? "accepted" : result.error();
}

TEST(Layout, RefusesProfilesThatDiffer) {
  EXPECT_EQ(errorOf(tuple("(4,8)"), tuple("1")),
            "expected shape and stride of the same profile, got (4,8):1");
  EXPECT_NE(errorOf(4, tuple("(1)")), "accepted");
  EXPECT_NE(errorOf(tuple("(2,(2,2))"), tuple("((1,2),4)")), "accepted");
}

TEST(Layout, RefusesExtentsThatAreNotPositive) {
  EXPECT_EQ(errorOf(tuple("(4,0)"), tuple("(1,4)")),
            "expected positive extents, got 0 in the shape (4,0)");
  EXPECT_EQ(errorOf(-2, 1),
            "expected positive extents, got -2 in the shape -2");
}

TEST(Layout, RefusesEmptyLists) {
  IntTuple empty = IntTuple::flat({});
  EXPECT_EQ(errorOf(empty, empty), "expected no empty list in a shape, got ()");
  EXPECT_EQ(errorOf(makeTuple(2, empty), makeTuple(1, empty)),
            "expected no empty list in a shape, got (2,())");
}

TEST(Layout, RefusesSizesAndValuesThatOverflow) {
  int64_t big = int64_t(1) << 32;
  EXPECT_EQ(errorOf(makeTuple(big, big), makeTuple(0, 0)),
            "expected a size that fits 64 bits, got the shape "
            "(4294967296,4294967296)");
  EXPECT_EQ(errorOf(2, INT64_MAX),
            "expected values whose span fits 64 bits, got "
            "2:9223372036854775807");
  EXPECT_EQ(errorOf(2, INT64_MAX - 1), "accepted");
  EXPECT_NE(errorOf(2, INT64_MIN), "accepted");
  EXPECT_EQ(errorOf(2, -(INT64_MAX - 1)), "accepted");
  EXPECT_EQ(errorOf(1, INT64_MIN), "accepted");
  EXPECT_NE(errorOf(3, INT64_MAX / 2 + 1), "accepted");
  EXPECT_NE(
      errorOf(makeTuple(2, 2), makeTuple(INT64_MAX / 2 + 1, INT64_MAX / 2)),
      "accepted");
  // Positive and negative strides add up to the span.
  EXPECT_NE(errorOf(makeTuple(2, 2), makeTuple(INT64_MAX - 1, -1)), "accepted");
  // The largest layout evaluates without overflow.
  Layout far = *Layout::get(2, INT64_MAX - 1);
  EXPECT_EQ(far(1), INT64_MAX - 1);
  EXPECT_EQ(far.cosize(), INT64_MAX);
  EXPECT_EQ(Layout::get(1, INT64_MIN)->cosize(), 1);
  EXPECT_TRUE(far.isInjective());
  EXPECT_FALSE(far.isBijection());
}

TEST(Layout, EvaluatesEveryIndexAndCoordinate) {
  for (const Layout &layout : manyLayouts()) {
    std::vector<int64_t> values = valuesOf(layout);
    ASSERT_EQ(layout.size(), int64_t(values.size()));
    for (int64_t i = 0; i < layout.size(); ++i)
      ASSERT_EQ(layout(i), values[i]) << toString(layout) << " at " << i;
  }
}

// A layout accepts an index, its natural coordinate, and its coordinate in the
// shape of the top-level sizes.
TEST(Layout, AcceptsCoordinatesOfCompatibleShapes) {
  for (const Layout &layout : nested(allLayouts(3, {1, 2, 3}, {1, 2, 6}))) {
    std::vector<int64_t> sizes;
    for (size_t i = 0; i < layout.rank(); ++i)
      sizes.push_back(layout.mode(i).size());
    IntTuple topShape = IntTuple::flat(sizes);
    for (int64_t i = 0; i < layout.size(); ++i) {
      ASSERT_EQ(layout(idx2crd(i, layout.shape())), layout(i));
      ASSERT_EQ(layout(idx2crd(i, topShape)), layout(i));
      ASSERT_EQ(*layout.evaluate(idx2crd(i, topShape)), layout(i));
    }
    EXPECT_FALSE(layout.evaluate(layout.size()));
    EXPECT_FALSE(layout.evaluate(tuple("(0,0,0)")));
  }
}

// A value is the sum of the modes' values: linearity in the coordinate.
TEST(Layout, ValueIsTheSumOverModes) {
  for (const Layout &layout : allLayouts(2, kExtents, kStrides))
    for (int64_t i = 0; i < layout.mode(0).size(); ++i)
      for (int64_t j = 0; j < layout.mode(1).size(); ++j)
        ASSERT_EQ(layout(makeTuple(i, j)),
                  layout.mode(0)(i) + layout.mode(1)(j));
}

TEST(Layout, CosizeIsTheSpanOfTheValues) {
  for (const Layout &layout : manyLayouts()) {
    std::vector<int64_t> values = valuesOf(layout);
    auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    ASSERT_EQ(layout.cosize(), *greatest - *least + 1) << toString(layout);
    if (*least == 0) {
      ASSERT_EQ(layout.cosize(), layout(layout.size() - 1) + 1);
    }
  }
}

TEST(Layout, KnowsItsStructure) {
  Layout nest = layout("(4,(2,4)):(1,(4,8))");
  EXPECT_EQ(nest.rank(), 2u);
  EXPECT_EQ(nest.depth(), 2u);
  EXPECT_EQ(nest.mode(0), layout("4:1"));
  EXPECT_EQ(nest.mode(1), layout("(2,4):(4,8)"));
  EXPECT_EQ(nest.flattened(), (FlatModes{{4, 1}, {2, 4}, {4, 8}}));
  EXPECT_EQ(nest.coalescedModes(), (FlatModes{{32, 1}}));
  Layout leaf = layout("4:2");
  EXPECT_EQ(leaf.rank(), 1u);
  EXPECT_EQ(leaf.depth(), 0u);
  EXPECT_EQ(leaf.mode(0), leaf);
}

// Layouts with equal functions have equal coalesced modes, and conversely.
TEST(Layout, CoalescedModesAreDeterminedByTheFunction) {
  std::map<std::vector<int64_t>, FlatModes> modesOf;
  std::map<FlatModes, std::vector<int64_t>> functionOf;
  for (const Layout &layout : manyLayouts()) {
    std::vector<int64_t> values = valuesOf(layout);
    FlatModes modes = layout.coalescedModes();
    ASSERT_EQ(modesOf.emplace(values, modes).first->second, modes)
        << toString(layout);
    ASSERT_EQ(functionOf.emplace(modes, values).first->second, values)
        << toString(layout);
  }
  EXPECT_GT(modesOf.size(), 10000u);
  EXPECT_LT(modesOf.size(), manyLayouts().size());
}

TEST(Layout, EquivalentMeansTheSameFunction) {
  std::vector<Layout> layouts = allLayouts(2, {1, 2, 3, 4}, {0, 1, 2, 4, 6});
  for (const Layout &layout : allLayouts(1, kExtents, kStrides))
    layouts.push_back(layout);
  int numEquivalent = 0;
  for (const Layout &a : layouts)
    for (const Layout &b : layouts) {
      bool expected = valuesOf(a) == valuesOf(b);
      ASSERT_EQ(a.isEquivalent(b), expected)
          << toString(a) << " and " << toString(b);
      numEquivalent += expected;
    }
  EXPECT_GT(numEquivalent, int(layouts.size()));
}

// Joining modes checks whether extent*stride overflows.
TEST(Layout, CoalescingSurvivesLargeStrides) {
  int64_t half = (int64_t(1) << 62);
  Layout wide = *Layout::get(makeTuple(2, 2), makeTuple(half, 1));
  EXPECT_EQ(wide.coalescedModes(), (FlatModes{{2, half}, {2, 1}}));
  EXPECT_TRUE(wide.isInjective());
}

TEST(Layout, EqualityIsSyntactic) {
  EXPECT_EQ(layout("(2,4):(1,2)"), layout("(2,4):(1,2)"));
  EXPECT_NE(layout("(2,4):(1,2)"), layout("8:1"));
  EXPECT_NE(layout("(2,4):(1,2)"), layout("(2,4):(1,3)"));
  EXPECT_NE(layout("(2,(2,2)):(1,(2,4))"), layout("((2,2),2):((1,2),4)"));
  EXPECT_EQ(layout("(2,4):(1,2)").hash(), layout("(2,4):(1,2)").hash());
  std::set<size_t> hashes;
  std::vector<Layout> layouts = allLayouts(2, kExtents, kStrides);
  for (const Layout &layout : layouts)
    hashes.insert(layout.hash());
  EXPECT_EQ(hashes.size(), layouts.size());
}

TEST(Layout, ImageInjectiveAndBijection) {
  int numInjective = 0, numBijections = 0;
  for (const Layout &layout : manyLayouts()) {
    std::vector<int64_t> values = valuesOf(layout);
    std::set<int64_t> distinct(values.begin(), values.end());
    ASSERT_EQ(layout.image(),
              std::vector<int64_t>(distinct.begin(), distinct.end()));
    bool isInjective = distinct.size() == values.size();
    bool isBijection = isInjective && *distinct.begin() == 0 &&
                       *distinct.rbegin() == layout.size() - 1;
    ASSERT_EQ(layout.isInjective(), isInjective) << toString(layout);
    ASSERT_EQ(layout.isBijection(), isBijection) << toString(layout);
    numInjective += isInjective;
    numBijections += isBijection;
  }
  EXPECT_GT(numInjective, 10000);
  EXPECT_GT(numBijections, 1000);
}

// Strides that do not nest make the search consider more modes.
TEST(Layout, InjectiveOnStridesThatDoNotNest) {
  Sequence sequence(1);
  int numInjective = 0;
  for (int trial = 0; trial < 20000; ++trial) {
    FlatModes modes;
    for (size_t i = 0; i < 2 + sequence.next(3); ++i)
      modes.push_back(
          {int64_t(2 + sequence.next(4)), int64_t(sequence.next(81)) - 40});
    Layout layout = flatLayout(modes);
    bool expected = int64_t(layout.image().size()) == layout.size();
    ASSERT_EQ(layout.isInjective(), expected) << toString(layout);
    numInjective += expected;
  }
  EXPECT_GT(numInjective, 1000);
  EXPECT_LT(numInjective, 19000);
}

// These layouts are too large to be enumerated, and are still decided.
TEST(Layout, InjectiveOnLargeLayouts) {
  EXPECT_TRUE(layout("(1000000,1000000):(1000000,1)").isBijection());
  EXPECT_FALSE(layout("(1000000,1000000):(999999,1)").isInjective());
  EXPECT_TRUE(layout("(1000003,1000000):(1000000,1000003)").isInjective());
  EXPECT_FALSE(layout("(1000004,1000001):(1000000,1000003)").isInjective());
  EXPECT_TRUE(layout("(2,2,4):(4611686018427387904,2305843009213693952,1)")
                  .isInjective());
}

TEST(Layout, CompactLayoutsCount) {
  EXPECT_EQ(*layoutLeft(tuple("(3,(2,3))")), layout("(3,(2,3)):(1,(3,6))"));
  EXPECT_EQ(*layoutRight(tuple("(3,(2,3))")), layout("(3,(2,3)):(6,(3,1))"));
  EXPECT_EQ(*layoutLeft(5), layout("5:1"));
  EXPECT_EQ(layoutLeft(0).error(),
            "expected positive extents, got 0 in the shape 0");
  int64_t big = int64_t(1) << 32;
  EXPECT_FALSE(layoutLeft(makeTuple(big, big)));
  EXPECT_FALSE(layoutRight(IntTuple::flat({})));
  for (const Layout &any : manyLayouts()) {
    Layout left = *layoutLeft(any.shape()), right = *layoutRight(any.shape());
    ASSERT_EQ(left.shape(), any.shape());
    ASSERT_TRUE(right.isBijection()) << toString(right);
    for (int64_t i = 0; i < left.size(); ++i)
      ASSERT_EQ(left(i), i) << toString(left);
    // The last mode is the fastest, so its stride is one.
    std::vector<int64_t> extents = any.shape().leaves();
    std::vector<int64_t> strides = right.stride().leaves();
    int64_t next = 1;
    for (size_t i = extents.size(); i-- > 0; next *= extents[i])
      ASSERT_EQ(strides[i], next);
  }
}

TEST(Layout, ConcatenateKeepsModes) {
  std::vector<Layout> modes = {layout("4:1"), layout("(2,3):(4,8)")};
  EXPECT_EQ(*concatenate(modes), layout("(4,(2,3)):(1,(4,8))"));
  EXPECT_EQ(*concatenate({modes[0]}), layout("(4):(1)"));
  for (size_t i = 0; i < modes.size(); ++i)
    EXPECT_EQ(concatenate(modes)->mode(i), modes[i]);
  EXPECT_FALSE(concatenate({}));
  Layout huge = *Layout::get(int64_t(1) << 40, 0);
  EXPECT_FALSE(concatenate({huge, huge}));
}

// Evaluates the blocked product of the inner tile (2,3):(3,1) and the outer
// grid (4,5):(1,4) at inner (1,2), outer (3,4), and a layout that is easily
// mistaken for it.
TEST(Layout, BlockedProductByHand) {
  EXPECT_EQ(layout("((2,4),(3,5)):((3,6),(1,24))")(tuple("((1,3),(2,4))")),
            119);
  EXPECT_EQ(layout("((2,4),(3,5)):((3,1),(1,4))")(tuple("((1,3),(2,4))")), 24);
  EXPECT_EQ(layout("((2,4),(3,5)):((3,1),(1,4))").image().size(), 25u);
}
