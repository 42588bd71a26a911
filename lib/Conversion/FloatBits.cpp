// FloatBits.cpp - floating-point conversions by arithmetic on bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/FloatBits.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// The builder
//===----------------------------------------------------------------------===//

Value BitBuilder::integer(Type type, int64_t value) {
  APInt bits(type.getIntOrFloatBitWidth(), static_cast<uint64_t>(value),
             /*isSigned=*/true, /*implicitTrunc=*/true);
  return arith::ConstantOp::create(*this, getIntegerAttr(type, bits));
}

Value BitBuilder::real(Type type, double value) {
  return arith::ConstantOp::create(*this, getFloatAttr(type, value));
}

Value BitBuilder::bitcast(Type type, Value value) {
  return arith::BitcastOp::create(*this, type, value);
}

Value BitBuilder::add(Value a, Value b) {
  return arith::AddIOp::create(*this, a, b);
}

Value BitBuilder::sub(Value a, Value b) {
  return arith::SubIOp::create(*this, a, b);
}

Value BitBuilder::bitAnd(Value a, Value b) {
  return arith::AndIOp::create(*this, a, b);
}

Value BitBuilder::bitOr(Value a, Value b) {
  return arith::OrIOp::create(*this, a, b);
}

Value BitBuilder::shiftRight(Value a, int64_t count) {
  return arith::ShRUIOp::create(*this, a, integer(a.getType(), count));
}

Value BitBuilder::shiftLeft(Value a, int64_t count) {
  return arith::ShLIOp::create(*this, a, integer(a.getType(), count));
}

Value BitBuilder::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return arith::CmpIOp::create(*this, predicate, a, b);
}

Value BitBuilder::compare(arith::CmpFPredicate predicate, Value a, Value b) {
  return arith::CmpFOp::create(*this, predicate, a, b);
}

Value BitBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(*this, condition, a, b);
}

Value BitBuilder::isNaN(Value value) {
  return compare(arith::CmpFPredicate::UNO, value, value);
}

Value BitBuilder::roundShift(Value bits, int64_t count) {
  Value odd = bitAnd(shiftRight(bits, count), integer(1));
  Value half = integer((int64_t(1) << (count - 1)) - 1);
  return shiftRight(add(add(bits, half), odd), count);
}

//===----------------------------------------------------------------------===//
// f8
//===----------------------------------------------------------------------===//

bool tile::isFloat8(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type);
}

namespace {
/// The format of an f8 type.
struct Float8Format {
  int64_t mantissaBits;
  int64_t bias;
  /// The codes of the largest finite value and of values beyond it.
  int64_t largest;
  int64_t overflow;
};
} // namespace

static Float8Format getFormat(Type element) {
  if (isa<Float8E4M3FNType>(element))
    return {3, 7, 0x7e, 0x7f}; // beyond 448: NaN
  return {2, 15, 0x7b, 0x7c};  // beyond 57344: infinity
}

/// Widens f8E4M3FN: its exponent and mantissa become the corresponding bits of
/// an f32, which is too small by a factor of 2^(127-7). The multiplication by
/// this factor is exact, also for denormals.
static Value widenFloat8E4M3FN(BitBuilder &b, Value code) {
  Value bits = arith::ExtUIOp::create(b, b.getI32Type(), code);
  Value magnitude = b.bitAnd(bits, b.integer(0x7f));
  Value sign = b.shiftLeft(b.bitAnd(bits, b.integer(0x80)), 24);
  Value small =
      b.bitcast(b.getF32Type(), b.bitOr(b.shiftLeft(magnitude, 20), sign));
  Value scaled =
      arith::MulFOp::create(b, small, b.real(b.getF32Type(), 0x1p120));
  Value isNaN = b.compare(arith::CmpIPredicate::eq, magnitude, b.integer(0x7f));
  return b.select(isNaN, b.real(b.getF32Type(), std::nan("")), scaled);
}

Value tile::widenFloat8(BitBuilder &b, Value code, Type element) {
  if (isa<Float8E4M3FNType>(element))
    return widenFloat8E4M3FN(b, code);
  // f8E5M2 is the upper byte of an f16.
  Value bits = arith::ExtUIOp::create(b, b.getI16Type(), code);
  Value half = b.bitcast(b.getF16Type(), b.shiftLeft(bits, 8));
  return arith::ExtFOp::create(b, b.getF32Type(), half);
}

/// Returns the code in `format` of an f32 magnitude, given by its `bits`, that
/// is below the format's smallest normal value. The addition of an f32 whose
/// last bit is worth the distance of two denormals rounds the magnitude.
static Value getDenormalCode(BitBuilder &b, Value bits,
                             const Float8Format &format) {
  int64_t stepExponent = 1 - format.bias - format.mantissaBits;
  Value magic = b.real(b.getF32Type(), std::ldexp(1.0, 23 + stepExponent));
  Value sum = arith::AddFOp::create(b, b.bitcast(b.getF32Type(), bits), magic);
  return b.sub(b.bitcast(b.getI32Type(), sum),
               b.bitcast(b.getI32Type(), magic));
}

Value tile::narrowToFloat8(BitBuilder &b, Value value, Type element,
                           bool saturates) {
  Float8Format format = getFormat(element);
  Value bits = b.bitcast(b.getI32Type(), value);
  Value magnitude = b.bitAnd(bits, b.integer(0x7fffffff));
  int64_t shift = 23 - format.mantissaBits;
  Value normal = b.sub(b.roundShift(magnitude, shift),
                       b.integer((127 - format.bias) << format.mantissaBits));
  Value isDenormal = b.compare(arith::CmpIPredicate::ult, magnitude,
                               b.integer((127 + 1 - format.bias) << 23));
  Value code =
      b.select(isDenormal, getDenormalCode(b, magnitude, format), normal);
  Value limit = b.integer(saturates ? format.largest : format.overflow);
  code = arith::MinSIOp::create(b, code, limit);
  Value sign = b.shiftRight(b.bitAnd(bits, b.integer(0x80000000)), 24);
  code = b.select(b.isNaN(value), b.integer(0x7f), b.bitOr(code, sign));
  return arith::TruncIOp::create(b, b.getI8Type(), code);
}

//===----------------------------------------------------------------------===//
// Rounding once
//===----------------------------------------------------------------------===//

Value tile::roundToOdd(BitBuilder &b, Value value) {
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
