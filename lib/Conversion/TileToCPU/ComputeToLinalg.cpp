// ComputeToLinalg.cpp - tile.cast, and other ElementOpInterface operations
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

/// Converts any elementwise operation that defines its computation on elements.
struct ConvertElements : OpInterfaceConversionPattern<ElementOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(ElementOpInterface op, ArrayRef<Value> operands,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<RankedTensorType> types;
    for (Type type : op->getResultTypes())
      types.push_back(getTypeConverter()->convertType<RankedTensorType>(type));
    rewriter.replaceOp(
        op,
        cpu::buildPerElement(rewriter, op.getLoc(), types, operands,
                             [&](OpBuilder &b, Location, ValueRange elements) {
                               return cpu::createElements(b, op, elements);
                             }));
    return success();
  }
};
} // namespace

void cpu::populateComputePatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertCast, ConvertElements>(converter, patterns.getContext());
}
