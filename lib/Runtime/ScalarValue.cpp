// ScalarValue.cpp - parses scalar values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts the text of a scalar to the bytes of an element type.

#include "tile/Runtime/Arguments.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace tile::runtime;

namespace {
/// A binary floating-point format of at most 16 bits.
struct SmallFloat {
  int exponentBits;
  int mantissaBits;
  /// Whether the format has an infinity. If not, values whose exponent is all
  /// ones are finite, except for a NaN, whose mantissa is all ones, too
  /// (f8E4M3FN).
  bool hasInfinity;
};
} // namespace

static constexpr SmallFloat kF16 = {5, 10, true};
static constexpr SmallFloat kBF16 = {8, 7, true};
static constexpr SmallFloat kF8E5M2 = {5, 2, true};
static constexpr SmallFloat kF8E4M3FN = {4, 3, false};

/// Returns the bits of `value` in `format`, rounded to nearest even; nothing if
/// it is out of range.
static std::optional<uint16_t> encode(double value, SmallFloat format) {
  int mantissaBits = format.mantissaBits;
  unsigned sign =
      std::signbit(value) ? 1u << (format.exponentBits + mantissaBits) : 0u;
  unsigned infinity = ((1u << format.exponentBits) - 1) << mantissaBits;
  unsigned allOnes = infinity | ((1u << mantissaBits) - 1);
  if (std::isnan(value))
    return format.hasInfinity ? infinity | 1u << (mantissaBits - 1) : allOnes;
  if (std::isinf(value)) {
    if (!format.hasInfinity)
      return std::nullopt;
    return sign | infinity;
  }

  if (value == 0)
    return sign;

  // |value| = fraction * 2^exponent with 0.5 <= fraction < 1, so its leading
  // bit has the weight 2^(exponent - 1).
  int exponent = 0;
  (void)std::frexp(value, &exponent);
  int minExponent = 2 - (1 << (format.exponentBits - 1));
  int scale = std::max(exponent - 1, minExponent);
  // The value in units of the last bit of the result; ldexp is exact.
  double units =
      std::nearbyint(std::ldexp(std::fabs(value), mantissaBits - scale));
  // A value far out of range would not fit the field of the exponent.
  if (scale - minExponent > 1 << format.exponentBits)
    return std::nullopt;
  // A carry out of the mantissa increments the exponent.
  unsigned bits = (static_cast<unsigned>(scale - minExponent) << mantissaBits) +
                  static_cast<unsigned>(units);
  unsigned limit = format.hasInfinity ? infinity : allOnes;
  if (bits >= limit)
    return std::nullopt;
  return sign | bits;
}

template <typename T>
static void store(ScalarValue &scalar, T value, size_t offset = 0) {
  std::memcpy(scalar.bytes.data() + offset, &value, sizeof value);
}

/// Reads a double or, if `isF32`, a float, which is rounded only once, from the
/// start of `text`. Returns the rest of the text; null if there is no numeral
/// or it overflows.
static const char *readFloat(const char *text, double &value, bool isF32) {
  // strtod skips blanks.
  if (std::strchr(" \t\r\n\v\f", *text))
    return nullptr;
  char *end = nullptr;
  errno = 0;
  value = isF32 ? double(std::strtof(text, &end)) : std::strtod(text, &end);
  if (end == text || (errno == ERANGE && std::isinf(value)))
    return nullptr;
  return end;
}

static std::optional<double> parseFloat(const std::string &text, bool isF32) {
  double value;
  const char *end = readFloat(text.c_str(), value, isF32);
  // The text may contain a NUL character.
  if (!end || end != text.c_str() + text.size())
    return std::nullopt;
  return value;
}

/// Parses a complex number such as "1.5", "2j" or "1.5-2j", which may be in
/// parentheses.
static bool parseComplex(std::string text, bool isF32, double &real,
                         double &imaginary) {
  if (text.size() > 2 && text.front() == '(' && text.back() == ')')
    text = text.substr(1, text.size() - 2);
  real = imaginary = 0;
  const char *end = readFloat(text.c_str(), real, isF32);
  if (!end)
    return false;
  if (std::strcmp(end, "j") == 0) {
    std::swap(real, imaginary);
    return true;
  }
  if (*end == '\0')
    return true;
  if (*end != '+' && *end != '-')
    return false;
  end = readFloat(end, imaginary, isF32);
  return end && std::strcmp(end, "j") == 0;
}

