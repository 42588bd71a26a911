// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Arguments.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

using namespace tile::runtime;

/// Returns the bytes of `text`, parsed as a `type`, as one integer.
template <typename T = uint64_t>
static std::optional<T> parse(ElementType type, const std::string &text) {
  Result<ScalarValue> scalar = parseScalar(type, text);
  if (!scalar)
    return std::nullopt;
  T value{};
  std::memcpy(&value, scalar->bytes.data(),
              std::min<size_t>(sizeof value, size_t(getByteSize(type))));
  return value;
}

TEST(ScalarValue, ParsesIntegers) {
  EXPECT_EQ(parse<int64_t>(ElementType::I64, "-9223372036854775808"),
            INT64_MIN);
  EXPECT_EQ(parse(ElementType::I64, "18446744073709551615"), UINT64_MAX);
  EXPECT_EQ(parse(ElementType::Index, "+7"), 7u);
  EXPECT_EQ(parse<int32_t>(ElementType::I32, "-1"), -1);
  EXPECT_EQ(parse(ElementType::I32, "0xFFFFFFFF"), 0xffffffffu);
  EXPECT_EQ(parse(ElementType::I16, "-0x8000"), 0x8000u);
  EXPECT_EQ(parse(ElementType::I8, "255"), 255u);
  EXPECT_EQ(parse(ElementType::I8, "-128"), 128u);
  EXPECT_EQ(parse(ElementType::I1, "true"), 1u);
  EXPECT_EQ(parse(ElementType::I1, "0"), 0u);
  for (const char *text : {"", "-", "+", "0x", "1.5", "1 ", " 1", "--1", "1e3",
                           "18446744073709551616", "-9223372036854775809"})
    EXPECT_FALSE(parse(ElementType::I64, text)) << text;
  EXPECT_FALSE(parse(ElementType::I8, "256"));
  EXPECT_FALSE(parse(ElementType::I8, "-129"));
  EXPECT_FALSE(parse(ElementType::I1, "2"));
}

TEST(ScalarValue, ParsesFloats) {
  EXPECT_EQ(parse<float>(ElementType::F32, "1.5"), 1.5f);
  EXPECT_EQ(parse<double>(ElementType::F64, "-1e-300"), -1e-300);
  EXPECT_EQ(parse<double>(ElementType::F64, "1e-400"), 0.0);
  EXPECT_TRUE(std::isnan(*parse<float>(ElementType::F32, "nan")));
  EXPECT_EQ(parse<float>(ElementType::F32, "-inf"), -INFINITY);
  EXPECT_FALSE(parse(ElementType::F32, "1e39"));
  EXPECT_FALSE(parse(ElementType::F64, "1e309"));
  for (const char *text : {"", " 1", "1 ", "1.5x", "x", "."})
    EXPECT_FALSE(parse(ElementType::F64, text)) << text;
  EXPECT_FALSE(parse(ElementType::F64, std::string("1\0", 2)));
}

/// Returns the value of `bits` in a format with the given widths of exponent
/// and mantissa.
static double decode(unsigned bits, int exponentBits, int mantissaBits) {
  int exponent = int(bits >> mantissaBits) & ((1 << exponentBits) - 1);
  int mantissa = int(bits) & ((1 << mantissaBits) - 1);
  int bias = (1 << (exponentBits - 1)) - 1;
  double value = exponent == 0 ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                               : std::ldexp(mantissa + (1 << mantissaBits),
                                            exponent - bias - mantissaBits);
  return bits >> (exponentBits + mantissaBits) ? -value : value;
}

