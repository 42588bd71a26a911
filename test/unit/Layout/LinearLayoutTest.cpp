// LinearLayoutTest.cpp - tests layouts that are linear over the field GF(2)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/LinearLayout.h"

#include "AllLayouts.h"

#include <algorithm>
#include <set>

using namespace tile;
using namespace tile::test;

/// Returns all linear maps of up to 3 bits with values less than 8, and some
/// linear maps of 4 bits.
static std::vector<LinearLayout> manyMaps() {
  std::vector<LinearLayout> result = {*LinearLayout::get({})};
  for (uint64_t a = 0; a < 8; ++a) {
    result.push_back(*LinearLayout::get({a}));
    for (uint64_t b = 0; b < 8; ++b) {
      result.push_back(*LinearLayout::get({a, b}));
      for (uint64_t c = 0; c < 8; ++c)
        result.push_back(*LinearLayout::get({a, b, c}));
    }
  }
  Sequence sequence(2);
  for (int trial = 0; trial < 2000; ++trial)
    result.push_back(
        *LinearLayout::get({sequence.next(16), sequence.next(16),
                            sequence.next(16), sequence.next(16)}));
  return result;
}

static std::set<uint64_t> imageOf(const LinearLayout &map) {
  std::set<uint64_t> image;
  for (int64_t i = 0; i < map.size(); ++i)
    image.insert(map.apply(i));
  return image;
}

TEST(LinearLayout, AppliesByXor) {
  LinearLayout map = *LinearLayout::get({1, 2, 9});
  EXPECT_EQ(map.numBits(), 3u);
  EXPECT_EQ(map.size(), 8);
  EXPECT_EQ(map.apply(0), 0u);
  EXPECT_EQ(map.apply(5), 8u);
  EXPECT_EQ(map.apply(7), 10u);
  for (const LinearLayout &map : manyMaps())
    for (int64_t a = 0; a < map.size(); ++a)
      for (int64_t b = 0; b < map.size(); ++b)
        ASSERT_EQ(map.apply(a ^ b), map.apply(a) ^ map.apply(b));
}

TEST(LinearLayout, RefusesTooManyBits) {
  EXPECT_TRUE(LinearLayout::get(std::vector<uint64_t>(62, 1)));
  EXPECT_EQ(LinearLayout::get(std::vector<uint64_t>(63, 1)).error(),
            "expected at most 62 input bits, got 63");
  EXPECT_EQ(LinearLayout::identity(100).error(),
            "expected at most 62 input bits, got 100");
  EXPECT_EQ(LinearLayout::identity(62)->apply((uint64_t(1) << 62) - 1),
            (uint64_t(1) << 62) - 1);
}

TEST(LinearLayout, RankInjectiveSurjective) {
  for (const LinearLayout &map : manyMaps()) {
    std::set<uint64_t> image = imageOf(map);
    ASSERT_EQ(uint64_t(1) << map.rank(), image.size());
    ASSERT_EQ(map.isInjective(), int64_t(image.size()) == map.size());
    for (unsigned outBits = 0; outBits <= 5; ++outBits)
      ASSERT_EQ(map.isSurjective(outBits),
                image.size() == uint64_t(1) << outBits &&
                    *image.rbegin() == image.size() - 1);
    ASSERT_EQ(map.isBijection(),
              map.isInjective() && *image.rbegin() == image.size() - 1);
  }
  EXPECT_EQ(LinearLayout::get({uint64_t(1) << 63, UINT64_MAX})->rank(), 2u);
}

TEST(LinearLayout, InverseUndoesExactlyTheBijections) {
  int numBijections = 0;
  for (const LinearLayout &map : manyMaps()) {
    Result<LinearLayout> inverse = map.inverse();
    ASSERT_EQ(bool(inverse), map.isBijection());
    if (!inverse)
      continue;
    ++numBijections;
    for (int64_t i = 0; i < map.size(); ++i) {
      ASSERT_EQ(inverse->apply(map.apply(i)), uint64_t(i));
      ASSERT_EQ(map.apply(inverse->apply(i)), uint64_t(i));
    }
  }
  // The tested maps include all invertible ones of 0, 1, 2 and 3 bits (1, 1, 6
  // and 168), and some of 4 bits.
  EXPECT_GT(numBijections, 176);
  EXPECT_EQ(LinearLayout::get({1, 1})->inverse().error(),
            "expected a linear layout that permutes 0 to 3, got rank 1 for 2 "
            "bits or a value beyond them");
  EXPECT_FALSE(LinearLayout::get({1, 4})->inverse());
}

