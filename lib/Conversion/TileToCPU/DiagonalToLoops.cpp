// DiagonalToLoops.cpp - tile.diagonal and tile.add_diagonal, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"
#include "Patterns.h"
#include "Scalars.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

/// Converts coordinates of an element in a diagonal to its coordinates in the
/// matrix.
static SmallVector<Value> getCoordinates(ValueRange ofDiagonal) {
  SmallVector<Value> coordinates(ofDiagonal);
  coordinates.push_back(coordinates.back());
  return coordinates;
}

namespace {
struct ConvertDiagonal : OpConversionPattern<DiagonalOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(DiagonalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value buffer = cpu::createBuffer(b, type);
    cpu::forEachCoordinate(
        b, type.getShape(),
        [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          Value element = tensor::ExtractOp::create(
              body, adaptor.getSource(), getCoordinates(coordinates));
          memref::StoreOp::create(body, element, buffer, coordinates);
        });
    rewriter.replaceOp(op, cpu::readBuffer(b, b.getLoc(), buffer));
    return success();
  }
};

struct ConvertAddDiagonal : OpConversionPattern<AddDiagonalOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AddDiagonalOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    Type element = op.getType().getElementType();
    Value buffer = cpu::copyToBuffer(b, adaptor.getSource());
    SmallVector<int64_t> shape(op.getType().getShape());
    int64_t columns = shape.pop_back_val();
    shape.back() = std::min(shape.back(), columns);
    cpu::forEachCoordinate(
        b, shape, [&](ImplicitLocOpBuilder &body, ValueRange coordinates) {
          Value added = adaptor.getDiagonal();
          if (isa<TensorType>(added.getType()))
            added = tensor::ExtractOp::create(body, added, coordinates);
          SmallVector<Value> at = getCoordinates(coordinates);
          Value sum = add(body, memref::LoadOp::create(body, buffer, at), added,
                          element);
          memref::StoreOp::create(body, sum, buffer, at);
        });
    rewriter.replaceOp(op, cpu::readBuffer(b, b.getLoc(), buffer));
    return success();
  }

private:
  /// Adds two values in the compute type of `element`, and rounds once.
  static Value add(ImplicitLocOpBuilder &b, Value x, Value y, Type element) {
    if (isa<ComplexType>(element))
      return cpu::add(b, x, y);
    if (!isa<FloatType>(element))
      return arith::AddIOp::create(b, x, y);
    Location loc = b.getLoc();
    Value sum = arith::AddFOp::create(b, cpu::widen(b, loc, x, element),
                                      cpu::widen(b, loc, y, element));
    return cpu::narrow(b, loc, sum, element);
  }
};
} // namespace

void cpu::populateDiagonalPatterns(const TypeConverter &converter,
                                   RewritePatternSet &patterns) {
  patterns.add<ConvertDiagonal, ConvertAddDiagonal>(converter,
                                                    patterns.getContext());
}
