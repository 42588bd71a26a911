// ComposedLayoutTest.cpp - tests outer o offset o inner, part by part
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/ComposedLayout.h"

#include "RandomLayouts.h"

#include "tile/Layout/Compose.h"
#include "tile/Layout/Divide.h"
#include "tile/Layout/Product.h"

#include <set>

using namespace tile;
using namespace tile::test;

/// Returns the composed layout of valid parts.
static ComposedLayout composed(ComposedLayout::Outer outer, int64_t offset,
                               std::string_view inner) {
  Result<ComposedLayout> result =
      ComposedLayout::get(std::move(outer), offset, layout(inner));
  EXPECT_TRUE(result) << text(result);
  return *result;
}

TEST(ComposedLayout, Examples) {
  ComposedLayout swizzled = composed(Swizzle{3, 4, 3}, 0, "(8,128):(128,1)");
  EXPECT_EQ(swizzled(9), 145);
  EXPECT_EQ(*swizzled.evaluate(tuple("(1,16)")), 128);
  EXPECT_EQ(swizzled.size(), 1024);
  EXPECT_EQ(swizzled.rank(), 2u);
  EXPECT_EQ(toString(swizzled), "S<3,4,3> o 0 o (8,128):(128,1)");
  EXPECT_EQ(swizzled.evaluate(tuple("(8,0)")).error(),
            "expected a coordinate from 0 to 7, got 8");
  // The offset is added before the swizzle: S(128 + 16) is not S(128) + 16.
  EXPECT_EQ(composed(Swizzle{3, 4, 3}, 128, "8:16")(1), 128);
  // compose() refuses this composition: 3, 10, 11, 12, 13 are not a layout's
  // values.
  ComposedLayout beyond = composed(layout("(4,2):(1,10)"), 3, "5:1");
  std::vector<int64_t> values;
  for (int64_t i = 0; i < beyond.size(); ++i)
    values.push_back(beyond(i));
  EXPECT_EQ(values, (std::vector<int64_t>{3, 10, 11, 12, 13}));
  EXPECT_EQ(toString(beyond), "(4,2):(1,10) o 3 o 5:1");
  EXPECT_EQ(composed(Swizzle(), 4, "5:-1")(4), 0);
  EXPECT_EQ(toString(composed(Swizzle(), 4, "5:-1")), "4 o 5:-1");
}

TEST(ComposedLayout, Refusals) {
  auto error = [](ComposedLayout::Outer outer, int64_t offset, Layout inner) {
    return text(ComposedLayout::get(std::move(outer), offset, inner));
  };
  EXPECT_EQ(error(Swizzle{3, 4, 3}, 3, layout("5:-1")),
            "expected values of 3 o 5:-1 that are not negative, got -1");
  EXPECT_EQ(error(Swizzle{3, 4, 2}, 0, layout("5:1")),
            "expected bits <= shift and bits + base + shift < 64, got "
            "S<3,4,2>");
  EXPECT_EQ(error(Swizzle(), INT64_MAX, layout("2:1")),
            "expected values that fit 64 bits, got 9223372036854775807 o 2:1");
  EXPECT_EQ(error(layout("2:4611686018427387904"), 0, layout("2:2")),
            "expected values that fit 64 bits, got "
            "2:4611686018427387904 at 2");
  // The outer layout is evaluated beyond its size.
  EXPECT_EQ(composed(layout("(4,2):(1,10)"), 8, "2:4")(1), 30);
}

/// Returns the value at `index` by evaluating each part separately.
static int64_t valueOfParts(const ComposedLayout &composed, int64_t index) {
  int64_t middle = composed.offset() + valueAt(composed.inner(), index);
  if (auto *swizzle = std::get_if<Swizzle>(&composed.outer()))
    return swizzle->apply(middle);
  return valueAt(std::get<Layout>(composed.outer()), middle,
                 /*isUnbounded=*/true);
}

static ComposedLayout::Outer randomOuter(Sequence &random) {
  if (random.next(2) == 0)
    return randomLayout(random);
  unsigned bits = random.next(3);
  return Swizzle{bits, unsigned(random.next(3)),
                 bits + unsigned(random.next(2))};
}

TEST(ComposedLayout, AppliesItsPartsInTurn) {
  Sequence random(6);
  int numComposed = 0, numRefused = 0, numDivided = 0;
  for (int i = 0; i < 3000; ++i) {
    Result<ComposedLayout> any = ComposedLayout::get(
        randomOuter(random), random.next(20), randomLayout(random));
    if (!any) {
      ++numRefused;
      continue;
    }
    for (int64_t j = 0; j < any->size(); ++j) {
      ASSERT_EQ((*any)(j), valueOfParts(*any, j)) << toString(*any);
      ASSERT_EQ(*any->evaluate(idx2crd(j, any->shape())), (*any)(j));
    }
    // A tiler that stays inside selects values of the layout.
    Tiler tiler = randomTiler(random, any->shape());
    Result<ComposedLayout> result = compose(*any, tiler);
    ASSERT_EQ(bool(result), bool(any->withInner(compose(any->inner(), tiler))));
    if (result && tiler.isLayout() && tiler.layout().cosize() <= any->size()) {
      ++numComposed;
      for (int64_t j = 0; j < result->size(); ++j)
        ASSERT_EQ((*result)(j), (*any)(tiler.layout()(j)))
            << toString(*any) << " o " << toString(tiler);
    }
    // A divide that fits evenly moves coordinates, not values.
    Result<ComposedLayout> divided =
        any->withInner(zippedDivide(any->inner(), tiler));
    if (divided && divided->size() == any->size()) {
      ++numDivided;
      std::multiset<int64_t> before, after;
      for (int64_t j = 0; j < any->size(); ++j) {
        before.insert((*any)(j));
        after.insert((*divided)(j));
      }
      ASSERT_EQ(before, after) << toString(*any) << " by " << toString(tiler);
    }
  }
  EXPECT_GT(numComposed, 200);
  EXPECT_GT(numDivided, 200);
  EXPECT_GT(numRefused, 100);
}

// A composition that compose() accepts is the composed layout with offset 0.
TEST(ComposedLayout, AgreesWithCompose) {
  Sequence random(7);
  int numChecked = 0;
  for (int i = 0; i < 3000; ++i) {
    Layout left = randomLayout(random), right = randomLayout(random);
    Result<Layout> one = compose(left, right);
    Result<ComposedLayout> parts = ComposedLayout::get(left, 0, right);
    if (!one || !parts)
      continue;
    ++numChecked;
    for (int64_t j = 0; j < right.size(); ++j)
      ASSERT_EQ((*one)(j), (*parts)(j)) << toString(*parts);
  }
  EXPECT_GT(numChecked, 500);
}

// A swizzle moves no value out of its block, so copies of a swizzled tile stay
// apart.
TEST(ComposedLayout, ProductOfASwizzledTileIsInjective) {
  ComposedLayout tile = composed(Swizzle{2, 1, 3}, 0, "(8,8):(8,1)");
  Result<ComposedLayout> result =
      tile.withInner(blockedProduct(tile.inner(), layout("(2,3):(3,1)")));
  ASSERT_TRUE(result) << text(result);
  std::set<int64_t> values;
  for (int64_t j = 0; j < result->size(); ++j)
    values.insert((*result)(j));
  EXPECT_EQ(int64_t(values.size()), result->size());
  EXPECT_EQ(*values.rbegin(), result->size() - 1);
}
