// ShapeToTensor.cpp - tile.view, transpose, broadcast, reshape on tensors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

/// Returns one group that contains all dimensions; no group for rank 0.
static SmallVector<ReassociationIndices> getAllDimensions(int64_t rank) {
  if (rank == 0)
    return {};
  return {llvm::to_vector<2>(llvm::seq<int64_t>(0, rank))};
}

/// Returns a tensor of `type` whose elements are those of `source` at the
/// coordinates that `map` computes from the result's coordinates.
static Value rearrange(OpBuilder &builder, Location loc, RankedTensorType type,
                       Value source, AffineMap map) {
  return cpu::buildParallel(builder, loc, ArrayRef(type), source, map,
                            [](OpBuilder &, Location, ValueRange elements)
                                -> SmallVector<Value> { return {elements[0]}; })
      .front();
}

AffineMap cpu::getRepetition(Builder &builder, ArrayRef<int64_t> from,
                             int64_t rank,
                             std::optional<ArrayRef<int64_t>> dims) {
  int64_t leading = rank - from.size();
  SmallVector<AffineExpr> found;
  for (auto [dim, extent] : llvm::enumerate(from))
    found.push_back(extent == 1 ? builder.getAffineConstantExpr(0)
                                : builder.getAffineDimExpr(
                                      dims ? (*dims)[dim] : leading + dim));
  return AffineMap::get(rank, 0, found, builder.getContext());
}

namespace {
struct ConvertView : OpConversionPattern<ViewOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ViewOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto source = cast<RankedTensorType>(adaptor.getSource().getType());
    if (op.getSteps() || type.getRank() != source.getRank()) {
      rewriter.replaceOp(op, takeSteps(rewriter, op, adaptor, type));
      return success();
    }
    SmallVector<OpFoldResult> offsets = getAsOpFoldResult(adaptor.getOffsets());
    SmallVector<OpFoldResult> sizes =
        getAsIndexOpFoldResult(getContext(), type.getShape());
    SmallVector<OpFoldResult> strides(type.getRank(), rewriter.getIndexAttr(1));
    rewriter.replaceOpWithNewOp<tensor::ExtractSliceOp>(
        op, type, adaptor.getSource(), offsets, sizes, strides);
    return success();
  }

private:
  /// Builds a view with strides, element by element. Along the leading
  /// dimensions of the source, which the result lacks, the coordinate is the
  /// offset.
  static Value takeSteps(OpBuilder &builder, ViewOp op, OpAdaptor adaptor,
                         RankedTensorType type) {
    ImplicitLocOpBuilder b(op.getLoc(), builder);
    int64_t leading = op.getOffsets().size() - type.getRank();
    Value buffer = cpu::createBuffer(b, type);
    cpu::forEachCoordinate(
        b, type.getShape(), [&](ImplicitLocOpBuilder &body, ValueRange at) {
          SmallVector<Value> coordinates(adaptor.getOffsets());
          for (auto [dim, index] : llvm::enumerate(at)) {
            int64_t step = op.getSteps() ? (*op.getSteps())[leading + dim] : 1;
            Value way = arith::MulIOp::create(
                body, index, arith::ConstantIndexOp::create(body, step));
            coordinates[leading + dim] =
                arith::AddIOp::create(body, coordinates[leading + dim], way);
          }
          Value element =
              tensor::ExtractOp::create(body, adaptor.getSource(), coordinates);
          memref::StoreOp::create(body, element, buffer, at);
        });
    return cpu::readBuffer(b, b.getLoc(), buffer);
  }
};

struct ConvertExtract : OpConversionPattern<ExtractOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ExtractOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOpWithNewOp<tensor::ExtractOp>(op, adaptor.getSource(),
                                                   adaptor.getIndices());
    return success();
  }
};

/// Returns `tensor` with the box at `offsets` replaced by `part`.
Value insertBox(OpBuilder &builder, Location loc, Value part, Value tensor,
                ArrayRef<OpFoldResult> offsets) {
  auto type = cast<RankedTensorType>(part.getType());
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), type.getShape());
  SmallVector<OpFoldResult> strides(type.getRank(), builder.getIndexAttr(1));
  return tensor::InsertSliceOp::create(builder, loc, part, tensor, offsets,
                                       sizes, strides);
}

struct ConvertInsert : OpConversionPattern<InsertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(InsertOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!isa<RankedTensorType>(adaptor.getPart().getType())) {
      rewriter.replaceOpWithNewOp<tensor::InsertOp>(
          op, adaptor.getPart(), adaptor.getDest(), adaptor.getOffsets());
      return success();
    }
    rewriter.replaceOp(op, insertBox(rewriter, op.getLoc(), adaptor.getPart(),
                                     adaptor.getDest(),
                                     getAsOpFoldResult(adaptor.getOffsets())));
    return success();
  }
};

struct ConvertJoin : OpConversionPattern<JoinOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(JoinOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value whole = tensor::EmptyOp::create(
        rewriter, op.getLoc(), type.getShape(), type.getElementType());
    int64_t begin = 0;
    for (Value part : adaptor.getParts()) {
      SmallVector<OpFoldResult> offsets(type.getRank(),
                                        rewriter.getIndexAttr(0));
      offsets[op.getAxis()] = rewriter.getIndexAttr(begin);
      whole = insertBox(rewriter, op.getLoc(), part, whole, offsets);
      begin += cast<RankedTensorType>(part.getType()).getDimSize(op.getAxis());
    }
    rewriter.replaceOp(op, whole);
    return success();
  }
};

struct ConvertTranspose : OpConversionPattern<TransposeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TransposeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    SmallVector<unsigned> permutation(op.getPermutation());
    // Dimension i of the result is dimension permutation[i] of the source; the
    // map goes from the result's dimensions to the source's.
    AffineMap map = inversePermutation(
        AffineMap::getPermutationMap(permutation, getContext()));
    rewriter.replaceOp(
        op, rearrange(rewriter, op.getLoc(), type, adaptor.getSource(), map));
    return success();
  }
};

struct ConvertBroadcast : OpConversionPattern<BroadcastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(BroadcastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    TileType source = op.getSource().getType();
    AffineMap map = cpu::getRepetition(rewriter, source.getShape(),
                                       type.getRank(), op.getDims());
    rewriter.replaceOp(
        op, rearrange(rewriter, op.getLoc(), type, adaptor.getSource(), map));
    return success();
  }
};

struct ConvertReshape : OpConversionPattern<ReshapeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReshapeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    auto flat =
        RankedTensorType::get(type.getNumElements(), type.getElementType());
    Value value = adaptor.getSource();
    int64_t rank = op.getSource().getType().getRank();
    if (rank == 0)
      value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), flat, value,
                                            getAllDimensions(0));
    else if (rank > 1)
      value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), flat,
                                              value, getAllDimensions(rank));
    if (type.getRank() == 0)
      value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(), type,
                                              value, getAllDimensions(0));
    else if (type.getRank() > 1)
      value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, value,
                                            getAllDimensions(type.getRank()));
    rewriter.replaceOp(op, value);
    return success();
  }
};

/// Drops a layout conversion: storage and layout have no meaning on a CPU.
struct ConvertConvertLayout : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    rewriter.replaceOp(op, adaptor.getSource());
    return success();
  }
};
} // namespace

void cpu::populateShapePatterns(const TypeConverter &converter,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertView, ConvertExtract, ConvertInsert, ConvertJoin,
               ConvertTranspose, ConvertBroadcast, ConvertReshape,
               ConvertConvertLayout>(converter, patterns.getContext());
}
