// Element.cpp - one element of a tile on a CPU: storage, arithmetic, conversion
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"

#include "tile/Conversion/FloatBits.h"

using namespace mlir;
using namespace tile;
using namespace tile::cpu;

bool tile::cpu::isSmallFloat(Type type) {
  return isFloat8(type) || isa<Float16Type, BFloat16Type>(type);
}

bool tile::cpu::isStoredAsBits(Type type) {
  return isFloat8(type) || isa<BFloat16Type>(type);
}

Type tile::cpu::getStorageType(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return vector.clone(getStorageType(vector.getElementType()));
  return isStoredAsBits(type)
             ? IntegerType::get(type.getContext(), type.getIntOrFloatBitWidth())
             : type;
}

Type tile::cpu::getComputeType(Type element) {
  return isSmallFloat(element) ? Float32Type::get(element.getContext())
                               : element;
}

//===----------------------------------------------------------------------===//
// Widening
//===----------------------------------------------------------------------===//

Value tile::cpu::widen(OpBuilder &builder, Location loc, Value value,
                       Type element) {
  BitBuilder b(builder, loc);
  Type f32 = b.getF32Type();
  if (isa<Float16Type>(element))
    return arith::ExtFOp::create(b, f32, value);
  if (isa<BFloat16Type>(element)) {
    Value wide = arith::ExtUIOp::create(b, b.getI32Type(), value);
    return b.bitcast(f32, b.shiftLeft(wide, 16));
  }
  if (isFloat8(element))
    return widenFloat8(b, value, element);
  return value;
}

//===----------------------------------------------------------------------===//
// Narrowing
//===----------------------------------------------------------------------===//

static Value narrowToBFloat16(BitBuilder &b, Value value) {
  Value bits = b.bitcast(b.getI32Type(), value);
  Value rounded = b.roundShift(bits, 16);
  Value quiet = b.bitOr(b.shiftRight(bits, 16), b.integer(0x40));
  Value result = b.select(b.isNaN(value), quiet, rounded);
  return arith::TruncIOp::create(b, b.getI16Type(), result);
}

Value tile::cpu::narrow(OpBuilder &builder, Location loc, Value value,
                        Type element, OutOfRange outOfRange) {
  BitBuilder b(builder, loc);
  if (isSmallFloat(element) && value.getType().isF64())
    value = roundToOdd(b, value);
  if (isa<Float16Type>(element))
    return arith::TruncFOp::create(b, element, value);
  if (isa<BFloat16Type>(element))
    return narrowToBFloat16(b, value);
  if (isFloat8(element))
    return narrowToFloat8(b, value, element,
                          outOfRange == OutOfRange::Saturate);
  if (element.isF32() && value.getType().isF64())
    return arith::TruncFOp::create(b, element, value);
  if (element.isF64() && value.getType().isF32())
    return arith::ExtFOp::create(b, element, value);
  return value;
}

Value tile::cpu::roundToTf32(OpBuilder &builder, Location loc, Value value) {
  BitBuilder b(builder, loc);
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

/// Returns the range of an integer type: [smallest, largest].
static std::pair<APInt, APInt> getRange(unsigned width, bool isUnsigned) {
  if (isUnsigned)
    return {APInt::getMinValue(width), APInt::getMaxValue(width)};
  return {APInt::getSignedMinValue(width), APInt::getSignedMaxValue(width)};
}

/// Converts an f32 or f64 to an integer; a value out of range becomes the
/// nearest integer of the type (DefineArithmetic.h).
static Value floatToInteger(BitBuilder &b, Value value, IntegerType to,
                            bool isUnsigned) {
  if (isUnsigned)
    return arith::FPToUIOp::create(b, to, value);
  return arith::FPToSIOp::create(b, to, value);
}

/// Converts an integer to f32 or f64. If `jam` is set, an i64, which has more
/// bits than the mantissa of an f64, is rounded to odd.
static Value integerToFloat(BitBuilder &b, Value value, Type to,
                            bool isUnsigned, bool jam) {
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
static Value clampInteger(BitBuilder &b, Value value, unsigned width,
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

static Value integerToInteger(BitBuilder &b, Value value, IntegerType to,
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

/// Converts between types that are not index and not equal.
static Value convertElement(BitBuilder &b, Value value, Type from, Type to,
                            ConversionFlags flags) {
  bool toBool = to.isInteger(1);
  flags.isUnsigned |= from.isInteger(1); // true is one
  if (isa<FloatType>(from)) {
    Value wide = widen(b, b.getLoc(), value, from);
    if (toBool)
      return b.compare(arith::CmpFPredicate::UNE, wide,
                       b.real(wide.getType(), 0.0));
    if (auto integer = dyn_cast<IntegerType>(to))
      return floatToInteger(b, wide, integer, flags.isUnsigned);
    // A conversion to f8 always saturates if tile.cast requests it.
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
  BitBuilder b(builder, loc);
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
  return convertElement(b, value, from, to, flags);
}
