// AlgebraTest.cpp - coalesce, compose, complement, divide, product, inverse
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each post-condition of Algebra.h over all small layouts, and each refusal
// against a search that asks whether an answer exists.

#include "tile/Layout/Algebra.h"

#include "AllLayouts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

using namespace tile;
using namespace tile::test;

static std::string text(const Result<Layout> &result) {
  return result ? toString(*result) : result.error();
}

//===----------------------------------------------------------------------===//
// Coalesce
//===----------------------------------------------------------------------===//

TEST(Coalesce, Examples) {
  EXPECT_EQ(coalesce(layout("(2,(1,6)):(1,(6,2))")), layout("12:1"));
  EXPECT_EQ(coalesce(layout("(1,1):(3,7)")), layout("1:0"));
  EXPECT_EQ(coalesce(layout("(2,4):(1,4)")), layout("(2,4):(1,4)"));
  EXPECT_EQ(coalesce(layout("((2,2),3):((0,0),0)")), layout("12:0"));
  EXPECT_EQ(coalesceByMode(layout("(2,(1,6)):(1,(6,2))")),
            layout("(2,6):(1,2)"));
  EXPECT_EQ(coalesceByMode(layout("((2,2),(2,3)):((1,2),(5,9))")),
            layout("(4,(2,3)):(1,(5,9))"));
  EXPECT_EQ(coalesceByMode(layout("1:5")), layout("1:0"));
}

/// Whether no pair of neighbours of a flat layout could be joined.
static bool isShortest(const Layout &layout) {
  FlatModes modes = layout.flattened();
  if (modes.size() == 1)
    return modes[0].first > 1 || modes[0].second == 0;
  for (size_t i = 0; i < modes.size(); ++i)
    if (modes[i].first == 1 ||
        (i > 0 && modes[i].second == modes[i - 1].first * modes[i - 1].second))
      return false;
  return true;
}

TEST(Coalesce, KeepsTheFunctionAndIsShortest) {
  for (const Layout &layout : manyLayouts()) {
    Layout result = coalesce(layout);
    ASSERT_EQ(valuesOf(result), valuesOf(layout)) << toString(layout);
    ASSERT_LE(result.depth(), 1u);
    ASSERT_TRUE(isShortest(result)) << toString(layout);
    ASSERT_EQ(coalesce(result), result);
  }
}

TEST(Coalesce, ByModeKeepsTheRank) {
  for (const Layout &layout : manyLayouts()) {
    Layout result = coalesceByMode(layout);
    ASSERT_EQ(result.rank(), layout.rank());
    ASSERT_EQ(valuesOf(result), valuesOf(layout)) << toString(layout);
    for (size_t i = 0; i < layout.rank(); ++i)
      ASSERT_EQ(result.mode(i), coalesce(layout.mode(i)));
  }
}

//===----------------------------------------------------------------------===//
// Compose
//===----------------------------------------------------------------------===//

TEST(Compose, Examples) {
  EXPECT_EQ(text(compose(layout("(6,2):(8,2)"), layout("(4,3):(3,1)"))),
            "((2,2),3):((24,2),8)");
  EXPECT_EQ(text(compose(layout("20:2"), layout("(5,4):(4,1)"))),
            "(5,4):(8,2)");
  EXPECT_EQ(text(compose(layout("(10,2):(16,4)"), layout("(5,4):(1,5)"))),
            "(5,(2,2)):(16,(80,4))");
  // Divides 72 out of (3,6,2,8): what is left is 4 of the last mode.
  EXPECT_EQ(text(compose(layout("(3,6,2,8):(1,3,18,100)"), layout("4:72"))),
            "4:200");
}

