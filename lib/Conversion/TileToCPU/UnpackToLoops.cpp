// UnpackToLoops.cpp - tile.unpack, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertUnpack : OpConversionPattern<UnpackOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(UnpackOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value buffer = cpu::createBuffer(b, type);
    cpu::forEachCoordinate(
        b, type.getShape(), [&](ImplicitLocOpBuilder &body, ValueRange at) {
          memref::StoreOp::create(body, read(body, op, adaptor.getSource(), at),
                                  buffer, at);
        });
    rewriter.replaceOp(op, cpu::readBuffer(b, b.getLoc(), buffer));
    return success();
  }

private:
  /// Returns the value at the coordinates `at` of the result, as a byte. The
  /// word is shifted and truncated to the bits of the value. These are
  /// sign-extended or zero-extended, as the operation specifies.
  static Value read(ImplicitLocOpBuilder &b, UnpackOp op, Value words,
                    ValueRange at) {
    auto type = cast<IntegerType>(
        cast<RankedTensorType>(words.getType()).getElementType());
    int64_t bits = op.getBits();
    Value count = arith::ConstantIndexOp::create(b, type.getWidth() / bits);
    SmallVector<Value> coordinates(at);
    coordinates[op.getAxis()] =
        arith::DivUIOp::create(b, at[op.getAxis()], count);
    Value word = tensor::ExtractOp::create(b, words, coordinates);
    Value index = arith::RemUIOp::create(b, at[op.getAxis()], count);
    Value shift =
        arith::MulIOp::create(b, arith::IndexCastOp::create(b, type, index),
                              arith::ConstantIntOp::create(b, type, bits));
    Value alone = arith::TruncIOp::create(
        b, b.getIntegerType(bits), arith::ShRUIOp::create(b, word, shift));
    if (op.getUnsignedInteger())
      return arith::ExtUIOp::create(b, b.getI8Type(), alone);
    return arith::ExtSIOp::create(b, b.getI8Type(), alone);
  }
};
} // namespace

void cpu::populateUnpackPatterns(const TypeConverter &converter,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertUnpack>(converter, patterns.getContext());
}
