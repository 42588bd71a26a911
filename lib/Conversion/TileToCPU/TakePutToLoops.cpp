// TakePutToLoops.cpp - tile.take and tile.put, element by element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace tile;

/// Returns the coordinates, in a tile of `shape`, that the index at `inTile` of
/// `indices` selects: along `axis` the index, along another dimension the
/// coordinate of `inTile`, or 0 if the extent is one.
static SmallVector<Value> getCoordinates(ImplicitLocOpBuilder &b,
                                         ArrayRef<int64_t> shape,
                                         ValueRange inTile, int64_t axis,
                                         Value indices) {
  SmallVector<Value> coordinates(inTile);
  for (auto [extent, at] : llvm::zip_equal(shape, coordinates))
    if (extent == 1)
      at = arith::ConstantIndexOp::create(b, 0);
  coordinates[axis] = cpu::extractIndex(b, indices, inTile);
  return coordinates;
}

namespace {
struct ConvertTake : OpConversionPattern<TakeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TakeOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value buffer = cpu::createBuffer(b, type);
    cpu::forEachCoordinate(
        b, type.getShape(), [&](ImplicitLocOpBuilder &body, ValueRange inTile) {
          Value element = tensor::ExtractOp::create(
              body, adaptor.getSource(),
              getCoordinates(body, getTileShape(op.getSource().getType()),
                             inTile, op.getAxis(), adaptor.getIndices()));
          memref::StoreOp::create(body, element, buffer, inTile);
        });
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), buffer));
    return success();
  }
};

struct ConvertPut : OpConversionPattern<PutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PutOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Value buffer = cpu::copyToBuffer(b, adaptor.getDest());
    cpu::forEachCoordinate(
        b, op.getValues().getType().getShape(),
        [&](ImplicitLocOpBuilder &body, ValueRange inTile) {
          SmallVector<Value> coordinates =
              getCoordinates(body, type.getShape(), inTile, op.getAxis(),
                             adaptor.getIndices());
          Value allowed = isAllowed(body, coordinates[op.getAxis()],
                                    type.getDimSize(op.getAxis()),
                                    adaptor.getMask(), inTile);
          scf::IfOp::create(body, allowed, [&](OpBuilder &then, Location loc) {
            ImplicitLocOpBuilder inner(loc, then);
            write(inner, op, adaptor, buffer, coordinates, inTile);
            scf::YieldOp::create(inner);
          });
        });
    rewriter.replaceOp(op, cpu::readBuffer(rewriter, op.getLoc(), buffer));
    return success();
  }

private:
  /// Whether `index` is in [0, extent) and the mask, if there is one, holds for
  /// the element at `inTile`.
  static Value isAllowed(ImplicitLocOpBuilder &b, Value index, int64_t extent,
                         Value mask, ValueRange inTile) {
    using arith::CmpIPredicate;
    Value inside = arith::AndIOp::create(
        b,
        arith::CmpIOp::create(b, CmpIPredicate::sge, index,
                              arith::ConstantIndexOp::create(b, 0)),
        arith::CmpIOp::create(b, CmpIPredicate::slt, index,
                              arith::ConstantIndexOp::create(b, extent)));
    if (!mask)
      return inside;
    return arith::AndIOp::create(b, inside,
                                 tensor::ExtractOp::create(b, mask, inTile));
  }

  static void write(ImplicitLocOpBuilder &b, PutOp op, OpAdaptor adaptor,
                    Value buffer, ValueRange coordinates, ValueRange inTile) {
    Value value = tensor::ExtractOp::create(b, adaptor.getValues(), inTile);
    if (std::optional<AtomicKind> kind = op.getKind())
      cpu::updateElement(b, *kind, op.getType().getElementType(), buffer,
                         coordinates, value, /*expected=*/Value());
    else
      memref::StoreOp::create(b, value, buffer, coordinates);
  }
};
} // namespace

void cpu::populateTakePutPatterns(const TypeConverter &converter,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertTake, ConvertPut>(converter, patterns.getContext());
}