// Every finite value of each small format is parsed to its own bits, and
// midpoints round to the even neighbour.
TEST(ScalarValue, RoundsToSmallFloats) {
  struct Format {
    ElementType type;
    int exponentBits, mantissaBits;
    unsigned numFinite; // with a sign bit of zero
  };
  for (Format format : {Format{ElementType::F16, 5, 10, 0x7c00},
                        {ElementType::BF16, 8, 7, 0x7f80},
                        {ElementType::F8E5M2, 5, 2, 0x7c},
                        {ElementType::F8E4M3FN, 4, 3, 0x7f}}) {
    auto text = [](double value) {
      char buffer[64];
      std::snprintf(buffer, sizeof buffer, "%.17g", value);
      return std::string(buffer);
    };
    auto value = [&](unsigned bits) {
      return decode(bits, format.exponentBits, format.mantissaBits);
    };
    unsigned sign = 1u << (format.exponentBits + format.mantissaBits);
    for (unsigned bits = 0; bits < format.numFinite; ++bits) {
      ASSERT_EQ(parse(format.type, text(value(bits))), bits);
      ASSERT_EQ(parse(format.type, text(-value(bits))), bits | sign);
      if (bits + 1 == format.numFinite)
        break;
      double middle = (value(bits) + value(bits + 1)) / 2;
      ASSERT_EQ(parse(format.type, text(middle)), bits + (bits & 1));
      ASSERT_EQ(parse(format.type, text(std::nextafter(middle, HUGE_VAL))),
                bits + 1);
      ASSERT_EQ(parse(format.type, text(std::nextafter(middle, 0))), bits);
    }
    // More than half a unit above the largest value is out of range; exactly
    // half only if the largest code is odd (448 of f8E4M3FN is even).
    double largest = value(format.numFinite - 1);
    double unit = largest - value(format.numFinite - 2);
    double limit = largest + unit / 2;
    EXPECT_EQ(parse(format.type, text(limit)).has_value(),
              format.numFinite % 2 == 1);
    EXPECT_FALSE(parse(format.type, text(std::nextafter(limit, HUGE_VAL))));
    EXPECT_EQ(parse(format.type, text(largest + unit / 4)),
              format.numFinite - 1);
    EXPECT_FALSE(parse(format.type, "1e300"));
  }
}

TEST(ScalarValue, ParsesSpecialSmallFloats) {
  EXPECT_EQ(parse(ElementType::F16, "inf"), 0x7c00u);
  EXPECT_EQ(parse(ElementType::F16, "-inf"), 0xfc00u);
  EXPECT_EQ(parse(ElementType::F16, "nan"), 0x7e00u);
  EXPECT_EQ(parse(ElementType::BF16, "nan"), 0x7fc0u);
  EXPECT_EQ(parse(ElementType::F8E4M3FN, "nan"), 0x7fu);
  EXPECT_FALSE(parse(ElementType::F8E4M3FN, "inf"));
  EXPECT_EQ(parse(ElementType::F8E4M3FN, "448"), 0x7eu);
  EXPECT_EQ(parse(ElementType::F8E5M2, "inf"), 0x7cu);
}

TEST(ScalarValue, ParsesComplex) {
  struct Complex {
    double real, imaginary;
  };
  auto expect = [](const char *text, double real, double imaginary) {
    auto value = parse<Complex>(ElementType::ComplexF64, text);
    ASSERT_TRUE(value) << text;
    EXPECT_EQ(value->real, real) << text;
    EXPECT_EQ(value->imaginary, imaginary) << text;
  };
  expect("1.5", 1.5, 0);
  expect("-2j", 0, -2);
  expect("1.5-2j", 1.5, -2);
  expect("(1e3+2.5e-1j)", 1000, 0.25);
  expect("inf-infj", INFINITY, -INFINITY);
  for (const char *text :
       {"", "j", "1+2", "1+j", "1 + 2j", "1j+2", "()", "(1", "1+2jj"})
    EXPECT_FALSE(parse<Complex>(ElementType::ComplexF64, text)) << text;
  struct Pair {
    float real, imaginary;
  };
  EXPECT_EQ(parse<Pair>(ElementType::ComplexF32, "1+2j")->imaginary, 2.0f);
}

TEST(ScalarValue, SaysWhatWasExpected) {
  EXPECT_EQ(parseScalar(ElementType::F16, "70000").error().message,
            "expected a number that f16 can hold, found '70000'");
}
