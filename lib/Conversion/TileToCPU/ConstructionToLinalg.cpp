// ConstructionToLinalg.cpp - constants, tile.fill, tile.iota
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Element.h"
#include "Patterns.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace tile;

Value cpu::buildZero(OpBuilder &builder, Location loc, Type storage) {
  if (auto complex = dyn_cast<ComplexType>(storage)) {
    Attribute zero = builder.getFloatAttr(complex.getElementType(), 0.0);
    return complex::ConstantOp::create(builder, loc, complex,
                                       builder.getArrayAttr({zero, zero}));
  }
  return arith::ConstantOp::create(builder, loc, builder.getZeroAttr(storage));
}

TypedAttr cpu::convertScalar(TypedAttr value) {
  if (auto vector = dyn_cast<VectorType>(value.getType());
      vector && cpu::isStoredAsBits(vector.getElementType()))
    return cast<DenseElementsAttr>(value).bitcast(
        cpu::getStorageType(vector.getElementType()));
  auto scalar = dyn_cast<FloatAttr>(value);
  if (!scalar || !cpu::isStoredAsBits(scalar.getType()))
    return value;
  return IntegerAttr::get(cpu::getStorageType(scalar.getType()),
                          scalar.getValue().bitcastToAPInt());
}

/// Converts the elements of a constant tile to elements of a tensor, in their
/// storage type.
static DenseElementsAttr convertElements(DenseElementsAttr elements,
                                         RankedTensorType type) {
  if (cpu::isStoredAsBits(elements.getElementType()))
    elements = elements.bitcast(type.getElementType());
  return elements.reshape(type);
}

namespace {
/// Converts constants of types that the type converter changes: tiles, and
/// scalars that are stored as their bits.
struct ConvertConstant : OpConversionPattern<arith::ConstantOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(arith::ConstantOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = dyn_cast<RankedTensorType>(
        getTypeConverter()->convertType(op.getType()));
    if (!type) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, cpu::convertScalar(op.getValue()));
      return success();
    }
    auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
    if (!elements)
      return rewriter.notifyMatchFailure(op, "expected dense elements");
    if (!elements.isSplat()) {
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(
          op, type, convertElements(elements, type));
      return success();
    }
    Value value = buildScalar(rewriter, op.getLoc(), elements.getElementType(),
                              elements.getSplatValue<Attribute>());
    rewriter.replaceOp(op, cpu::buildFill(rewriter, op.getLoc(), type, value));
    return success();
  }

private:
  /// Builds a scalar in its storage type. The attribute `value` of a complex
  /// scalar is an array of its two parts.
  static Value buildScalar(OpBuilder &builder, Location loc, Type element,
                           Attribute value) {
    if (isa<ComplexType>(element))
      return complex::ConstantOp::create(builder, loc, element,
                                         cast<ArrayAttr>(value));
    return arith::ConstantOp::create(
        builder, loc, cpu::convertScalar(cast<TypedAttr>(value)));
  }
};

struct ConvertFill : OpConversionPattern<FillOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(FillOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    rewriter.replaceOp(
        op, cpu::buildFill(rewriter, op.getLoc(), type, adaptor.getValue()));
    return success();
  }
};

struct ConvertIota : OpConversionPattern<IotaOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(IotaOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = getTypeConverter()->convertType<RankedTensorType>(op.getType());
    Type element = op.getType().getElementType();
    rewriter.replaceOp(
        op, cpu::buildParallel(
                rewriter, op.getLoc(), type, {},
                [&](OpBuilder &b, Location loc, ValueRange) -> Value {
                  Value index = linalg::IndexOp::create(b, loc, op.getAxis());
                  index = cpu::convert(b, loc, index, b.getIndexType(), element,
                                       {});
                  if (!op.getStart())
                    return index;
                  return goSteps(b, loc, element, adaptor.getStart(), index,
                                 adaptor.getStep());
                }));
    return success();
  }

private:
  /// Returns `start + index * step`. All values are stored as `element`, and
  /// the result of each of the two operations is rounded to that type.
  static Value goSteps(OpBuilder &b, Location loc, Type element, Value start,
                       Value index, Value step) {
    if (!isa<FloatType>(element))
      return arith::AddIOp::create(b, loc, start,
                                   arith::MulIOp::create(b, loc, index, step));
    auto widen = [&](Value value) {
      return cpu::widen(b, loc, value, element);
    };
    Value way = cpu::narrow(
        b, loc, arith::MulFOp::create(b, loc, widen(index), widen(step)),
        element);
    return cpu::narrow(b, loc,
                       arith::AddFOp::create(b, loc, widen(start), widen(way)),
                       element);
  }
};
} // namespace

void cpu::populateConstructionPatterns(const TypeConverter &converter,
                                       RewritePatternSet &patterns) {
  patterns.add<ConvertConstant, ConvertFill, ConvertIota>(
      converter, patterns.getContext());
}
