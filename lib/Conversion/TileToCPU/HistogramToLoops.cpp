// HistogramToLoops.cpp - tile.histogram, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertHistogram : OpConversionPattern<HistogramOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(HistogramOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value counts = cpu::createBuffer(b, type);
    linalg::FillOp::create(
        b, cpu::buildZero(b, b.getLoc(), type.getElementType()), counts);
    cpu::forEachCoordinate(
        b, op.getSource().getType().getShape(),
        [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          Value bin = cpu::extractIndex(body, adaptor.getSource(), coordinates);
          Value counted = isCounted(body, bin, type.getDimSize(0),
                                    adaptor.getMask(), coordinates);
          scf::IfOp::create(body, counted, [&](OpBuilder &then, Location loc) {
            ImplicitLocOpBuilder inner(loc, then);
            increment(inner, counts, bin);
            scf::YieldOp::create(inner);
          });
        });
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), counts));
    return success();
  }

private:
  /// Whether `bin` is the index of a bin and the mask, if there is one, holds.
  /// The comparison is unsigned, so that a negative index is too large.
  static Value isCounted(ImplicitLocOpBuilder &b, Value bin, int64_t bins,
                         Value mask, ValueRange coordinates) {
    Value inside =
        arith::CmpIOp::create(b, arith::CmpIPredicate::ult, bin,
                              arith::ConstantIndexOp::create(b, bins));
    if (!mask)
      return inside;
    return arith::AndIOp::create(
        b, inside, tensor::ExtractOp::create(b, mask, coordinates));
  }

  static void increment(ImplicitLocOpBuilder &b, Value counts, Value bin) {
    Type type = cast<MemRefType>(counts.getType()).getElementType();
    Value one = arith::ConstantOp::create(b, b.getIntegerAttr(type, 1));
    Value count = memref::LoadOp::create(b, counts, bin);
    memref::StoreOp::create(b, arith::AddIOp::create(b, count, one), counts,
                            bin);
  }
};
} // namespace

void cpu::populateHistogramPatterns(const TypeConverter &converter,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertHistogram>(converter, patterns.getContext());
}
