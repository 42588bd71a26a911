// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Emulator/DeviceMath.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <set>

using namespace tile::emulator;

/// Returns the function `name` of the table as a function of type `Function`.
template <typename Function>
static Function *get(std::string_view name) {
  const DeviceFunction *found = findDeviceFunction(name);
  EXPECT_NE(found, nullptr) << name;
  return reinterpret_cast<Function *>(found->address);
}

TEST(DeviceMath, WidensEveryCode) {
  for (uint32_t code = 0; code < 0x10000; ++code) {
    // bf16 is the upper half of an f32.
    uint32_t bits = code << 16;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    double widened = widenBFloat(uint16_t(code));
    if (std::isnan(value))
      EXPECT_TRUE(std::isnan(widened));
    else
      EXPECT_EQ(widened, double(value)) << code;
  }
  EXPECT_EQ(widenHalf(0x3c00), 1.0);
  EXPECT_EQ(widenHalf(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(widenHalf(0xfbff), -65504.0);
  EXPECT_EQ(widenHalf(0x7c00), INFINITY);
  EXPECT_TRUE(std::isnan(widenHalf(0x7c01)));
}

namespace {
struct Format {
  uint16_t (*round)(double);
  double (*widen)(uint16_t);
  uint16_t infinity;
};
} // namespace

class RoundTest : public testing::TestWithParam<Format> {};

TEST_P(RoundTest, KeepsEveryCode) {
  Format format = GetParam();
  for (uint32_t code = 0; code < 0x10000; ++code) {
    double value = format.widen(uint16_t(code));
    if (!std::isnan(value))
      EXPECT_EQ(format.round(value), code);
    else
      EXPECT_TRUE(std::isnan(format.widen(format.round(value))));
  }
}

TEST_P(RoundTest, TakesTheNearestAndEvenOfTwo) {
  Format format = GetParam();
  for (uint16_t code = 0; code + 1 < format.infinity; ++code) {
    double low = format.widen(code), high = format.widen(code + 1);
    double middle = (low + high) / 2; // exact
    uint16_t even = code % 2 == 0 ? code : code + 1;
    EXPECT_EQ(format.round(middle), even);
    EXPECT_EQ(format.round(-middle), 0x8000 | even);
    EXPECT_EQ(format.round(std::nextafter(middle, 0)), code);
    EXPECT_EQ(format.round(std::nextafter(middle, INFINITY)), code + 1);
  }
}

TEST_P(RoundTest, Overflows) {
  Format format = GetParam();
  uint16_t largest = format.infinity - 1;
  double step = format.widen(largest) - format.widen(largest - 1);
  double limit = format.widen(largest) + step / 2;
  EXPECT_EQ(format.round(std::nextafter(limit, 0)), largest);
  EXPECT_EQ(format.round(limit), format.infinity);
  EXPECT_EQ(format.round(1e300), format.infinity);
  EXPECT_EQ(format.round(-INFINITY), 0x8000 | format.infinity);
  EXPECT_EQ(format.round(1e-300), 0);
}

INSTANTIATE_TEST_SUITE_P(DeviceMath, RoundTest,
                         testing::Values(Format{roundToHalf, widenHalf, 0x7c00},
                                         Format{roundToBFloat, widenBFloat,
                                                0x7f80}));

/// Returns an f16 in units of 2^-24, exactly.
static __int128 toUnits(uint32_t code) {
  return static_cast<__int128>(std::ldexp(widenHalf(uint16_t(code)), 24));
}

TEST(DeviceMath, FusesHalfWithOneRounding) {
  auto *fuse =
      get<uint32_t(uint32_t, uint32_t, uint32_t)>("tile_emulator_fma_f16");
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    uint32_t a = random() & 0xffff, b = random() & 0xffff,
             c = random() & 0xffff;
    // Products near a tie: the last bits of the accumulated value decide the
    // rounding.
    if (i % 2)
      b = 0x3c00 | (b & 0x3ff);
    if (std::isnan(widenHalf(a) * widenHalf(b) + widenHalf(c)) ||
        (a & 0x7fff) >= 0x7c00 || (b & 0x7fff) >= 0x7c00 ||
        (c & 0x7fff) >= 0x7c00)
      continue;
    // In units of 2^-48.
    __int128 exact = toUnits(a) * toUnits(b) + (toUnits(c) << 24);
    uint32_t result = fuse(a, b, c);
    if ((result & 0x7fff) == 0x7c00) {
      __int128 limit = static_cast<__int128>(65520) << 48;
      EXPECT_GE(exact < 0 ? -exact : exact, limit);
      continue;
    }
    auto distance = [&](uint32_t code) {
      __int128 difference = (toUnits(code) << 24) - exact;
      return difference < 0 ? -difference : difference;
    };
    for (uint32_t neighbour : {result - 1, result + 1}) {
      if ((neighbour & 0x7fff) >= 0x7c00 || (result & 0x7fff) == 0)
        continue;
      EXPECT_LE(distance(result), distance(neighbour));
      if (distance(result) == distance(neighbour))
        EXPECT_EQ(result % 2, 0u);
    }
  }
}

/// LLVM may widen a bf16 that is used in another basic block, and narrow it
/// there.
TEST(DeviceMath, NarrowsWhatWasWidenedToTheSameBits) {
  auto *narrow = get<float(float)>("__truncsfbf2");
  for (uint32_t code = 0; code < 0x10000; ++code) {
    uint32_t bits = code << 16, result;
    float widened;
    std::memcpy(&widened, &bits, sizeof bits);
    float narrowed = narrow(widened);
    std::memcpy(&result, &narrowed, sizeof bits);
    ASSERT_EQ(result & 0xffff, code);
  }
}

TEST(DeviceMath, FusesBFloatWithOneRounding) {
  auto *fuse =
      get<uint32_t(uint32_t, uint32_t, uint32_t)>("tile_emulator_fma_bf16");
  // 1.0 * (1 + 2^-7) + tiny: a tie of two roundings, not of one.
  uint32_t one = 0x3f80, next = 0x3f81, half = 0x3b80; // 2^-8
  EXPECT_EQ(fuse(one, next, half), 0x3f82u);           // tie to even
  uint32_t belowHalf = 0x3b7f;
  EXPECT_EQ(fuse(one, next, belowHalf), 0x3f81u);
  // In f64, (1 + 2^-8) + 2^-60 is a tie; the exact sum is above it.
  EXPECT_EQ(fuse(0x3f80, 0x3f80, 0x3b80), 0x3f80u);
  uint32_t big = roundToBFloat(std::ldexp(1.0, 100));
  uint32_t tie = roundToBFloat(std::ldexp(1.0, 92));
  uint32_t tiny = roundToBFloat(std::ldexp(1.0, -40));
  EXPECT_EQ(fuse(tie, one, big), big);
  // tie * (1 + 2^-7) is above the tie.
  EXPECT_EQ(fuse(tie, next, big), big + 1);
  // The result of the multiplication is a tie, and the much smaller addend
  // decides.
  uint32_t sum = fuse(roundToBFloat(1 + std::ldexp(1.0, -4)),
                      roundToBFloat(1 + std::ldexp(1.0, -4)), tiny);
  EXPECT_EQ(sum, 0x3f91u); // 1.12890625 + 2^-40, between 0x3f90 and 0x3f91
}

TEST(DeviceMath, RoundsIntegersOnce) {
  auto *fromSigned = get<uint32_t(int64_t)>("tile_emulator_i64_to_bf16");
  auto *fromUnsigned = get<uint32_t(uint64_t)>("tile_emulator_u64_to_bf16");
  // 2^62 + 2^54 is a tie between bf16 values; adding one exceeds it, which f64
  // would lose.
  int64_t tie = (int64_t(1) << 62) + (int64_t(1) << 54);
  EXPECT_EQ(widenBFloat(uint16_t(fromSigned(tie))), std::ldexp(1.0, 62));
  EXPECT_EQ(widenBFloat(uint16_t(fromSigned(tie + 1))),
            std::ldexp(1.0, 62) + std::ldexp(1.0, 55));
  EXPECT_EQ(widenBFloat(uint16_t(fromSigned(-tie - 1))),
            -std::ldexp(1.0, 62) - std::ldexp(1.0, 55));
  EXPECT_EQ(widenBFloat(uint16_t(fromSigned(INT64_MIN))), -std::ldexp(1.0, 63));
  EXPECT_EQ(widenBFloat(uint16_t(fromUnsigned(UINT64_MAX))),
            std::ldexp(1.0, 64));
  for (int64_t value = -300; value <= 300; ++value)
    EXPECT_EQ(fromSigned(value), roundToBFloat(double(value)));
}

TEST(DeviceMath, MaximumIsThatOfTheGpu) {
  auto *greater = get<float(float, float)>("__nv_fmaxf");
  auto *lesser = get<double(double, double)>("__nv_fmin");
  EXPECT_EQ(greater(1, NAN), 1);
  EXPECT_EQ(greater(NAN, 1), 1);
  EXPECT_TRUE(std::isnan(greater(NAN, NAN)));
  EXPECT_FALSE(std::signbit(greater(-0.0f, 0.0f)));
  EXPECT_FALSE(std::signbit(greater(0.0f, -0.0f)));
  EXPECT_TRUE(std::signbit(lesser(-0.0, 0.0)));
  EXPECT_TRUE(std::signbit(lesser(0.0, -0.0)));
  EXPECT_EQ(lesser(3, 2), 2);
}

/// Returns the distance of `value` from `exact` in f32 ulp.
static double getError(float value, double exact) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::fabs(double(value) - exact) / std::ldexp(1.0, exponent - 24);
}

