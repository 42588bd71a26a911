// FourierExpansion.cpp - operations on tiles for Fourier transforms
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FourierExpansion.h"

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

FourierExpansion::FourierExpansion(Operation *op, const FourierTransform &form,
                                   const FftPlan &plan)
    : op(op), builder(op), form(form), plan(plan) {
  auto type = cast<TileType>(op->getOperand(0).getType());
  part = type.getElementType();
  if (auto complex = dyn_cast<ComplexType>(part))
    part = complex.getElementType();
  rows = llvm::product_of(type.getShape().drop_back());
}

TileType FourierExpansion::getType(ArrayRef<int64_t> shape, Type element) {
  return TileType::get(shape, element)
      .withStorage(getAnyRegisters(op->getContext()));
}

Value FourierExpansion::index(int64_t value) {
  return arith::ConstantIndexOp::create(builder, op->getLoc(), value);
}

Value FourierExpansion::reshape(Value tile, ArrayRef<int64_t> shape) {
  auto type = cast<TileType>(tile.getType());
  if (type.getShape() == shape)
    return tile;
  return ReshapeOp::create(builder, op->getLoc(),
                           getType(shape, type.getElementType()), tile);
}

/// The tiles have the same shape, which is also that of the result.
Value FourierExpansion::map(Type element, ValueRange tiles, Body body) {
  ArrayRef<int64_t> shape = getTileShape(tiles.front().getType());
  auto map =
      MapOp::create(builder, op->getLoc(), getType(shape, element), tiles);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&map.getBody());
  for (Value tile : tiles)
    block->addArgument(cast<TileType>(tile.getType()).getElementType(),
                       op->getLoc());
  ElementBuilder elements(op->getLoc(), builder);
  YieldOp::create(elements, body(elements, block->getArguments()));
  return map.getResult(0);
}

Value FourierExpansion::createRows(ArrayRef<long double> values,
                                   ArrayRef<int64_t> shape) {
  SmallVector<int64_t> row(shape);
  row.front() = 1;
  auto type = cast<ShapedType>(Type(getType(row, part)));
  DenseElementsAttr elements =
      part.isF64()
          ? DenseElementsAttr::get(
                type, ArrayRef<double>(llvm::to_vector_of<double>(values)))
          : DenseElementsAttr::get(
                type, ArrayRef<float>(llvm::to_vector_of<float>(values)));
  Value tile = arith::ConstantOp::create(builder, op->getLoc(), elements);
  return rows == 1 ? tile
                   : BroadcastOp::create(builder, op->getLoc(),
                                         getType(shape, part), tile)
                         .getResult();
}

/// Returns a tile of the real parts and a tile of the imaginary parts.
SmallVector<Value> FourierExpansion::createRows(ArrayRef<FourierNumber> values,
                                                ArrayRef<int64_t> shape) {
  SmallVector<long double> re, im;
  for (const FourierNumber &value : values) {
    re.push_back(value.real());
    im.push_back(value.imag());
  }
  return {createRows(re, shape), createRows(im, shape)};
}

Value FourierExpansion::multiply(Value tile, ArrayRef<FourierNumber> row) {
  SmallVector<Value> inputs = {tile};
  llvm::append_range(inputs, createRows(row, getTileShape(tile.getType())));
  return map(getComplex(), inputs, [](ElementBuilder &b, ValueRange x) {
    return b.make(b.mul(b.parts(x[0]), {x[1], x[2]}));
  });
}

/// Returns a tile with the index of each element in its row. The tile has one
/// row, which is broadcast to all rows.
Value FourierExpansion::iota(int64_t length) {
  SmallVector<int64_t> row = {1, length};
  return TileBuilder(builder, op->getLoc(), row,
                     getAnyRegisters(op->getContext()))
      .iota(builder.getI32Type(), 1);
}

/// Returns the box of `tile` that starts at `begin`.
Value FourierExpansion::takeBox(Value tile, ArrayRef<int64_t> begin,
                                ArrayRef<int64_t> shape) {
  auto type = cast<TileType>(tile.getType());
  return ViewOp::create(
      builder, op->getLoc(),
      TileType::get(shape, type.getElementType())
          .withStorage(type.getStorage()),
      tile, llvm::map_to_vector(begin, [&](int64_t at) { return index(at); }));
}

Value FourierExpansion::join(ValueRange tiles, int64_t axis) {
  auto type = cast<TileType>(tiles.front().getType());
  SmallVector<int64_t> shape(type.getShape());
  shape[axis] = 0;
  for (Value tile : tiles)
    shape[axis] += getTileShape(tile.getType())[axis];
  return JoinOp::create(builder, op->getLoc(),
                        getType(shape, type.getElementType()), tiles, axis);
}

Value FourierExpansion::toShared(Value tile) {
  return convertTo(builder, op->getLoc(), tile, getAnyShared(op->getContext()));
}

/// Returns the first elements of each row.
Value FourierExpansion::takeFirst(Value tile, int64_t length) {
  auto type = cast<TileType>(tile.getType());
  if (type.getShape().back() == length)
    return tile;
  Value first = takeBox(toShared(tile), {0, 0}, {rows, length});
  return convertTo(builder, op->getLoc(), first, type.getStorage());
}

/// Returns the elements at `indices` of each row of `shared`, a tile in shared
/// memory.
Value FourierExpansion::take(Value shared, Value indices) {
  SmallVector<int64_t> shape(getTileShape(indices.getType()));
  shape.front() = rows;
  return TakeOp::create(
      builder, op->getLoc(),
      getType(shape, cast<TileType>(shared.getType()).getElementType()), shared,
      indices, static_cast<int64_t>(shape.size()) - 1);
}
