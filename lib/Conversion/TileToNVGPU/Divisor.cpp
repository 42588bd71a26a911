// Divisor.cpp - quotients by one number
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number of exponent e is multiplied by 2^(-e / 2), and so is what is divided
// by it: of f32 the divisor then is from 2^-86, for the least subnormal number,
// to 2^64, and a dividend overflows, or loses bits, only where the quotient
// does. The power's bits are those of the exponent, halved and subtracted.

#include "Divisor.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

/// One by a number of f32 that is normal, as its reciprocal is, within a unit
/// of the last place.
static Value createApproximateReciprocal(OpBuilder &builder, Location loc,
                                         Value x) {
  return LLVM::CallIntrinsicOp::create(
             builder, loc, x.getType(),
             builder.getStringAttr("llvm.nvvm.rcp.approx.ftz.f"), x)
      .getResult(0);
}

Divisor::Divisor(OpBuilder &builder, Location loc, Value divisor)
    : builder(&builder), loc(loc), type(divisor.getType()),
      scale(createScale(divisor)),
      scaled(arith::MulFOp::create(builder, loc, divisor, scale)),
      reciprocal(type.isF32()
                     ? createApproximateReciprocal(builder, loc, scaled)
                     : arith::DivFOp::create(builder, loc, real(1), scaled)) {}

Value Divisor::createScale(Value divisor) {
  const llvm::fltSemantics &semantics =
      cast<FloatType>(type).getFloatSemantics();
  unsigned width = type.getIntOrFloatBitWidth();
  unsigned mantissa = APFloat::semanticsPrecision(semantics) - 1;
  uint64_t bias = APFloat::semanticsMaxExponent(semantics);
  Type bits = builder->getIntegerType(width);
  auto constant = [&](uint64_t exponent) -> Value {
    return arith::ConstantOp::create(
        *builder, loc,
        builder->getIntegerAttr(bits, APInt(width, exponent).shl(mantissa)));
  };
  Value one = arith::ConstantIntOp::create(*builder, loc, bits, 1);
  Value half = arith::ShRUIOp::create(
      *builder, loc, arith::BitcastOp::create(*builder, loc, bits, divisor),
      one);
  half = arith::AndIOp::create(*builder, loc, half, constant(bias));
  return arith::BitcastOp::create(
      *builder, loc, type,
      arith::SubIOp::create(*builder, loc, constant(bias + bias / 2), half));
}

/// A quotient of f32 is corrected by what is left of the dividend.
Value Divisor::divide(Value dividend) {
  Value rest = arith::MulFOp::create(*builder, loc, dividend, scale);
  Value quotient = arith::MulFOp::create(*builder, loc, rest, reciprocal);
  if (!type.isF32())
    return quotient;
  rest = math::FmaOp::create(*builder, loc, negate(quotient), scaled, rest);
  return math::FmaOp::create(*builder, loc, rest, reciprocal, quotient);
}

Value Divisor::divideFast(Value dividend) {
  if (!refined) {
    refined = reciprocal;
    if (type.isF32())
      refined = math::FmaOp::create(*builder, loc,
                                    math::FmaOp::create(*builder, loc,
                                                        negate(reciprocal),
                                                        scaled, real(1)),
                                    reciprocal, reciprocal);
  }
  return arith::MulFOp::create(
      *builder, loc, arith::MulFOp::create(*builder, loc, dividend, scale),
      refined);
}

Value Divisor::negate(Value value) {
  return arith::NegFOp::create(*builder, loc, value);
}

Value Divisor::real(double value) {
  return arith::ConstantOp::create(*builder, loc,
                                   builder->getFloatAttr(type, value));
}
