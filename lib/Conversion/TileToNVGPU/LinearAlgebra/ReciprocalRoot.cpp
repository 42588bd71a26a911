// ReciprocalRoot.cpp - reciprocal square root without a division
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReciprocalRoot.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

Value tile::createApproximateReciprocalRoot(OpBuilder &builder, Location loc,
                                            Value x) {
  Type type = x.getType();
  return LLVM::CallIntrinsicOp::create(
             builder, loc, type,
             builder.getStringAttr(type.isF32() ? "llvm.nvvm.rsqrt.approx.f"
                                                : "llvm.nvvm.rsqrt.approx.d"),
             x)
      .getResults();
}

Value tile::createReciprocalRoot(OpBuilder &builder, Location loc, Value x) {
  Type type = x.getType();
  auto constant = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getFloatAttr(type, value));
  };
  Value root = createApproximateReciprocalRoot(builder, loc, x);
  // r + r / 2 (1 - x r r)
  Value product = arith::MulFOp::create(builder, loc, x, root);
  Value rest = math::FmaOp::create(builder, loc,
                                   arith::NegFOp::create(builder, loc, product),
                                   root, constant(1));
  Value half = arith::MulFOp::create(builder, loc, root, constant(0.5));
  return math::FmaOp::create(builder, loc, half, rest, root);
}
