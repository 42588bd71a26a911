// ComposeTest.cpp - compares composed values, and each refusal, with a search
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Compose.h"

#include "AllLayouts.h"
#include "HasComposition.h"

#include <algorithm>

using namespace tile;
using namespace tile::test;

TEST(Compose, Examples) {
  EXPECT_EQ(text(compose(layout("(6,2):(8,2)"), layout("(4,3):(3,1)"))),
            "((2,2),3):((24,2),8)");
  EXPECT_EQ(text(compose(layout("20:2"), layout("(5,4):(4,1)"))),
            "(5,4):(8,2)");
  EXPECT_EQ(text(compose(layout("(10,2):(16,4)"), layout("(5,4):(1,5)"))),
            "(5,(2,2)):(16,(80,4))");
  // Divides 72 out of (3,6,2,8): 4 of the last mode remain.
  EXPECT_EQ(text(compose(layout("(3,6,2,8):(1,3,18,100)"), layout("4:72"))),
            "4:200");
}

// The strong divisibility conditions (Compose.h) do not hold here, and the
// values show that no layout is the composition. A check of only the strides
// would accept (2,3):(6,3), which gives 3 at coordinate 2 instead of 7.
TEST(Compose, RefusesWithACounterExample) {
  EXPECT_EQ(text(compose(layout("(4,6,8):(2,3,5)"), layout("6:3"))),
            "composition is not a layout: at coordinate 3 of 6:3 the left "
            "layout (4,6,8):(2,3,5) gives 8, the candidate (2,3):(6,7) gives "
            "13");
  // A run of 2 cannot be repeated to make 3.
  EXPECT_EQ(text(compose(layout("(2,2):(1,5)"), layout("3:1"))),
            "composition is not a layout: at coordinate 2 of 3:1 the left "
            "layout (2,2):(1,5) gives 5, the candidate 3:1 gives 2");
  // Each mode of the right layout can be composed by itself, but the sum 3 + 1
  // carries into the second mode of the left layout.
  EXPECT_EQ(text(compose(layout("(4,2):(1,10)"), layout("(2,2):(3,1)"))),
            "composition is not a layout: at coordinate (1,1) of (2,2):(3,1) "
            "the left layout (4,2):(1,10) gives 10, the candidate (2,2):(3,1) "
            "gives 4");
}

TEST(Compose, RefusesNegativeValues) {
  EXPECT_EQ(text(compose(layout("8:1"), layout("(2,2):(4,-1)"))),
            "expected a right layout without negative values, got the mode "
            "2:-1 in (2,2):(4,-1)");
  // The stride of a single element is never used.
  EXPECT_EQ(text(compose(layout("8:3"), layout("(2,1):(4,-1)"))),
            "(2,1):(12,0)");
  EXPECT_EQ(text(compose(layout("8:-3"), layout("(2,2):(4,1)"))),
            "(2,2):(-12,-3)");
}

TEST(Compose, RefusesWhatOverflows) {
  Layout far = *Layout::get(4, INT64_MAX / 4);
  EXPECT_EQ(text(compose(far, layout("4:1"))), toString(far));
  EXPECT_FALSE(compose(far, layout("2:8")));
  EXPECT_FALSE(compose(far, layout("8:1")));
  EXPECT_FALSE(
      compose(layout("(3,2):(1,4611686018427387904)"), layout("2:100")));
}

// These layouts have too many coordinates to be enumerated.
TEST(Compose, DecidesLargeLayoutsInClosedForm) {
  EXPECT_EQ(text(compose(layout("(1048576,1048576):(1048576,1)"),
                         layout("(1024,1073741824):(1,1024)"))),
            "(1024,(1024,1048576)):(1048576,(1073741824,1))");
  EXPECT_EQ(
      text(compose(layout("(3,1073741824):(7,1)"), layout("1073741824:2"))),
      "composition is not decided: the extent 1073741824 does not divide "
      "the left layout (3,1073741824):(7,1) and is too large to "
      "enumerate");
}

// The last mode of the left layout is unbounded, even if its extent is 1 and
// coalescing would drop its stride.
TEST(Compose, GoesOnBeyondTheLeftLayout) {
  EXPECT_EQ(text(compose(layout("(4,2):(1,10)"), layout("(4,5):(1,4)"))),
            "(4,5):(1,10)");
  EXPECT_EQ(text(compose(layout("(4,1):(1,7)"), layout("8:1"))), "(4,2):(1,7)");
  EXPECT_EQ(text(compose(layout("(4,1):(1,4)"), layout("8:1"))), "8:1");
}

