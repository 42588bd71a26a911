// Element.cpp - one element of a tile on a CPU: storage, arithmetic, conversion
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <cmath>

using namespace mlir;
using namespace tile::cpu;

bool tile::cpu::isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

bool tile::cpu::isSmallFloat(Type type) {
  return isFloat8(type) || isa<Float16Type, BFloat16Type>(type);
}

bool tile::cpu::isStoredAsBits(Type type) {
  return isFloat8(type) || isa<BFloat16Type>(type);
}

Type tile::cpu::getStorageType(Type element) {
  return isStoredAsBits(element)
             ? IntegerType::get(element.getContext(),
                                element.getIntOrFloatBitWidth())
             : element;
}

Type tile::cpu::getComputeType(Type element) {
  return isSmallFloat(element) ? Float32Type::get(element.getContext())
                               : element;
}

//===----------------------------------------------------------------------===//
// Bits of an f32
//===----------------------------------------------------------------------===//

namespace {
/// A builder of arithmetic on the bits of floating-point numbers.
struct Bits : ImplicitLocOpBuilder {
  using ImplicitLocOpBuilder::ImplicitLocOpBuilder;

  Bits(OpBuilder &builder, Location loc) : ImplicitLocOpBuilder(loc, builder) {}

  Value integer(Type type, int64_t value) {
    APInt bits(type.getIntOrFloatBitWidth(), static_cast<uint64_t>(value),
               /*isSigned=*/true, /*implicitTrunc=*/true);
    return arith::ConstantOp::create(*this, getIntegerAttr(type, bits));
  }
  Value integer(int64_t value) { return integer(getI32Type(), value); }
  Value real(Type type, double value) {
    return arith::ConstantOp::create(*this, getFloatAttr(type, value));
  }
  Value bitcast(Type type, Value value) {
    return arith::BitcastOp::create(*this, type, value);
  }
  Value add(Value a, Value b) { return arith::AddIOp::create(*this, a, b); }
  Value sub(Value a, Value b) { return arith::SubIOp::create(*this, a, b); }
  Value bitAnd(Value a, Value b) { return arith::AndIOp::create(*this, a, b); }
  Value bitOr(Value a, Value b) { return arith::OrIOp::create(*this, a, b); }
  Value shiftRight(Value a, int64_t count) {
    return arith::ShRUIOp::create(*this, a, integer(a.getType(), count));
  }
  Value shiftLeft(Value a, int64_t count) {
    return arith::ShLIOp::create(*this, a, integer(a.getType(), count));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(*this, predicate, a, b);
  }
  Value compare(arith::CmpFPredicate predicate, Value a, Value b) {
    return arith::CmpFOp::create(*this, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return arith::SelectOp::create(*this, condition, a, b);
  }
  Value isNaN(Value value) {
    return compare(arith::CmpFPredicate::UNO, value, value);
  }
  /// The magnitude bits of an f32, shifted right by `count` to nearest, ties to
  /// even.
  Value roundShift(Value bits, int64_t count) {
    Value odd = bitAnd(shiftRight(bits, count), integer(1));
    Value half = integer((int64_t(1) << (count - 1)) - 1);
    return shiftRight(add(add(bits, half), odd), count);
  }
};

/// The format of an f8 type.
struct Float8Format {
  int64_t mantissaBits;
  int64_t bias;
  /// The codes of the largest finite number and of what lies beyond it.
  int64_t largest;
  int64_t overflow;
};
} // namespace

static Float8Format getFormat(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return {3, 7, 0x7e, 0x7f}; // beyond 448: NaN
  return {2, 15, 0x7b, 0x7c};  // beyond 57344: infinity
}

//===----------------------------------------------------------------------===//
// Widening
//===----------------------------------------------------------------------===//

/// f8E4M3FN: its exponent and mantissa fall into those of an f32 that is
/// 2^(127-7) too small; a multiplication by it is exact, also for denormals.
static Value widenFloat8E4M3FN(Bits &b, Value value) {
  Value bits = arith::ExtUIOp::create(b, b.getI32Type(), value);
  Value magnitude = b.bitAnd(bits, b.integer(0x7f));
  Value sign = b.shiftLeft(b.bitAnd(bits, b.integer(0x80)), 24);
  Value small =
      b.bitcast(b.getF32Type(), b.bitOr(b.shiftLeft(magnitude, 20), sign));
  Value scaled =
      arith::MulFOp::create(b, small, b.real(b.getF32Type(), 0x1p120));
  Value isNaN = b.compare(arith::CmpIPredicate::eq, magnitude, b.integer(0x7f));
  return b.select(isNaN, b.real(b.getF32Type(), std::nan("")), scaled);
}

Value tile::cpu::widen(OpBuilder &builder, Location loc, Value value,
                       Type element) {
  Bits b(builder, loc);
  Type f32 = b.getF32Type();
  if (isa<Float16Type>(element))
    return arith::ExtFOp::create(b, f32, value);
  if (isa<BFloat16Type>(element)) {
    Value wide = arith::ExtUIOp::create(b, b.getI32Type(), value);
    return b.bitcast(f32, b.shiftLeft(wide, 16));
  }
  if (isa<Float8E5M2Type>(element)) {
    // The upper byte of an f16.
    Value bits = arith::ExtUIOp::create(b, b.getI16Type(), value);
    Value half = b.bitcast(b.getF16Type(), b.shiftLeft(bits, 8));
    return arith::ExtFOp::create(b, f32, half);
  }
  if (isa<Float8E4M3FNType>(element))
    return widenFloat8E4M3FN(b, value);
  return value;
}

//===----------------------------------------------------------------------===//
// Narrowing
//===----------------------------------------------------------------------===//

/// An f64 as an f32, inexact ones to that neighbour whose last bit is set.
/// Rounding the result to a type of at most 22 bits is as rounding once.
static Value roundToOdd(Bits &b, Value value) {
  Type f32 = b.getF32Type(), f64 = b.getF64Type();
  Value nearest = arith::TruncFOp::create(b, f32, value);
  Value back = arith::ExtFOp::create(b, f64, nearest);
  Value tooLarge =
      b.compare(arith::CmpFPredicate::OGT, math::AbsFOp::create(b, back),
                math::AbsFOp::create(b, value));
  Value bits = b.bitcast(b.getI32Type(), nearest);
  Value towardsZero = b.select(tooLarge, b.sub(bits, b.integer(1)), bits);
  Value odd = b.bitcast(f32, b.bitOr(towardsZero, b.integer(1)));
  Value inexact = b.compare(arith::CmpFPredicate::ONE, back, value);
  return b.select(inexact, odd, nearest);
}

static Value narrowToBFloat16(Bits &b, Value value) {
  Value bits = b.bitcast(b.getI32Type(), value);
  Value rounded = b.roundShift(bits, 16);
  Value quiet = b.bitOr(b.shiftRight(bits, 16), b.integer(0x40));
  Value result = b.select(b.isNaN(value), quiet, rounded);
  return arith::TruncIOp::create(b, b.getI16Type(), result);
}

/// The code of the magnitude `bits` of an f32 below the smallest normal number
/// of `format`: the addition of a number whose last place is the denormals'
/// step rounds to it.
static Value getDenormalCode(Bits &b, Value bits, const Float8Format &format) {
  int64_t stepExponent = 1 - format.bias - format.mantissaBits;
  Value magic = b.real(b.getF32Type(), std::ldexp(1.0, 23 + stepExponent));
  Value sum = arith::AddFOp::create(b, b.bitcast(b.getF32Type(), bits), magic);
  return b.sub(b.bitcast(b.getI32Type(), sum),
               b.bitcast(b.getI32Type(), magic));
}

static Value narrowToFloat8(Bits &b, Value value, const Float8Format &format,
                            OutOfRange outOfRange) {
  Value bits = b.bitcast(b.getI32Type(), value);
  Value magnitude = b.bitAnd(bits, b.integer(0x7fffffff));
  int64_t shift = 23 - format.mantissaBits;
  Value normal = b.sub(b.roundShift(magnitude, shift),
                       b.integer((127 - format.bias) << format.mantissaBits));
  Value isDenormal = b.compare(arith::CmpIPredicate::ult, magnitude,
                               b.integer((127 + 1 - format.bias) << 23));
  Value code =
      b.select(isDenormal, getDenormalCode(b, magnitude, format), normal);
  Value limit = b.integer(outOfRange == OutOfRange::Saturate ? format.largest
                                                             : format.overflow);
  code = arith::MinSIOp::create(b, code, limit);
  Value sign = b.shiftRight(b.bitAnd(bits, b.integer(0x80000000)), 24);
  code = b.select(b.isNaN(value), b.integer(0x7f), b.bitOr(code, sign));
  return arith::TruncIOp::create(b, b.getI8Type(), code);
}

Value tile::cpu::narrow(OpBuilder &builder, Location loc, Value value,
                        Type element, OutOfRange outOfRange) {
  Bits b(builder, loc);
  if (isSmallFloat(element) && value.getType().isF64())
    value = roundToOdd(b, value);
  if (isa<Float16Type>(element))
    return arith::TruncFOp::create(b, element, value);
  if (isa<BFloat16Type>(element))
    return narrowToBFloat16(b, value);
  if (isFloat8(element))
    return narrowToFloat8(b, value, getFormat(element), outOfRange);
  if (element.isF32() && value.getType().isF64())
    return arith::TruncFOp::create(b, element, value);
  if (element.isF64() && value.getType().isF32())
    return arith::ExtFOp::create(b, element, value);
  return value;
}

Value tile::cpu::roundToTf32(OpBuilder &builder, Location loc, Value value) {
  Bits b(builder, loc);
  Value bits = b.bitcast(b.getI32Type(), value);
  Value exponent = b.bitAnd(bits, b.integer(0x7f800000));
  Value isFinite =
      b.compare(arith::CmpIPredicate::ne, exponent, b.integer(0x7f800000));
  Value rounded =
      b.bitAnd(b.add(bits, b.integer(0x1000)), b.integer(~int64_t(0x1fff)));
  return b.bitcast(b.getF32Type(), b.select(isFinite, rounded, bits));
}

//===----------------------------------------------------------------------===//
// Conversion
//===----------------------------------------------------------------------===//

/// The range of an integer type: [smallest, largest].
static std::pair<APInt, APInt> getRange(unsigned width, bool isUnsigned) {
  if (isUnsigned)
    return {APInt::getMinValue(width), APInt::getMaxValue(width)};
  return {APInt::getSignedMinValue(width), APInt::getSignedMaxValue(width)};
}

/// f32 or f64 to an integer. A saturated NaN is zero.
static Value floatToInteger(Bits &b, Value value, IntegerType to,
                            ConversionFlags flags) {
  Value converted = flags.isUnsigned
                        ? arith::FPToUIOp::create(b, to, value).getResult()
                        : arith::FPToSIOp::create(b, to, value).getResult();
  if (flags.outOfRange == OutOfRange::Overflow)
    return converted;
  // Bounds as f64 are exact: the smallest value, and the largest plus one.
  unsigned width = to.getWidth();
  auto [smallest, largest] = getRange(width, flags.isUnsigned);
  double low = flags.isUnsigned ? 0.0 : -std::ldexp(1.0, width - 1);
  double high = std::ldexp(1.0, flags.isUnsigned ? width : width - 1);
  if (value.getType().isF32())
    value = arith::ExtFOp::create(b, b.getF64Type(), value);
  Value isLow =
      b.compare(arith::CmpFPredicate::OLE, value, b.real(b.getF64Type(), low));
  Value isHigh =
      b.compare(arith::CmpFPredicate::OGE, value, b.real(b.getF64Type(), high));
  Value lowest = arith::ConstantOp::create(b, b.getIntegerAttr(to, smallest));
  Value highest = arith::ConstantOp::create(b, b.getIntegerAttr(to, largest));
  Value result = b.select(isHigh, highest, b.select(isLow, lowest, converted));
  return b.select(b.isNaN(value), b.integer(to, 0), result);
}

/// An integer to f32 or f64, or to f64 rounded to odd where `jam` is set: an
/// i64 has more bits than an f64.
static Value integerToFloat(Bits &b, Value value, Type to, bool isUnsigned,
                            bool jam) {
  if (jam && value.getType().isInteger(64)) {
    Value low = b.bitAnd(value, b.integer(value.getType(), 0x7ff));
    Value sticky =
        b.compare(arith::CmpIPredicate::ne, low, b.integer(value.getType(), 0));
    Value bit = b.select(sticky, b.integer(value.getType(), 0x800),
                         b.integer(value.getType(), 0));
    Value jammed = b.bitOr(b.sub(value, low), bit);
    Value top =
        isUnsigned
            ? b.shiftRight(value, 53)
            : b.sub(arith::ShRSIOp::create(b, b.shiftLeft(value, 10),
                                           b.integer(value.getType(), 10)),
                    value);
    Value isLarge =
        b.compare(arith::CmpIPredicate::ne, top, b.integer(value.getType(), 0));
    value = b.select(isLarge, jammed, value);
  }
  if (isUnsigned)
    return arith::UIToFPOp::create(b, to, value);
  return arith::SIToFPOp::create(b, to, value);
}

/// Clamps `value` to the range of a narrower integer.
static Value clampInteger(Bits &b, Value value, unsigned width,
                          bool isUnsigned) {
  auto type = cast<IntegerType>(value.getType());
  auto [smallest, largest] = getRange(width, isUnsigned);
  auto constant = [&](APInt bound) -> Value {
    APInt wide =
        isUnsigned ? bound.zext(type.getWidth()) : bound.sext(type.getWidth());
    return arith::ConstantOp::create(b, b.getIntegerAttr(type, wide));
  };
  if (isUnsigned)
    return arith::MinUIOp::create(b, value, constant(largest));
  value = arith::MaxSIOp::create(b, value, constant(smallest));
  return arith::MinSIOp::create(b, value, constant(largest));
}

static Value integerToInteger(Bits &b, Value value, IntegerType to,
                              ConversionFlags flags) {
  unsigned from = cast<IntegerType>(value.getType()).getWidth();
  if (from == to.getWidth())
    return value;
  if (from > to.getWidth()) {
    if (flags.outOfRange == OutOfRange::Saturate)
      value = clampInteger(b, value, to.getWidth(), flags.isUnsigned);
    return arith::TruncIOp::create(b, to, value);
  }
  if (flags.isUnsigned)
    return arith::ExtUIOp::create(b, to, value);
  return arith::ExtSIOp::create(b, to, value);
}

/// Between types that are not index and not equal.
static Value convertNumber(Bits &b, Value value, Type from, Type to,
                           ConversionFlags flags) {
  bool toBool = to.isInteger(1);
  flags.isUnsigned |= from.isInteger(1); // true is one
  if (isa<FloatType>(from)) {
    Value wide = widen(b, b.getLoc(), value, from);
    if (toBool)
      return b.compare(arith::CmpFPredicate::UNE, wide,
                       b.real(wide.getType(), 0.0));
    if (auto integer = dyn_cast<IntegerType>(to))
      return floatToInteger(b, wide, integer, flags);
    // A conversion to f8 always saturates where tile.cast asks for it.
    return narrow(b, b.getLoc(), wide, to, flags.outOfRange);
  }
  if (toBool)
    return b.compare(arith::CmpIPredicate::ne, value,
                     b.integer(value.getType(), 0));
  if (auto integer = dyn_cast<IntegerType>(to))
    return integerToInteger(b, value, integer, flags);
  bool isSmall = isSmallFloat(to);
  Value wide = integerToFloat(b, value, isSmall ? b.getF64Type() : to,
                              flags.isUnsigned, /*jam=*/isSmall);
  return narrow(b, b.getLoc(), wide, to, flags.outOfRange);
}

Value tile::cpu::convert(OpBuilder &builder, Location loc, Value value,
                         Type from, Type to, ConversionFlags flags) {
  if (from == to)
    return value;
  Bits b(builder, loc);
  if (flags.isBitcast) {
    Type storage = getStorageType(to);
    return storage == value.getType() ? value : b.bitcast(storage, value);
  }
  if (from.isIndex()) {
    value = arith::IndexCastOp::create(b, b.getI64Type(), value);
    return convert(b, loc, value, b.getI64Type(), to, flags);
  }
  if (to.isIndex()) {
    value = convert(b, loc, value, from, b.getI64Type(), flags);
    return arith::IndexCastOp::create(b, to, value);
  }
  return convertNumber(b, value, from, to, flags);
}
