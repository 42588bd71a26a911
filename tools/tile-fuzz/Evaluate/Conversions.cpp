// Conversions.cpp - conversion of elements between types
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Arithmetic.h"

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

namespace {
/// The range [low, high) of an integer type.
struct IntegerRange {
  double low, high;

  IntegerRange(Type type, bool isUnsigned) {
    int bits = static_cast<int>(getIntegerBits(type));
    low = isUnsigned ? 0 : -std::ldexp(1.0, bits - 1);
    high = std::ldexp(1.0, isUnsigned ? bits : bits - 1);
  }
};
} // namespace

/// Returns the nearest integer of the type; zero for NaN.
static int64_t saturate(double value, Type to, bool isUnsigned) {
  unsigned bits = getIntegerBits(to);
  IntegerRange range(to, isUnsigned);
  if (std::isnan(value))
    return 0;
  if (value <= range.low)
    return isUnsigned ? 0 : std::numeric_limits<int64_t>::min() >> (64 - bits);
  if (value >= range.high)
    return isUnsigned ? static_cast<int64_t>(~uint64_t(0) >> (64 - bits))
                      : static_cast<int64_t>((uint64_t(1) << (bits - 1)) - 1);
  return isUnsigned ? static_cast<int64_t>(static_cast<uint64_t>(value))
                    : static_cast<int64_t>(value);
}

static Element castFloatToInteger(CastOp op, const Element &x, Type to) {
  bool isUnsigned = op.getUnsignedInteger();
  if (getIntegerBits(to) == 1)
    return x.isExact() ? Element::ofInteger(x.value != 0) : Element::unknown();
  Element whole = step(x, std::trunc);
  if (whole.isUnknown())
    return Element::unknown();
  return Element::ofInteger(
      wrapInteger(saturate(whole.value, to, isUnsigned), to));
}

/// Casts a floating-point value. Casts to f8 saturate to the largest finite
/// value.
static Element castFloat(const Element &x, Type to) {
  if (!isFloat8(to) || !x.isExact() || std::isnan(x.value))
    return rounded(x.value, x.error, to);
  double largest = getLargest(to);
  return rounded(std::clamp(x.value, -largest, largest), 0, to);
}

static Element castIntegerToFloat(CastOp op, const Element &x, Type from,
                                  Type to) {
  bool isUnsigned = op.getUnsignedInteger() || getIntegerBits(from) == 1;
  double value = isUnsigned ? static_cast<double>(getLowBits(x.integer, from))
                            : static_cast<double>(x.integer);
  // The conversion to float64 has rounded integers of more than 53 bits.
  if (std::fabs(value) > 0x1p53)
    return isFloat8(to) ? castFloat(Element::ofFloat(value), to)
                        : approximate(value, 0x1p-53 * std::fabs(value), 1, to);
  return castFloat(Element::ofFloat(value), to);
}

static Element castInteger(CastOp op, const Element &x, Type from, Type to) {
  bool isUnsigned = op.getUnsignedInteger() || getIntegerBits(from) == 1;
  unsigned bits = getIntegerBits(to);
  if (bits == 1)
    return Element::ofInteger(x.integer != 0);
  int64_t value = isUnsigned ? static_cast<int64_t>(getLowBits(x.integer, from))
                             : x.integer;
  if (op.getSaturate() && bits < 64) {
    int64_t high =
        (int64_t(1) << (op.getUnsignedInteger() ? bits : bits - 1)) - 1;
    int64_t low = op.getUnsignedInteger() ? 0 : -high - 1;
    if (op.getUnsignedInteger() && value < 0) // at least 2^63
      value = high;
    value = std::clamp(value, low, high);
  }
  return Element::ofInteger(wrapInteger(value, to));
}

static Element castBits(const Element &x, Type from, Type to) {
  if (!x.isExact() || std::isnan(x.value))
    return Element::unknown();
  uint64_t memory = 0;
  writeElement(&memory, x, from);
  return readElement(&memory, to);
}

Element tile::fuzz::castElement(CastOp op, const Element &x, Type from,
                                Type to) {
  if (x.isUnknown())
    return x;
  if (from == to)
    return x;
  if (op.getBitcast())
    return castBits(x, from, to);
  if (isInteger(from))
    return isInteger(to) ? castInteger(op, x, from, to)
                         : castIntegerToFloat(op, x, from, to);
  return isInteger(to) ? castFloatToInteger(op, x, to) : castFloat(x, to);
}
