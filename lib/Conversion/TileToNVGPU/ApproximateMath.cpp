// ApproximateMath.cpp - functions that an author allows to be approximate
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ApproximateMath.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tile;

/// Returns 2^x for an f32.
static Value createExp2(OpBuilder &builder, Location loc, Value x) {
  return LLVM::CallIntrinsicOp::create(
             builder, loc, x.getType(),
             builder.getStringAttr("llvm.nvvm.ex2.approx.ftz.f32"), x)
      .getResults();
}

/// Returns e^x for an f32.
static Value createExp(OpBuilder &builder, Location loc, Value x) {
  Value scale = arith::ConstantOp::create(
      builder, loc, builder.getF32FloatAttr(llvm::numbers::log2e));
  return createExp2(builder, loc,
                    arith::MulFOp::create(builder, loc, x, scale));
}

namespace {

template <typename Op>
struct Approximate : OpRewritePattern<Op> {
  using Compute = Value (*)(OpBuilder &, Location, Value);

  Approximate(MLIRContext *context, Compute compute)
      : OpRewritePattern<Op>(context), compute(compute) {}

  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type element = getElementTypeOrSelf(op.getType());
    if (!bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn) ||
        !(element.isF32() || element.isF16() || element.isBF16()))
      return failure();
    Value x = op.getOperand();
    auto vector = dyn_cast<VectorType>(op.getType());
    if (!vector) {
      rewriter.replaceOp(op, computeAsF32(rewriter, op.getLoc(), x));
      return success();
    }
    if (vector.getRank() != 1 || vector.isScalable())
      return failure();
    SmallVector<Value> results;
    for (int64_t i = 0; i < vector.getNumElements(); ++i)
      results.push_back(
          computeAsF32(rewriter, op.getLoc(),
                       vector::ExtractOp::create(rewriter, op.getLoc(), x, i)));
    rewriter.replaceOpWithNewOp<vector::FromElementsOp>(op, vector, results);
    return success();
  }

private:
  Value computeAsF32(OpBuilder &builder, Location loc, Value x) const {
    Type type = x.getType(), f32 = builder.getF32Type();
    if (type == f32)
      return compute(builder, loc, x);
    Value y =
        compute(builder, loc, arith::ExtFOp::create(builder, loc, f32, x));
    return arith::TruncFOp::create(builder, loc, type, y);
  }

  Compute compute;
};

} // namespace

void tile::populateApproximateMathPatterns(RewritePatternSet &patterns) {
  patterns.add<Approximate<math::Exp2Op>>(patterns.getContext(), createExp2);
  patterns.add<Approximate<math::ExpOp>>(patterns.getContext(), createExp);
}
