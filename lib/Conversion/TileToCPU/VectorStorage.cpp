// VectorStorage.cpp - vectors of elements that are stored as their bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The region of a tile.per_thread may work on vectors. Vectors of bf16 and f8
// become vectors of integers. Operations that move elements become the same
// operations on these; ElementwiseToLinalg.cpp converts computations in arith
// or math. Any other operation on them is refused, with an error at its line.

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

namespace {
/// Converts an operation that moves elements without reading their values to
/// the same operation in storage types.
template <typename Op>
struct ConvertMove : OpConversionPattern<Op> {
  using OpConversionPattern<Op>::OpConversionPattern;

  LogicalResult
  matchAndRewrite(Op op, typename Op::Adaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> types;
    if (failed(this->getTypeConverter()->convertTypes(op->getResultTypes(),
                                                      types)))
      return failure();
    OperationState state(op.getLoc(), op->getName(), adaptor.getOperands(),
                         types, op->getAttrs());
    rewriter.replaceOp(op, rewriter.create(state)->getResults());
    return success();
  }
};

struct ConvertFma : OpConversionPattern<vector::FMAOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::FMAOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<math::FmaOp>(op, op.getLhs(), op.getRhs(),
                                             op.getAcc());
    return success();
  }
};

/// Converts a reduction to a chain from the first element to the last.
struct ConvertReduction : OpConversionPattern<vector::ReductionOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(vector::ReductionOp op, OpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Value result = op.getAcc();
    for (Value element :
         vector::ToElementsOp::create(rewriter, op.getLoc(), op.getVector())
             .getResults())
      result = result
                   ? vector::makeArithReduction(rewriter, op.getLoc(),
                                                op.getKind(), result, element)
                   : element;
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void cpu::populateVectorPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns
      .add<ConvertMove<vector::BitCastOp>, ConvertMove<vector::BroadcastOp>,
           ConvertMove<vector::ExtractOp>,
           ConvertMove<vector::ExtractStridedSliceOp>,
           ConvertMove<vector::FromElementsOp>, ConvertMove<vector::InsertOp>,
           ConvertMove<vector::InsertStridedSliceOp>,
           ConvertMove<vector::LoadOp>, ConvertMove<vector::ShapeCastOp>,
           ConvertMove<vector::ShuffleOp>, ConvertMove<vector::StoreOp>,
           ConvertMove<vector::ToElementsOp>, ConvertFma, ConvertReduction>(
          converter, patterns.getContext());
}