// Refused by the strong conditions; a check of the strides alone takes it and
// answers (2,3):(6,3), which is 3 at coordinate 2 instead of 7.
TEST(Compose, RefusesWithACounterExample) {
  EXPECT_EQ(text(compose(layout("(4,6,8):(2,3,5)"), layout("6:3"))),
            "composition is not a layout: at coordinate 3 of 6:3 the left "
            "layout (4,6,8):(2,3,5) gives 8, the candidate (2,3):(6,7) gives "
            "13");
  // A run of 2 cannot be repeated to make 3.
  EXPECT_EQ(text(compose(layout("(2,2):(1,5)"), layout("3:1"))),
            "composition is not a layout: at coordinate 2 of 3:1 the left "
            "layout (2,2):(1,5) gives 5, the candidate 3:1 gives 2");
  // Each integer of the right layout alone is fine; together 3 + 1 carries.
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

// Far beyond what can be enumerated.
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

// The last mode is unbounded, also where its extent is 1 and coalescing would
// forget its stride.
TEST(Compose, GoesOnBeyondTheLeftLayout) {
  EXPECT_EQ(text(compose(layout("(4,2):(1,10)"), layout("(4,5):(1,4)"))),
            "(4,5):(1,10)");
  EXPECT_EQ(text(compose(layout("(4,1):(1,7)"), layout("8:1"))), "(4,2):(1,7)");
  EXPECT_EQ(text(compose(layout("(4,1):(1,4)"), layout("8:1"))), "8:1");
}

/// Whether values are those of a layout of that size: every way to write the
/// size as an ordered product is tried, and each fixes the strides.
static bool isLayout(const std::vector<int64_t> &values) {
  int64_t size = values.size();
  if (values[0] != 0)
    return false;
  FlatModes modes;
  std::function<bool(int64_t)> extend = [&](int64_t done) {
    if (done == size)
      return modes.empty() || valuesOf(flatLayout(modes)) == values;
    for (int64_t extent = 2; done * extent <= size; ++extent) {
      if (size % (done * extent) != 0)
        continue;
      modes.push_back({extent, values[done]});
      if (extend(done * extent))
        return true;
      modes.pop_back();
    }
    return false;
  };
  return extend(1);
}

/// Whether a layout R with R(i) = left(right(i)), whose shape refines that of
/// `right`, exists. Each integer of right must give a layout on its own, and
/// those must add up. Everything is enumerated.
static bool hasComposition(const Layout &left, const Layout &right) {
  std::vector<std::vector<int64_t>> parts;
  for (auto [extent, stride] : right.flattened()) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < extent; ++i)
      values.push_back(valueAt(left, i * stride, /*isUnbounded=*/true));
    if (!isLayout(values))
      return false;
    parts.push_back(values);
  }
  std::vector<int64_t> arguments = valuesOf(right);
  for (int64_t i = 0; i < int64_t(arguments.size()); ++i) {
    int64_t sum = 0, rest = i;
    for (const std::vector<int64_t> &part : parts) {
      sum += part[rest % part.size()];
      rest /= part.size();
    }
    if (sum != valueAt(left, arguments[i], /*isUnbounded=*/true))
      return false;
  }
  return true;
}

/// The text after `key`, up to `end`.
static std::string between(const std::string &text, const std::string &key,
                           const std::string &end) {
  size_t from = text.find(key);
  EXPECT_NE(from, std::string::npos) << text;
  if (from == std::string::npos)
    return {};
  from += key.size();
  return text.substr(from, text.find(end, from) - from);
}

/// Checks that the refusal of left o right is a true counter-example.
static void checkCounterExample(const Layout &left, const Layout &right,
                                const std::string &error) {
  Layout part = layout(between(error, " of ", " the left"));
  ASSERT_EQ(between(error, "left layout ", " gives"), toString(left));
  IntTuple coord = tuple(between(error, "at coordinate ", " of "));
  int64_t value = std::stoll(between(error, toString(left) + " gives ", ","));
  Layout candidate = layout(between(error, "the candidate ", " gives"));
  std::string given = error.substr(error.rfind(' ') + 1);
  // The part is the right layout, or one of its integers.
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
/// What checkCompose has seen.
struct ComposeCounts {
  int accepted = 0;
  int refused = 0;
};
} // namespace

/// Checks acceptance both ways, the post-condition, the counter-example.
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

// The right layout a single integer.
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

// The right layout with two and three integers, overlapping ones among them.
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

// What is accepted although no division is exact: strides that happen to fit.
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

// (A o B) o C = A o (B o C), wherever B stays inside A and C inside B.
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
  EXPECT_EQ(text(composeByMode(layout("(4,8):(1,4)"),
                               {layout("2:1"), layout("4:2")})),
            "(2,4):(1,8)");
  EXPECT_EQ(text(composeByMode(layout("(4,8):(1,4)"), {layout("2:2")})),
            "(2,8):(2,4)");
  EXPECT_EQ(text(composeByMode(layout("12:3"), {layout("4:2")})), "4:6");
  EXPECT_EQ(text(composeByMode(layout("(4,8):(1,4)"), {})),
            "expected 1 to 2 tilers (the modes of (4,8):(1,4)), got 0");
  EXPECT_FALSE(composeByMode(layout("4:1"), {layout("2:1"), layout("2:1")}));
  EXPECT_EQ(text(composeByMode(layout("(4,(2,2)):(1,(4,9))"),
                               {layout("2:1"), layout("3:1")})),
            "mode 1: composition is not a layout: at coordinate 2 of 3:1 the "
            "left layout (2,2):(4,9) gives 9, the candidate 3:4 gives 8");
}