/// Parses an integer that fits in `numBits` bits as a signed or as an unsigned
/// one.
static std::optional<int64_t> parseInteger(const std::string &text,
                                           unsigned numBits) {
  size_t start = text.size() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  bool isNegative = start == 1 && text[0] == '-';
  bool isHex = text.compare(start, 2, "0x") == 0;
  size_t digits = isHex ? start + 2 : start;
  const char *allowed = isHex ? "0123456789abcdefABCDEF" : "0123456789";
  if (digits >= text.size() ||
      text.find_first_not_of(allowed, digits) != text.npos)
    return std::nullopt;
  errno = 0;
  uint64_t magnitude =
      std::strtoull(text.c_str() + digits, nullptr, isHex ? 16 : 10);
  if (errno == ERANGE)
    return std::nullopt;
  uint64_t limit = isNegative ? uint64_t(1) << (numBits - 1)
                              : ~uint64_t(0) >> (64 - numBits);
  if (magnitude > limit)
    return std::nullopt;
  return static_cast<int64_t>(isNegative ? 0 - magnitude : magnitude);
}

/// Fills in the bytes of `scalar`. Returns false if `text` is not a value of
/// its type.
static bool parseInto(ScalarValue &scalar, const std::string &text) {
  auto storeInteger = [&](unsigned numBits) {
    std::optional<int64_t> value = parseInteger(text, numBits);
    if (value) // Little endian: the low bytes come first.
      std::memcpy(scalar.bytes.data(), &*value, numBits / 8);
    return value.has_value();
  };
  auto storeSmallFloat = [&](SmallFloat format) {
    std::optional<double> value = parseFloat(text, /*isF32=*/false);
    std::optional<uint16_t> bits =
        value ? encode(*value, format) : std::nullopt;
    if (bits)
      store(scalar, *bits);
    return bits.has_value();
  };
  auto storeComplex = [&](bool isF32) {
    double real, imaginary;
    if (!parseComplex(text, isF32, real, imaginary))
      return false;
    if (isF32) {
      store(scalar, static_cast<float>(real));
      store(scalar, static_cast<float>(imaginary), sizeof(float));
    } else {
      store(scalar, real);
      store(scalar, imaginary, sizeof(double));
    }
    return true;
  };

  switch (scalar.type) {
  case ElementType::F64:
  case ElementType::F32: {
    bool isF32 = scalar.type == ElementType::F32;
    std::optional<double> value = parseFloat(text, isF32);
    if (value && isF32)
      store(scalar, static_cast<float>(*value));
    else if (value)
      store(scalar, *value);
    return value.has_value();
  }
  case ElementType::F16:
    return storeSmallFloat(kF16);
  case ElementType::BF16:
    return storeSmallFloat(kBF16);
  case ElementType::F8E4M3FN:
    return storeSmallFloat(kF8E4M3FN);
  case ElementType::F8E5M2:
    return storeSmallFloat(kF8E5M2);
  case ElementType::I1:
    scalar.bytes[0] = text == "1" || text == "true";
    return scalar.bytes[0] || text == "0" || text == "false";
  case ElementType::I8:
    return storeInteger(8);
  case ElementType::I16:
    return storeInteger(16);
  case ElementType::I32:
    return storeInteger(32);
  case ElementType::I64:
  case ElementType::Index:
    return storeInteger(64);
  case ElementType::ComplexF32:
    return storeComplex(/*isF32=*/true);
  case ElementType::ComplexF64:
    return storeComplex(/*isF32=*/false);
  }
  return false;
}

Result<ScalarValue> tile::runtime::parseScalar(ElementType type,
                                               std::string_view text) {
  ScalarValue scalar;
  scalar.type = type;
  if (parseInto(scalar, std::string(text)))
    return scalar;
  return inputError("expected a number that ", getElementTypeName(type),
                    " can hold, found '", text, "'");
}
