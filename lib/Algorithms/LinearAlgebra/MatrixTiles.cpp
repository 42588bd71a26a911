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

Value tile::transposeMatrices(OpBuilder &builder, Location loc,
                              Value matrices) {
  auto type = cast<TileType>(matrices.getType());
  SmallVector<int64_t> shape(type.getShape());
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(shape[shape.size() - 2], shape.back());
  std::swap(permutation[shape.size() - 2], permutation.back());
  return TransposeOp::create(builder, loc,
                             TileType::get(shape, type.getElementType()),
                             matrices, permutation);
}

bool tile::isComplex(Value values) {
  return isa<ComplexType>(cast<TileType>(values.getType()).getElementType());
}

Value tile::takePart(OpBuilder &builder, Location loc, ComplexKind kind,
                     Value values) {
  return ComplexOp::create(
      builder, loc, cast<TileType>(values.getType()).ofParts(), kind, values);
}

Value tile::conjugate(OpBuilder &builder, Location loc, Value values) {
  if (!isComplex(values))
    return values;
  return ComplexOp::create(builder, loc, values.getType(), ComplexKind::conj,
                           values);
}

Value tile::createAdjoint(OpBuilder &builder, Location loc, Value matrices) {
  return transposeMatrices(builder, loc, conjugate(builder, loc, matrices));
}

Value tile::createHermitian(OpBuilder &builder, Location loc, Value lower) {
  auto type = cast<TileType>(lower.getType());
  MatrixTiles tiles(builder, loc, type);
  Value rows = tiles.rows(), columns = tiles.columns();
  Value isLower = tiles.areAtMost(columns, rows);
  Value hermitian =
      tiles.choose(isLower, lower, createAdjoint(builder, loc, lower));
  if (!isComplex(lower))
    return hermitian;
  Value diagonal = fromReal(builder, loc, getRealParts(builder, loc, lower),
                            type.getElementType());
  return tiles.choose(tiles.areEqual(rows, columns), diagonal, hermitian);
}

Value tile::addElements(OpBuilder &builder, Location loc, Value a, Value b) {
  Type element = cast<TileType>(a.getType()).getElementType();
  if (isa<ComplexType>(element))
    return ComplexOp::create(builder, loc, a.getType(), ComplexKind::add,
                             ValueRange{a, b});
  if (isa<FloatType>(element))
    return arith::AddFOp::create(builder, loc, a, b);
  return arith::AddIOp::create(builder, loc, a, b);
}

Value tile::negate(OpBuilder &builder, Location loc, Value values) {
  if (!isComplex(values))
    return arith::NegFOp::create(builder, loc, values);
  return ComplexOp::create(builder, loc, values.getType(), ComplexKind::neg,
                           values);
}

Value tile::getRealParts(OpBuilder &builder, Location loc, Value values) {
  return isComplex(values) ? takePart(builder, loc, ComplexKind::re, values)
                           : values;
}

Value tile::fromReal(OpBuilder &builder, Location loc, Value values,
                     Type element) {
  auto type = cast<TileType>(values.getType());
  if (type.getElementType() == element)
    return values;
  TileBuilder tiles(builder, loc, type.getShape());
  Value parts[] = {values, tiles.zero(type.getElementType())};
  return ComplexOp::create(builder, loc,
                           TileType::get(type.getShape(), element),
                           ComplexKind::create, parts);
}

Value tile::mapParts(OpBuilder &builder, Location loc, Value values,
                     llvm::function_ref<Value(Value part)> make) {
  if (!isComplex(values))
    return make(values);
  SmallVector<Value> parts;
  for (ComplexKind kind : {ComplexKind::re, ComplexKind::im})
    parts.push_back(make(takePart(builder, loc, kind, values)));
  return ComplexOp::create(builder, loc, values.getType(), ComplexKind::create,
                           parts);
}

Value tile::multiplyByReal(OpBuilder &builder, Location loc, Value values,
                           Value factors) {
  return mapParts(builder, loc, values, [&](Value part) -> Value {
    return arith::MulFOp::create(builder, loc, part, factors);
  });
}

Value tile::takeFirstRows(OpBuilder &builder, Location loc, Value matrices,
                          int64_t count) {
  auto type = cast<TileType>(matrices.getType());
  SmallVector<int64_t> shape(type.getShape());
  if (shape[shape.size() - 2] == count)
    return matrices;
  shape[shape.size() - 2] = count;
  SmallVector<Value> begin(shape.size(),
                           arith::ConstantIndexOp::create(builder, loc, 0));
  return ViewOp::create(builder, loc,
                        TileType::get(shape, type.getElementType()), matrices,
                        begin);
}

SmallVector<Value> tile::sortColumns(OpBuilder &builder, Location loc,
                                     Value values, Value matrices,
                                     bool isDescending) {
  auto type = cast<TileType>(values.getType());
  int64_t axis = type.getRank() - 1;
  TileBuilder rows(builder, loc, type.getShape());
  Value positions = rows.iota(builder.getI32Type(), axis);
  auto sort = SortOp::create(builder, loc, TypeRange{type, positions.getType()},
                             ValueRange{values, positions},
                             builder.getI64IntegerAttr(axis),
                             isDescending ? builder.getUnitAttr() : UnitAttr(),
                             /*unsigned_integer=*/UnitAttr());
  SmallVector<int64_t> shape(type.getShape());
  shape.insert(shape.end() - 1, 1);
  Value indices = ReshapeOp::create(builder, loc,
                                    TileType::get(shape, builder.getI32Type()),
                                    sort.getResult(1));
  Value columns = TakeOp::create(builder, loc, matrices.getType(), matrices,
                                 indices, axis + 1);
  return {sort.getResult(0), columns};
}

MatrixTiles::MatrixTiles(OpBuilder &builder, Location loc, TileType type)
    : TileBuilder(builder, loc, type.getShape()), type(type) {}

Value MatrixTiles::rows() {
  return iota(IntegerType::get(type.getContext(), 32), type.getRank() - 2);
}

Value MatrixTiles::columns() {
  return iota(IntegerType::get(type.getContext(), 32), type.getRank() - 1);
}

/// Repeats `values` along the dimension `without`, which they lack.
Value MatrixTiles::repeat(Value values, int64_t without) {
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  dims.erase(dims.begin() + without);
  Type element = ::cast<TileType>(values.getType()).getElementType();
  return create<BroadcastOp>(getType(element), values,
                             DenseI64ArrayAttr::get(type.getContext(), dims));
}

Value MatrixTiles::ofRows(Value values) {
  return repeat(values, type.getRank() - 1);
}

Value MatrixTiles::ofColumns(Value values) {
  return repeat(values, type.getRank() - 2);
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
