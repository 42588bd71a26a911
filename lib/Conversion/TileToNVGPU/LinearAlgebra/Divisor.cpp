// Divisor.cpp - quotients by one divisor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A divisor with exponent e and its dividends are multiplied by 2^(-e / 2). The
// exponent of a complex divisor is that of |re| + |im|. In f32 the scaled
// divisor is then from 2^-86, for the least subnormal value, to 2^64, and a
// scaled dividend overflows, or loses bits, only if the quotient does. The bits
// of the power of two are computed from those of the exponent by a shift and a
// subtraction.

#include "Divisor.h"

using namespace mlir;
using namespace tile;

Divisor::Divisor(OpBuilder &builder, Location loc, Value divisor)
    : ElementArithmetic(builder, loc, divisor.getType()),
      scale(createScale(divisor)), scaled(multiply(divisor, scale)),
      reciprocal(isComplex() ? createComplexReciprocal(scaled)
                             : createNormalReciprocal(scaled)) {}

Value Divisor::createScale(Value divisor) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(element).getFloatSemantics();
  unsigned width = element.getIntOrFloatBitWidth();
  unsigned mantissa = APFloat::semanticsPrecision(semantics) - 1;
  uint64_t bias = APFloat::semanticsMaxExponent(semantics);
  Type bits = index.builder.getIntegerType(width);
  auto constant = [&](uint64_t exponent) -> Value {
    return arith::ConstantOp::create(
        index.builder, index.loc,
        index.builder.getIntegerAttr(bits,
                                     APInt(width, exponent).shl(mantissa)));
  };
  Value one = arith::ConstantIntOp::create(index.builder, index.loc, bits, 1);
  Value size = isComplex() ? getSizeBits(divisor)
                           : create<arith::BitcastOp>(bits, divisor);
  Value half = create<arith::ShRUIOp>(size, one);
  half = create<arith::AndIOp>(half, constant(bias));
  return create<arith::BitcastOp>(
      element, create<arith::SubIOp>(constant(bias + bias / 2), half));
}

/// Computes a quotient by the reciprocal, and corrects it by its remainder.
Value Divisor::divide(Value dividend) {
  Value rest = multiply(dividend, scale);
  Value quotient = multiply(rest, reciprocal);
  rest = multiplyAdd(negate(quotient), scaled, rest);
  return multiplyAdd(rest, reciprocal, quotient);
}

Divisor::Factors Divisor::getFactors() {
  if (!refined)
    refined = refineReciprocal(scaled, reciprocal);
  return {scale, refined};
}

Value Divisor::divideFast(Value dividend) {
  Factors factors = getFactors();
  return multiply(multiply(dividend, factors.scale), factors.reciprocal);
}
