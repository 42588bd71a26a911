// MatrixTiles.cpp - arithmetic on tiles of matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixTiles.h"

using namespace mlir;
using namespace tile;

Value tile::createReduce(OpBuilder &builder, Location loc, ReduceKind kind,
                         Value tile, int64_t axis) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + axis);
  Type result = TileType::get(shape, type.getElementType());
  return ReduceOp::create(builder, loc, TypeRange{result}, kind, tile,
                          builder.getI64IntegerAttr(axis))
      .getResult(0);
}

MatrixTiles::MatrixTiles(OpBuilder &builder, Location loc, TileType type)
    : TileBuilder(builder, loc, type.getShape()), type(type) {}

Value MatrixTiles::rows() {
  return iota(IntegerType::get(type.getContext(), 32), type.getRank() - 2);
}

Value MatrixTiles::columns() {
  return iota(IntegerType::get(type.getContext(), 32), type.getRank() - 1);
}

/// Along the dimension that the numbers do not have.
Value MatrixTiles::repeat(Value numbers, int64_t without) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  dims.erase(dims.begin() + without);
  Type element = ::cast<TileType>(numbers.getType()).getElementType();
  return create<BroadcastOp>(getType(element), numbers,
                             DenseI64ArrayAttr::get(type.getContext(), dims));
}

Value MatrixTiles::ofRows(Value numbers) {
  return repeat(numbers, type.getRank() - 1);
}

Value MatrixTiles::ofColumns(Value numbers) {
  return repeat(numbers, type.getRank() - 2);
}

Value MatrixTiles::areEqual(Value a, Value b) {
  return create<arith::CmpIOp>(arith::CmpIPredicate::eq, a, b);
}

Value MatrixTiles::areAtMost(Value a, Value b) {
  return create<arith::CmpIOp>(arith::CmpIPredicate::sle, a, b);
}

Value MatrixTiles::choose(Value condition, Value a, Value b) {
  return create<SelectOp>(condition, a, b);
}
