// TileBuilder.cpp - arithmetic on whole tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace tile;

Value TileBuilder::constant(Type element, uint64_t value) {
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto type = ::cast<ShapedType>(Type(getType(element)));
  return create<arith::ConstantOp>(DenseElementsAttr::get(
      type, builder.getIntegerAttr(element, APInt(width, value))));
}

Value TileBuilder::constant(FloatType element, double value) {
  auto type = ::cast<ShapedType>(Type(getType(element)));
  return create<arith::ConstantOp>(
      DenseElementsAttr::get(type, builder.getFloatAttr(element, value)));
}

Value TileBuilder::zero(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Attribute part = builder.getZeroAttr(complex.getElementType());
    return fill(create<complex::ConstantOp>(
        complex, builder.getArrayAttr({part, part})));
  }
  auto type = ::cast<ShapedType>(Type(getType(element)));
  return create<arith::ConstantOp>(
      DenseElementsAttr::get(type, builder.getZeroAttr(element)));
}

Value TileBuilder::real(Type element, double value) {
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex)
    return constant(::cast<FloatType>(element), value);
  Attribute parts[] = {builder.getFloatAttr(complex.getElementType(), value),
                       builder.getZeroAttr(complex.getElementType())};
  return fill(
      create<complex::ConstantOp>(complex, builder.getArrayAttr(parts)));
}

Value TileBuilder::fill(Value scalar) {
  return create<FillOp>(getType(scalar.getType()), scalar);
}

Value TileBuilder::iota(Type element, int64_t axis) {
  return create<IotaOp>(getType(element), axis, /*start=*/Value(),
                        /*step=*/Value());
}

Value TileBuilder::number(Type element) {
  Value indices;
  int64_t stride = 1;
  for (int64_t dim = shape.size(); dim-- > 0;) {
    Value share = iota(element, dim);
    if (stride != 1)
      share = create<arith::MulIOp>(share, constant(element, stride));
    indices = indices ? create<arith::AddIOp>(indices, share) : share;
    stride *= shape[dim];
  }
  return indices ? indices : constant(element, 0);
}

Value TileBuilder::cast(Value tile, Type element) {
  return create<CastOp>(getType(element), tile, /*unsigned_integer=*/true,
                        /*saturate=*/false, /*bitcast=*/false);
}

Value TileBuilder::bitcast(Value tile, IntegerType element) {
  return create<CastOp>(getType(element), tile, /*unsigned_integer=*/false,
                        /*saturate=*/false, /*bitcast=*/true);
}

void tile::replaceResult(OpBuilder &builder, Value old, Value tile) {
  if (tile.getType() != old.getType())
    tile = ConvertLayoutOp::create(builder, old.getLoc(), old.getType(), tile);
  old.replaceAllUsesWith(tile);
}
