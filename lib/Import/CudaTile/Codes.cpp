// Codes.cpp - elements of CUDA Tile that are kept as their bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// f4E2M1FN is a sign, two bits of exponent with bias 1, and one of mantissa;
// f8E8M0FNU is the exponent of a power of two with bias 127, and 255 is NaN
// (OCP Microscaling Formats 1.0, sections 5.3.3 and 5.4.1).

#include "Codes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

namespace {
/// Arithmetic on integers, scalars or those of a tile, with constants.
struct Bits {
  KernelTranslator *t;
  Value bits;

  Value constant(int64_t value) const {
    return t->integer(bits.getType(), value);
  }
  template <typename Op>
  Bits apply(int64_t value) const {
    return {t, Op::create(t->b, bits, constant(value))};
  }
  Bits operator&(int64_t mask) const { return apply<arith::AndIOp>(mask); }
  Bits operator<<(int64_t count) const { return apply<arith::ShLIOp>(count); }
  Bits operator>>(int64_t count) const { return apply<arith::ShRUIOp>(count); }
  Bits operator|(Bits other) const {
    return {t, arith::OrIOp::create(t->b, bits, other.bits)};
  }
  Bits operator+(Bits other) const {
    return {t, arith::AddIOp::create(t->b, bits, other.bits)};
  }
  Value compare(arith::CmpIPredicate predicate, int64_t value) const {
    return arith::CmpIOp::create(t->b, predicate, bits, constant(value));
  }
  /// Returns these integers, but others where the condition is true.
  Bits replace(Value condition, int64_t value) const {
    return {t, t->select(condition, constant(value), bits)};
  }
};
} // namespace

Value tile::cudatile::decode(KernelTranslator &t, Value codes,
                             const SourceType *element, Type to) {
  auto type = cast<FloatType>(to);
  Type integer = t.b.getIntegerType(type.getWidth());
  // Both types have the exponents of f32.
  int64_t mantissa = type.getFPMantissaWidth() - 1;
  Bits bits{&t, t.castElements(codes, integer, /*isUnsigned=*/true)};
  auto toFloat = [&](Bits pattern) {
    return t.castElements(pattern.bits, to, /*isUnsigned=*/false,
                          /*isBitcast=*/true);
  };
  if (element->tag == TypeTag::f8E8M0FNU) {
    using arith::CmpIPredicate;
    Bits power = (bits << mantissa)
                     .replace(bits.compare(CmpIPredicate::eq, 0),
                              int64_t(1) << (mantissa - 1));
    // NaN has mantissa bits.
    return toFloat(power.replace(bits.compare(CmpIPredicate::eq, 255),
                                 int64_t(0x1ff) << (mantissa - 1)));
  }
  // The exponents of f4E2M1FN are 126 below those of the type.
  Bits sign = (bits & 8) << (type.getWidth() - 4);
  Value scaled = toFloat(((bits & 7) << (mantissa - 1)) | sign);
  return arith::MulFOp::create(t.b, scaled, t.real(scaled.getType(), 0x1p126));
}

/// Returns the code of the nearest f4E2M1FN: the count of the midpoints between
/// its values that are below; a midpoint goes to the even code. NaN becomes the
/// largest value (PTX ISA, "cvt", .satfinite).
static Value encodeF4(KernelTranslator &t, Value number) {
  constexpr double kMidpoints[] = {0.25, 0.75, 1.25, 1.75, 2.5, 3.5, 5.0};
  bool isWide = getElementTypeOrSelf(number).isF64();
  Type element = isWide ? t.b.getF64Type() : t.b.getF32Type();
  Value wide = t.castElements(number, element);
  Type integer = t.b.getIntegerType(isWide ? 64 : 32);
  Bits bits{&t, t.castElements(wide, integer, /*isUnsigned=*/false,
                               /*isBitcast=*/true)};
  int64_t signBit = isWide ? 63 : 31;
  Value size =
      t.castElements((bits & int64_t((uint64_t(1) << signBit) - 1)).bits,
                     element, /*isUnsigned=*/false, /*isBitcast=*/true);
  Value isNumber =
      arith::CmpFOp::create(t.b, arith::CmpFPredicate::ORD, size, size);
  Bits code{&t, t.castElements((bits >> signBit << 3).bits, t.b.getI8Type())};
  Bits none = code & 0;
  code = {&t, t.select(isNumber, code.bits, none.bits)};
  for (auto [index, midpoint] : llvm::enumerate(kMidpoints)) {
    bool isOdd = index % 2 == 1;
    // Not below or equal, so that NaN is above all midpoints.
    Value isAbove = arith::CmpFOp::create(
        t.b, isOdd ? arith::CmpFPredicate::UGE : arith::CmpFPredicate::UGT,
        size, t.real(size.getType(), midpoint));
    code = code + none.replace(isAbove, 1);
  }
  return code.bits;
}

/// Returns the exponent of a value as f8E8M0FNU: that of the power of two at
/// or below it, or at or above it. NaN and negative values, which it does not
/// have, become NaN.
static Value encodeE8M0(KernelTranslator &t, Value number, bool roundsUp) {
  using arith::CmpIPredicate;
  constexpr int64_t kMantissa = 52, kBias = 1023 - 127, kLargest = 254;
  Value wide = t.castElements(number, t.b.getF64Type());
  Bits bits{&t, t.castElements(wide, t.b.getI64Type(), /*isUnsigned=*/false,
                               /*isBitcast=*/true)};
  Bits exponent = (bits >> kMantissa) & 0x7ff;
  if (roundsUp) {
    Bits none = bits & 0, mantissa = bits & ((int64_t(1) << kMantissa) - 1);
    exponent =
        exponent + none.replace(mantissa.compare(CmpIPredicate::ne, 0), 1);
  }
  Bits code = exponent.apply<arith::SubIOp>(kBias)
                  .apply<arith::MaxSIOp>(0)
                  .apply<arith::MinSIOp>(kLargest);
  Value zero = t.real(wide.getType(), 0);
  // -0 is 0, the smallest value here.
  Value hasNone =
      arith::CmpFOp::create(t.b, arith::CmpFPredicate::ULT, wide, zero);
  return t.castElements(code.replace(hasNone, 255).bits, t.b.getI8Type());
}

Value tile::cudatile::encode(KernelTranslator &t, Value number,
                             const SourceType *element, bool roundsUp) {
  return element->tag == TypeTag::f4E2M1FN ? encodeF4(t, number)
                                           : encodeE8M0(t, number, roundsUp);
}

Value tile::cudatile::extendHalfBytes(KernelTranslator &t, Value codes,
                                      bool isSigned) {
  Bits bits{&t, codes};
  if (!isSigned)
    return (bits & 15).bits;
  return (bits << 4).apply<arith::ShRSIOp>(4).bits;
}
