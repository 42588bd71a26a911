// TileBuilder.cpp - arithmetic on whole tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/TileBuilder.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace tile;

Value TileBuilder::constant(Type element, uint64_t number) {
  unsigned width = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  auto type = ::cast<ShapedType>(Type(getType(element)));
  return create<arith::ConstantOp>(DenseElementsAttr::get(
      type, builder.getIntegerAttr(element, APInt(width, number))));
}

Value TileBuilder::constant(FloatType element, double number) {
  auto type = ::cast<ShapedType>(Type(getType(element)));
  return create<arith::ConstantOp>(
      DenseElementsAttr::get(type, builder.getFloatAttr(element, number)));
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

Value TileBuilder::real(Type element, double number) {
  auto complex = dyn_cast<ComplexType>(element);
  if (!complex)
    return constant(::cast<FloatType>(element), number);
  Attribute parts[] = {builder.getFloatAttr(complex.getElementType(), number),
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
  Value numbers;
  int64_t stride = 1;
  for (int64_t dim = shape.size(); dim-- > 0;) {
    Value share = iota(element, dim);
    if (stride != 1)
      share = create<arith::MulIOp>(share, constant(element, stride));
    numbers = numbers ? create<arith::AddIOp>(numbers, share) : share;
    stride *= shape[dim];
  }
  return numbers ? numbers : constant(element, 0);
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