/// Returns the text after `key`, up to `end`.
static std::string between(const std::string &text, const std::string &key,
                           const std::string &end) {
  size_t from = text.find(key);
  EXPECT_NE(from, std::string::npos) << text;
  if (from == std::string::npos)
    return {};
  from += key.size();
  return text.substr(from, text.find(end, from) - from);
}

/// Checks the counter-example in the message that refuses left o right.
static void checkCounterExample(const Layout &left, const Layout &right,
                                const std::string &error) {
  Layout part = layout(between(error, " of ", " the left"));
  ASSERT_EQ(between(error, "left layout ", " gives"), toString(left));
  IntTuple coord = tuple(between(error, "at coordinate ", " of "));
  int64_t value = std::stoll(between(error, toString(left) + " gives ", ","));
  Layout candidate = layout(between(error, "the candidate ", " gives"));
  std::string given = error.substr(error.rfind(' ') + 1);
  // The part is the right layout, or one of its modes.
  FlatModes modes = right.flattened();
  if (part.shape().isLeaf()) {
    ASSERT_NE(std::find(modes.begin(), modes.end(), part.flattened()[0]),
              modes.end())
        << error;
  } else {
    ASSERT_EQ(part, right) << error;
  }
  ASSERT_TRUE(isCompatible(part.shape(), candidate.shape())) << error;
  ASSERT_EQ(valueAt(left, part(coord), /*isUnbounded=*/true), value) << error;
  ASSERT_EQ(std::to_string(candidate(coord)), given) << error;
  ASSERT_NE(candidate(coord), value) << error;
}

namespace {
/// Counts the outcomes of checkCompose.
struct ComposeCounts {
  int accepted = 0;
  int refused = 0;
};
} // namespace

