// ComputeToLinalg.cpp - tile.cast, tile.select, tile.map
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"
#include "Patterns.h"

#include "tile/Conversion/FloatBits.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertCast : OpConversionPattern<CastOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CastOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Type from = op.getSource().getType().getElementType();
    Type to = op.getType().getElementType();
    cpu::ConversionFlags flags;
    flags.isUnsigned = op.getUnsignedInteger();
    flags.isBitcast = op.getBitcast();
    if (op.getSaturate() || isFloat8(to))
      flags.outOfRange = cpu::OutOfRange::Saturate;
    rewriter.replaceOp(
        op, cpu::buildParallel(
                rewriter, op.getLoc(), type, adaptor.getSource(),
                [&](OpBuilder &b, Location loc, ValueRange elements) {
                  return cpu::convert(b, loc, elements[0], from, to, flags);
                }));
    return success();
  }
};

struct ConvertSelect : OpConversionPattern<SelectOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SelectOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    SmallVector<Value> inputs = {adaptor.getTrueValue(),
                                 adaptor.getFalseValue()};
    Value condition = adaptor.getCondition();
    bool isTile = isa<RankedTensorType>(condition.getType());
    if (isTile)
      inputs.push_back(condition);
    rewriter.replaceOp(
        op, cpu::buildParallel(
                rewriter, op.getLoc(), type, inputs,
                [&](OpBuilder &b, Location loc, ValueRange elements) -> Value {
                  return arith::SelectOp::create(
                      b, loc, isTile ? elements[2] : condition, elements[0],
                      elements[1]);
                }));
    return success();
  }
};

struct ConvertMap : OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MapOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<RankedTensorType> types;
    for (Type type : op.getResultTypes())
      types.push_back(getTypeConverter()->convertType<RankedTensorType>(type));
    rewriter.replaceOp(
        op, cpu::buildParallel(
                rewriter, op.getLoc(), types, adaptor.getInputs(), {},
                [&](OpBuilder &b, Location loc, ValueRange elements) {
                  return cpu::inlineElementRegion(b, loc, op.getBody(),
                                                  elements);
                }));
    return success();
  }
};
} // namespace

void cpu::populateComputePatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertCast, ConvertSelect, ConvertMap>(converter,
                                                       patterns.getContext());
}
