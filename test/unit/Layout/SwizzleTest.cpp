// SwizzleTest.cpp - tests exclusive-or swizzles of offsets
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Swizzle.h"

#include "gtest/gtest.h"

#include <vector>

using namespace tile;

/// Returns all valid swizzles of up to 9 bits in total.
static std::vector<Swizzle> smallSwizzles() {
  std::vector<Swizzle> result;
  for (unsigned bits = 0; bits <= 3; ++bits)
    for (unsigned base = 0; base <= 3; ++base)
      for (unsigned shift = bits; bits + base + shift <= 9; ++shift)
        result.push_back({bits, base, shift});
  return result;
}

TEST(Swizzle, ValidExactlyWhenSourceAndTargetAreApart) {
  for (unsigned bits = 0; bits < 70; ++bits)
    for (unsigned base = 0; base < 70; ++base)
      for (unsigned shift = 0; shift < 70; ++shift) {
        bool expected = shift >= bits && bits + base + shift < 64;
        Result<Swizzle> result = Swizzle::get(bits, base, shift);
        ASSERT_EQ(bool(result), expected) << bits << base << shift;
        ASSERT_EQ((Swizzle{bits, base, shift}.isValid()), expected);
        if (result) {
          ASSERT_EQ(*result, (Swizzle{bits, base, shift}));
        }
      }
  // Sums of the parameters wrap in 32 bits.
  EXPECT_FALSE(Swizzle::get(1, 0xffffffff, 1));
  EXPECT_FALSE(Swizzle::get(0, 0x80000000, 0x80000000));
  EXPECT_EQ(
      Swizzle::get(3, 4, 2).error(),
      "expected bits <= shift and bits + base + shift < 64, got S<3,4,2>");
}

TEST(Swizzle, XorsEachBitWithTheOneShiftAbove) {
  for (const Swizzle &swizzle : smallSwizzles())
    for (int64_t x = 0; x < 2048; ++x)
      for (unsigned bit = 0; bit < 12; ++bit) {
        bool isTarget =
            bit >= swizzle.base && bit < swizzle.base + swizzle.bits;
        int64_t expected = x >> bit & 1;
        if (isTarget)
          expected ^= x >> (bit + swizzle.shift) & 1;
        ASSERT_EQ(swizzle.apply(x) >> bit & 1, expected) << x;
      }
}

TEST(Swizzle, IsItsOwnInverse) {
  for (const Swizzle &swizzle : smallSwizzles())
    for (int64_t x = 0; x < 2048; ++x) {
      ASSERT_EQ(swizzle.inverse().apply(swizzle.apply(x)), x);
      ASSERT_EQ(swizzle.apply(swizzle.apply(x)), x);
    }
}

TEST(Swizzle, IdentityKeepsEveryOffset) {
  for (const Swizzle &swizzle : smallSwizzles()) {
    bool isIdentity = true;
    for (int64_t x = 0; x < 1024; ++x)
      isIdentity &= swizzle.apply(x) == x;
    EXPECT_EQ(swizzle.isIdentity(), isIdentity);
  }
  EXPECT_TRUE(Swizzle().isIdentity());
  EXPECT_TRUE(Swizzle().isValid());
}

TEST(Swizzle, PeriodIsTheLeastShiftThatCommutes) {
  for (const Swizzle &swizzle : smallSwizzles()) {
    auto commutes = [&](int64_t p) {
      for (int64_t x = 0; x < 1024; ++x)
        if (swizzle.apply(x + p) != swizzle.apply(x) + p)
          return false;
      return true;
    };
    int64_t least = 1;
    while (!commutes(least))
      ++least;
    EXPECT_EQ(swizzle.period(), least)
        << swizzle.bits << swizzle.base << swizzle.shift;
  }
}

// The 16-byte unit u of row r of 128 bytes moves to unit u xor (r mod 8).
TEST(Swizzle, Of128BytesMovesUnitsByTheRow) {
  Swizzle swizzle{3, 4, 3};
  for (int64_t row = 0; row < 32; ++row)
    for (int64_t unit = 0; unit < 8; ++unit)
      EXPECT_EQ(swizzle.apply(row * 128 + unit * 16 + 5),
                row * 128 + (unit ^ (row % 8)) * 16 + 5);
  EXPECT_EQ(swizzle.period(), 1024);
}

TEST(Swizzle, LargestOffsetsStayInRange) {
  Swizzle swizzle = *Swizzle::get(31, 1, 31);
  EXPECT_EQ(swizzle.apply(swizzle.apply(INT64_MAX)), INT64_MAX);
  EXPECT_EQ(swizzle.apply(int64_t(1) << 62), (int64_t(1) << 62) | (1ll << 31));
  EXPECT_EQ(Swizzle::get(1, 30, 31)->period(), int64_t(1) << 62);
}