TEST(ComposeByMode, ComposesEachMode) {
  std::vector<Layout> tilers = allLayouts(1, {1, 2, 3, 4}, {0, 1, 2, 3});
  for (const Layout &left : nested(allLayouts(3, {2, 3}, {1, 2, 6})))
    for (const Layout &first : tilers)
      for (const Layout &second : tilers) {
        Result<Layout> result = composeByMode(left, {first, second});
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

//===----------------------------------------------------------------------===//
// Complement
//===----------------------------------------------------------------------===//

TEST(Complement, Examples) {
  EXPECT_EQ(text(complement(layout("4:1"), 24)), "6:4");
  EXPECT_EQ(text(complement(layout("6:4"), 24)), "4:1");
  EXPECT_EQ(text(complement(layout("(4,6):(1,4)"), 24)), "1:0");
  EXPECT_EQ(text(complement(layout("4:2"), 24)), "(2,3):(1,8)");
  EXPECT_EQ(text(complement(layout("(2,4):(1,6)"), 24)), "3:2");
  EXPECT_EQ(text(complement(layout("(2,2):(1,6)"), 24)), "(3,2):(2,12)");
  // Rounded up, and a layout that is larger than the bound.
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

/// Whether a set S exists such that each of 0 ... n-1, for some n >= bound, is
/// the sum of one member of `image` and one of S. The least number not yet
/// covered must be in S, so S is found or refuted by taking it.
static bool tilesAnInterval(const std::vector<int64_t> &image, int64_t bound) {
  std::set<int64_t> covered;
  // An interval of n >= 4 * (bound + span) has, if any, a shorter one in it
  // for all layouts tested here.
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
        // Refused only where no complement exists, layout or not.
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

//===----------------------------------------------------------------------===//
// Divide and product
//===----------------------------------------------------------------------===//

TEST(LogicalDivide, Examples) {
  EXPECT_EQ(text(logicalDivide(layout("(4,2,3):(2,1,8)"), layout("4:2"))),
            "((2,2),(2,3)):((4,1),(2,8))");
  // A tile that does not fit evenly goes beyond the layout.
  EXPECT_EQ(text(logicalDivide(layout("10:3"), layout("4:1"))), "(4,3):(3,12)");
  EXPECT_EQ(text(logicalDivide(layout("8:1"), layout("2:0"))),
            "no complement of 2:0: expected positive strides, got 0");
  EXPECT_EQ(text(logicalDivideByMode(layout("(4,8):(1,4)"),
                                     {layout("2:1"), layout("4:1")})),
            "((2,2),(4,2)):((1,2),(4,16))");
  EXPECT_EQ(text(logicalDivideByMode(layout("(4,8):(1,4)"), {layout("2:1")})),
            "((2,2),8):((1,2),4)");
  EXPECT_FALSE(logicalDivideByMode(layout("4:1"), {}));
  EXPECT_FALSE(logicalDivideByMode(layout("(4,8):(1,4)"),
                                   {layout("2:1"), layout("2:0")}));
}

TEST(LogicalDivide, SplitsTheLayoutIntoTiles) {
  std::vector<Layout> layouts = allLayouts(2, {1, 2, 3, 4, 6}, {0, 1, 2, 3, 8});
  for (const Layout &left : allLayouts(3, {2, 3}, {1, 2, 6}))
    layouts.push_back(left);
  std::vector<Layout> tiles = allLayouts(2, {1, 2, 3}, {1, 2, 4, 6});
  for (const Layout &tile : allLayouts(1, {1, 2, 3, 4, 6, 12}, {0, 1, 2, 3, 4}))
    tiles.push_back(tile);
  int numDivided = 0, numExact = 0;
  for (const Layout &any : layouts)
    for (const Layout &tile : tiles) {
      Result<Layout> rest = complement(tile, any.size());
      Result<Layout> result = logicalDivide(any, tile);
      bool expected = rest && hasComposition(any, *concatenate({tile, *rest}));
      ASSERT_EQ(bool(result), expected)
          << toString(any) << " / " << toString(tile) << ": " << text(result);
      if (!result)
        continue;
      ++numDivided;
      ASSERT_EQ(result->rank(), 2u);
      ASSERT_EQ(result->mode(0), *compose(any, tile));
      // Coordinate (i, j) is place rest(j) of the layout, element i of a tile.
      for (int64_t j = 0; j < rest->size(); ++j)
        for (int64_t i = 0; i < tile.size(); ++i)
          ASSERT_EQ((*result)(makeTuple(i, j)),
                    valueAt(any, tile(i) + (*rest)(j), /*isUnbounded=*/true))
              << toString(any) << " / " << toString(tile);
      // Where tiles fit evenly, they are the layout in another order.
      if (result->size() == any.size()) {
        ++numExact;
        std::vector<int64_t> a = valuesOf(any), b = valuesOf(*result);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        ASSERT_EQ(a, b);
      }
    }
  EXPECT_GT(numDivided, 5000);
  EXPECT_GT(numExact, 2000);
}

TEST(LogicalDivide, ByModeDividesEachMode) {
  std::vector<Layout> tilers = allLayouts(1, {1, 2, 3, 4}, {0, 1, 2});
  for (const Layout &any : nested(allLayouts(3, {2, 4}, {1, 2, 8})))
    for (const Layout &first : tilers)
      for (const Layout &second : tilers) {
        Result<Layout> result = logicalDivideByMode(any, {first, second});
        Result<Layout> mode0 = logicalDivide(any.mode(0), first);
        Result<Layout> mode1 = logicalDivide(any.mode(1), second);
        ASSERT_EQ(bool(result), mode0 && mode1);
        if (result) {
          ASSERT_EQ(*result, *concatenate({*mode0, *mode1}));
        }
      }
}

TEST(LogicalProduct, Examples) {
  EXPECT_EQ(text(logicalProduct(layout("(2,2):(4,1)"), layout("6:1"))),
            "((2,2),(2,3)):((4,1),(2,8))");
  EXPECT_EQ(text(logicalProduct(layout("4:1"), layout("(2,3):(3,1)"))),
            "(4,(2,3)):(1,(12,4))");
  EXPECT_FALSE(logicalProduct(layout("2:0"), layout("6:1")));
  EXPECT_FALSE(logicalProduct(*Layout::get(int64_t(1) << 32, 1),
                              *Layout::get(2, int64_t(1) << 40)));
}

TEST(LogicalProduct, CopiesTheTile) {
  std::vector<Layout> tiles = allLayouts(2, {1, 2, 3, 4}, {1, 2, 3, 4, 8});
  std::vector<Layout> grids = allLayouts(2, {1, 2, 3, 4}, {0, 1, 2, 3, 4});
  for (const Layout &grid : allLayouts(1, {1, 2, 6}, {0, 1, 2, 5}))
    grids.push_back(grid);
  int numProducts = 0;
  for (const Layout &tile : tiles)
    for (const Layout &grid : grids) {
      Result<Layout> result = logicalProduct(tile, grid);
      Result<Layout> places = complement(tile, tile.size() * grid.cosize());
      ASSERT_EQ(bool(result), places && hasComposition(*places, grid))
          << toString(tile) << " x " << toString(grid) << ": " << text(result);
      if (!result)
        continue;
      ++numProducts;
      ASSERT_EQ(result->rank(), 2u);
      ASSERT_EQ(result->mode(0), tile);
      ASSERT_TRUE(isCompatible(grid.shape(), result->mode(1).shape()));
      // Copies at equal places of the grid are the same, others are apart.
      std::map<int64_t, std::vector<int64_t>> copyAt;
      std::map<int64_t, int64_t> ownerOf;
      for (int64_t j = 0; j < grid.size(); ++j) {
        std::vector<int64_t> copy;
        for (int64_t i = 0; i < tile.size(); ++i) {
          int64_t value = (*result)(makeTuple(i, j));
          copy.push_back(value);
          ASSERT_EQ(ownerOf.emplace(value, grid(j)).first->second, grid(j))
              << toString(tile) << " x " << toString(grid);
        }
        ASSERT_EQ(copyAt.emplace(grid(j), copy).first->second, copy);
      }
      // A grid that counts fills without gaps.
      if (grid.isBijection() && tile.isBijection()) {
        ASSERT_TRUE(result->isBijection()) << text(result);
      }
    }
  EXPECT_GT(numProducts, 10000);
}

//===----------------------------------------------------------------------===//
// Inverse
//===----------------------------------------------------------------------===//

TEST(RightInverse, Examples) {
  EXPECT_EQ(text(rightInverse(layout("(4,8):(8,1)"))), "(8,4):(4,1)");
  EXPECT_EQ(text(rightInverse(layout("(4,8):(1,5)"))), "4:1");
  EXPECT_EQ(text(rightInverse(layout("(4,8):(2,16)"))), "1:0");
  EXPECT_EQ(text(rightInverse(layout("((2,2),3):((6,1),2)"))), "(6,2):(2,1)");
  // Of two modes of stride 1, the one with the longer chain.
  EXPECT_EQ(text(rightInverse(layout("(4,2,16):(1,1,2)"))), "32:4");
  EXPECT_EQ(text(rightInverse(layout("(2,4):(1,-2)"))),
            "expected strides that are not negative, got -2 in (2,4):(1,-2)");
  EXPECT_EQ(text(rightInverse(layout("(2,1):(1,-2)"))), "2:1");
}

/// The most elements that a chain of modes with strides 1, s0, s0*s1 ... takes.
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