/// Checks that a composition is accepted if and only if it exists. Also checks
/// its values or, for a refusal, the counter-example.
static void checkCompose(const Layout &left, const Layout &right,
                         ComposeCounts &counts) {
  Result<Layout> result = compose(left, right);
  if (!result) {
    ++counts.refused;
    ASSERT_FALSE(hasComposition(left, right))
        << toString(left) << " o " << toString(right) << ": " << result.error();
    checkCounterExample(left, right, result.error());
    return;
  }
  ++counts.accepted;
  ASSERT_TRUE(isCompatible(right.shape(), result->shape()))
      << toString(left) << " o " << toString(right);
  std::vector<int64_t> arguments = valuesOf(right);
  std::vector<int64_t> values = valuesOf(*result);
  ASSERT_EQ(values.size(), arguments.size());
  for (size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(values[i], valueAt(left, arguments[i], /*isUnbounded=*/true))
        << toString(left) << " o " << toString(right) << " = "
        << toString(*result) << " at " << i;
}

// The right layout is a single mode.
TEST(Compose, IntegerRightIsExactAndComplete) {
  std::vector<Layout> lefts;
  for (size_t rank = 1; rank <= 3; ++rank)
    for (const Layout &left :
         allLayouts(rank, {1, 2, 3, 4, 6}, {0, 1, 2, 3, 5}))
      lefts.push_back(left);
  for (const Layout &left : nested(allLayouts(3, {1, 2, 3}, {-1, 1, 2, 7})))
    lefts.push_back(left);
  std::vector<Layout> rights =
      allLayouts(1, {1, 2, 3, 4, 6, 8, 12}, {0, 1, 2, 3, 4, 6, 8, 12});
  ComposeCounts counts;
  for (const Layout &left : lefts)
    for (const Layout &right : rights)
      ASSERT_NO_FATAL_FAILURE(checkCompose(left, right, counts));
  EXPECT_GT(counts.accepted, 100000);
  EXPECT_GT(counts.refused, 10000);
}

// The right layout has two or three modes, some of which overlap.
TEST(Compose, RightWithModesIsExactAndComplete) {
  std::vector<Layout> lefts = allLayouts(2, {2, 3, 4, 6}, {0, 1, 2, 5, 9});
  for (const Layout &left : allLayouts(3, {1, 2, 4}, {1, 3, 8}))
    lefts.push_back(left);
  std::vector<Layout> rights = allLayouts(2, {2, 3, 4}, {0, 1, 2, 3, 4, 6, 12});
  for (const Layout &right : nested(allLayouts(3, {1, 2, 4}, {1, 2, 4, 8})))
    if (rights.size() < 1200)
      rights.push_back(right);
  ComposeCounts counts;
  for (size_t i = 0; i < lefts.size(); ++i)
    for (size_t j = i % 2; j < rights.size(); j += 2)
      ASSERT_NO_FATAL_FAILURE(checkCompose(lefts[i], rights[j], counts));
  EXPECT_GT(counts.accepted, 50000);
  EXPECT_GT(counts.refused, 50000);
}

// No division is exact here, but the strides happen to fit.
TEST(Compose, AcceptsByValueWhatDoesNotDivide) {
  EXPECT_EQ(text(compose(layout("(3,4):(2,3)"), layout("2:2"))), "2:4");
  EXPECT_EQ(text(compose(layout("(6,2,2):(1,1,7)"), layout("4:4"))),
            "(2,2):(4,3)");
}

TEST(Compose, LayoutIsAUnitOnBothSides) {
  for (const Layout &any : manyLayouts()) {
    Result<Layout> left = compose(*layoutLeft(any.size()), any);
    Result<Layout> right = compose(any, *layoutLeft(any.shape()));
    bool hasNegative = false;
    for (auto [extent, stride] : any.flattened())
      hasNegative |= extent > 1 && stride < 0;
    ASSERT_EQ(bool(left), !hasNegative) << text(left);
    if (left) {
      ASSERT_TRUE(left->isEquivalent(any)) << toString(any);
    }
    ASSERT_TRUE(right) << text(right);
    ASSERT_TRUE(right->isEquivalent(any)) << toString(any);
  }
}

// (A o B) o C = A o (B o C) if the values of B are coordinates of A and those
// of C are coordinates of B.
TEST(Compose, IsAssociative) {
  std::vector<Layout> layouts = allLayouts(2, {2, 3, 4}, {1, 2, 3, 4});
  int numChecked = 0;
  for (const Layout &a : layouts)
    for (const Layout &b : layouts) {
      Result<Layout> ab = compose(a, b);
      if (!ab || b.cosize() > a.size())
        continue;
      for (const Layout &c : layouts) {
        Result<Layout> bc = compose(b, c);
        if (!bc || c.cosize() > b.size())
          continue;
        Result<Layout> abc = compose(*ab, c), same = compose(a, *bc);
        if (!abc || !same)
          continue;
        ++numChecked;
        ASSERT_TRUE(abc->isEquivalent(*same));
      }
    }
  EXPECT_GT(numChecked, 1000);
}

TEST(ComposeByMode, Examples) {
  EXPECT_EQ(text(compose(layout("(4,8):(1,4)"), tiler({"2:1", "4:2"}))),
            "(2,4):(1,8)");
  // A mode without a tiler is dropped: the tiler is a function of one index.
  EXPECT_EQ(text(compose(layout("(4,8):(1,4)"), tiler({"2:2"}))), "(2):(2)");
  EXPECT_EQ(text(compose(layout("12:3"), tiler({"4:2"}))), "(4):(6)");
  EXPECT_EQ(
      text(compose(layout("((2,2),8):((1,2),4)"),
                   Tiler::list({tiler({"2:1", "1:0"}), Tiler(layout("4:2"))}))),
      "((2,1),4):((1,0),8)");
  EXPECT_EQ(text(compose(layout("(4,8):(1,4)"), Tiler::list({}))),
            "expected 1 to 2 tilers (the modes of (4,8):(1,4)), got 0");
  EXPECT_EQ(text(compose(layout("4:1"), tiler({"2:1", "2:1"}))),
            "expected 1 to 1 tilers (the modes of 4:1), got 2");
  EXPECT_EQ(text(compose(layout("(4,(2,2)):(1,(4,9))"), tiler({"2:1", "3:1"}))),
            "mode 1: composition is not a layout: at coordinate 2 of 3:1 the "
            "left layout (2,2):(4,9) gives 9, the candidate 3:4 gives 8");
}

TEST(ComposeByMode, ComposesEachMode) {
  std::vector<Layout> tilers = allLayouts(1, {1, 2, 3, 4}, {0, 1, 2, 3});
  for (const Layout &left : nested(allLayouts(3, {2, 3}, {1, 2, 6})))
    for (const Layout &first : tilers)
      for (const Layout &second : tilers) {
        Result<Layout> result = compose(left, Tiler::list({first, second}));
        Result<Layout> mode0 = compose(left.mode(0), first);
        Result<Layout> mode1 = compose(left.mode(1), second);
        ASSERT_EQ(bool(result), mode0 && mode1);
        if (!result)
          continue;
        ASSERT_EQ(result->rank(), left.rank());
        ASSERT_EQ(result->mode(0), *mode0);
        ASSERT_EQ(result->mode(1), *mode1);
      }
}
