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

/// Of f32 within a unit of the last place, of f64 20 bits (PTX ISA, "rcp",
/// "rcp.approx.ftz.f64").
static Value createApproximateReciprocal(OpBuilder &builder, Location loc,
                                         Value x) {
  StringRef name = x.getType().isF32() ? "llvm.nvvm.rcp.approx.ftz.f"
                                       : "llvm.nvvm.rcp.approx.ftz.d";
  return LLVM::CallIntrinsicOp::create(builder, loc, x.getType(),
                                       builder.getStringAttr(name), x)
      .getResult(0);
}

/// A step of Newton's iteration doubles the bits.
static Value refine(OpBuilder &builder, Location loc, Value x,
                    Value approximation) {
  Value one = arith::ConstantOp::create(builder, loc,
                                        builder.getFloatAttr(x.getType(), 1));
  Value rest = math::FmaOp::create(
      builder, loc, arith::NegFOp::create(builder, loc, approximation), x, one);
  return math::FmaOp::create(builder, loc, rest, approximation, approximation);
}

/// Not by a division of f64, whose calls keep registers from what is live.
Value tile::createReciprocal(OpBuilder &builder, Location loc, Value x) {
  Value reciprocal = createApproximateReciprocal(builder, loc, x);
  if (x.getType().isF64())
    for (int step = 0; step < 2; ++step)
      reciprocal = refine(builder, loc, x, reciprocal);
  return reciprocal;
}

Divisor::Divisor(OpBuilder &builder, Location loc, Value divisor)
    : builder(&builder), loc(loc), type(divisor.getType()),
      scale(createScale(divisor)),
      scaled(arith::MulFOp::create(builder, loc, divisor, scale)),
      reciprocal(createReciprocal(builder, loc, scaled)) {}

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

/// A quotient is corrected by what is left of the dividend.
Value Divisor::divide(Value dividend) {
  Value rest = arith::MulFOp::create(*builder, loc, dividend, scale);
  Value quotient = arith::MulFOp::create(*builder, loc, rest, reciprocal);
  rest = math::FmaOp::create(*builder, loc, negate(quotient), scaled, rest);
  return math::FmaOp::create(*builder, loc, rest, reciprocal, quotient);
}

Value Divisor::divideFast(Value dividend) {
  if (!refined)
    refined = refine(*builder, loc, scaled, reciprocal);
  return arith::MulFOp::create(
      *builder, loc, arith::MulFOp::create(*builder, loc, dividend, scale),
      refined);
}

Value Divisor::negate(Value value) {
  return arith::NegFOp::create(*builder, loc, value);
}