TEST(LinearLayout, ComposeAppliesRightFirst) {
  std::vector<LinearLayout> maps = manyMaps();
  int numComposed = 0;
  for (size_t i = 0; i < maps.size(); i += 5)
    for (size_t j = 0; j < maps.size(); j += 7) {
      const LinearLayout &left = maps[i], &right = maps[j];
      Result<LinearLayout> both = compose(left, right);
      bool fits = *imageOf(right).rbegin() < uint64_t(left.size());
      ASSERT_EQ(bool(both), fits);
      if (!both)
        continue;
      ++numComposed;
      ASSERT_EQ(both->numBits(), right.numBits());
      for (int64_t x = 0; x < right.size(); ++x)
        ASSERT_EQ(both->apply(x), left.apply(right.apply(x)));
    }
  EXPECT_GT(numComposed, 1000);
  EXPECT_EQ(
      compose(*LinearLayout::get({1, 2}), *LinearLayout::get({4})).error(),
      "expected values below 4 (the inputs of the left map), got 4");
}

// toLinear accepts a layout if and only if its values are linear over xor. The
// linear map then has the values of the layout.
TEST(LinearLayout, OfALayoutIsExactOrRefused) {
  int numLinear = 0, numCarries = 0;
  for (const Layout &layout : manyLayouts()) {
    std::vector<int64_t> values = valuesOf(layout);
    if (*std::min_element(values.begin(), values.end()) < 0) {
      ASSERT_FALSE(toLinear(layout)) << toString(layout);
      continue;
    }
    bool isPowerOfTwo = (layout.size() & (layout.size() - 1)) == 0;
    bool isLinear = isPowerOfTwo;
    for (size_t i = 0; isLinear && i < values.size(); ++i)
      for (size_t bit = 1; isLinear && bit < values.size(); bit *= 2)
        isLinear = values[i ^ bit] == (values[i] ^ values[bit]);
    Result<LinearLayout> linear = toLinear(layout);
    ASSERT_EQ(bool(linear), isLinear) << toString(layout);
    numLinear += isLinear;
    numCarries += isPowerOfTwo && !isLinear;
    if (!linear)
      continue;
    ASSERT_EQ(linear->size(), layout.size());
    for (int64_t i = 0; i < layout.size(); ++i)
      ASSERT_EQ(linear->apply(i), uint64_t(values[i])) << toString(layout);
  }
  EXPECT_GT(numLinear, 1000);
  EXPECT_GT(numCarries, 1000);
}

TEST(LinearLayout, RefusalsNameTheReason) {
  EXPECT_EQ(toLinear(layout("(4,6):(1,4)")).error(),
            "expected extents that are powers of two, got 6 in (4,6):(1,4)");
  EXPECT_EQ(toLinear(layout("4:-1")).error(),
            "expected strides that are not negative, got -1 in 4:-1");
  EXPECT_EQ(toLinear(layout("(2,4):(1,3)")).error(),
            "expected steps that add without carry, got 1 and 3: at index 3 "
            "the layout (2,4):(1,3) gives 4, xor gives 2");
}

TEST(LinearLayout, EqualityIsThatOfFunctions) {
  EXPECT_EQ(*toLinear(layout("(2,(2,4)):(1,(2,4))")),
            *toLinear(layout("16:1")));
  EXPECT_NE(*toLinear(layout("(2,4):(4,1)")), *toLinear(layout("8:1")));
  EXPECT_EQ(*toLinear(layout("1:0")), *LinearLayout::get({}));
}

TEST(LinearLayout, OfASwizzle) {
  for (unsigned bits = 0; bits <= 3; ++bits)
    for (unsigned base = 0; base <= 2; ++base)
      for (unsigned shift = bits; shift <= 4; ++shift) {
        Swizzle swizzle{bits, base, shift};
        // The linear layout may have fewer bits than the swizzle reads.
        for (unsigned numBits = 0; numBits <= 10; ++numBits) {
          Result<LinearLayout> linear = toLinear(swizzle, numBits);
          ASSERT_TRUE(linear);
          ASSERT_EQ(linear->size(), int64_t(1) << numBits);
          for (int64_t x = 0; x < linear->size(); ++x)
            ASSERT_EQ(linear->apply(x), uint64_t(swizzle.apply(x)));
        }
      }
  EXPECT_FALSE(toLinear(Swizzle{3, 0, 1}, 8));
  EXPECT_EQ(toLinear(Swizzle{3, 4, 3}, 63).error(),
            "expected at most 62 input bits, got 63");
}

TEST(LinearLayout, OfASwizzledLayout) {
  int numChecked = 0;
  for (const Layout &layout : allLayouts(2, {1, 2, 4, 8}, {0, 1, 2, 4, 8, 12}))
    for (const Swizzle &swizzle :
         {Swizzle{}, Swizzle{1, 0, 2}, Swizzle{2, 1, 2}, Swizzle{3, 0, 3}}) {
      Result<LinearLayout> linear = toLinear(swizzle, layout);
      ASSERT_EQ(bool(linear), bool(toLinear(layout)));
      if (!linear)
        continue;
      ++numChecked;
      for (int64_t i = 0; i < layout.size(); ++i)
        ASSERT_EQ(linear->apply(i), uint64_t(swizzle.apply(layout(i))));
    }
  EXPECT_GT(numChecked, 500);
  EXPECT_FALSE(toLinear(Swizzle{3, 0, 1}, layout("8:1")));
}