TEST(DeviceMath, FunctionsKeepTheirBound) {
  std::mt19937 random(2);
  std::normal_distribution<float> normal;
  struct Case {
    const char *name;
    long double (*exact)(long double);
  };
  for (Case test : {Case{"__nv_expf", expl}, Case{"__nv_sinf", sinl},
                    Case{"__nv_tanhf", tanhl}, Case{"__nv_cbrtf", cbrtl},
                    Case{"__nv_expm1f", expm1l}, Case{"__nv_erff", erfl},
                    Case{"__nv_fast_cosf", cosl}}) {
    auto *function = get<float(float)>(test.name);
    double bound = findDeviceFunction(test.name)->ulp;
    for (int i = 0; i < 2000; ++i) {
      float x = 4 * normal(random);
      EXPECT_LE(getError(function(x), double(test.exact(x))), bound)
          << test.name << " of " << x;
    }
  }
}

TEST(DeviceMath, ReciprocalOfUpperHalf) {
  auto *reciprocal = get<double(double)>("tile_emulator_rcp_ftz_f64");
  double bound = findDeviceFunction("tile_emulator_rcp_ftz_f64")->ulp;
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int i = 0; i < 2000; ++i) {
    double x = normal(random), found = reciprocal(x);
    EXPECT_LE(std::fabs(found * x - 1), bound * 0x1p-52) << x;
    uint64_t bits;
    std::memcpy(&bits, &found, sizeof(bits));
    EXPECT_EQ(bits & 0xffffffff, 0u) << x;
  }
  EXPECT_EQ(reciprocal(-4), -0.25);
  EXPECT_EQ(reciprocal(0x1p-1030), INFINITY);
  EXPECT_EQ(reciprocal(-INFINITY), 0);
  EXPECT_TRUE(std::signbit(reciprocal(-0x1p1023)));
  EXPECT_EQ(reciprocal(-0x1p1023), 0);
  EXPECT_TRUE(std::isnan(reciprocal(NAN)));
}

TEST(DeviceMath, NamesAreDistinct) {
  std::set<std::string_view> names;
  for (const DeviceFunction &function : getDeviceFunctions()) {
    EXPECT_TRUE(names.insert(function.name).second) << function.name;
    EXPECT_NE(function.address, nullptr);
  }
  EXPECT_EQ(findDeviceFunction("__nv_unknown"), nullptr);
  EXPECT_EQ(findDeviceFunction("__nv_exp")->ulp, 1);
}
