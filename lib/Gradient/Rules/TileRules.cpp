// TileRules.cpp - tiles that several rules create
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TileRules.h"

using namespace mlir;
using namespace tile;

static TileType getType(Value tile) { return cast<TileType>(tile.getType()); }

Value tile::transposeLast(ValueBuilder &b, Value tile) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape()), dims(shape.size());
  std::iota(dims.begin(), dims.end(), 0);
  std::swap(shape[shape.size() - 1], shape[shape.size() - 2]);
  std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  return TransposeOp::create(b, TileType::get(shape, type.getElementType()),
                             tile, dims);
}

Value tile::multiplyMatrices(ValueBuilder &b, Value lhs, Value rhs) {
  SmallVector<int64_t> shape(getType(lhs).getShape());
  shape.back() = getType(rhs).getShape().back();
  // tile.matmul takes one dimension of a batch.
  auto flatten = [&](Value tile) {
    ArrayRef<int64_t> all = getType(tile).getShape();
    if (all.size() <= 3)
      return tile;
    return reshape(
        b, tile,
        {llvm::product_of(all.drop_back(2)), all[all.size() - 2], all.back()});
  };
  lhs = flatten(lhs);
  rhs = flatten(rhs);
  SmallVector<int64_t> flat(getType(lhs).getShape());
  flat.back() = shape.back();
  Type type = TileType::get(flat, getType(lhs).getElementType());
  Value product = MatmulOp::create(b, type, lhs, rhs, b.zero(type),
                                   Precision::ieee, TilingAttr());
  return reshape(b, product, shape);
}

Value tile::reshape(ValueBuilder &b, Value tile, ArrayRef<int64_t> shape) {
  TileType type = getType(tile);
  if (type.getShape() == shape)
    return tile;
  return ReshapeOp::create(b, TileType::get(shape, type.getElementType()),
                           tile);
}

Value tile::takeDistinct(ValueBuilder &b, Type type, Value source,
                         Value indices, int64_t axis) {
  auto take = TakeOp::create(b, type, source, indices, axis);
  take->setAttr(kDistinctAttr, b.getUnitAttr());
  return take;
}

Value tile::sumAlong(ValueBuilder &b, Value tile, int64_t dim) {
  TileType type = getType(tile);
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = 1;
  auto sum = ReduceOp::create(
      b, TypeRange{TileType::get(shape, type.getElementType())},
      ReduceKind::add, tile, b.getI64IntegerAttr(dim));
  sum.setKeep(true);
  return sum.getResult(0);
}

Value tile::sumElements(ValueBuilder &b, Value tile) {
  Type type = TileType::get({}, getType(tile).getElementType());
  auto sum = ReduceOp::create(b, TypeRange{type}, ReduceKind::add, tile,
                              /*axis=*/IntegerAttr());
  return ExtractOp::create(b, sum.getResult(0), ValueRange());
}
