// MatrixBlocks.cpp - square matrices that are factored in blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixBlocks.h"

#include "FactorLayout.h"
#include "MatrixTiles.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace mlir;
using namespace tile;

/// The limit is the order of the largest matrix that four warps can hold in
/// registers together with the result.
int64_t tile::getMaxOrderInBlocks(int64_t elementBytes) {
  if (elementBytes <= 4)
    return 128;
  return elementBytes <= 8 ? 96 : 64;
}

bool tile::areInBlocks(TileType matrices) {
  return matrices.getShape().back() >
         getMaxOrder(getElementBytes(matrices.getElementType()));
}

/// Blocks have 32 rows: each of the 8x4 lanes has 32 elements of such a block,
/// which leaves registers for as many elements of right-hand sides.
SmallVector<MatrixRange> tile::cutIntoBlocks(int64_t order) {
  constexpr int64_t kBlock = 32;
  SmallVector<MatrixRange> ranges;
  int64_t end = order - (llvm::divideCeil(order, kBlock) - 1) * kBlock;
  for (int64_t begin = 0; begin < order; begin = end, end += kBlock)
    ranges.push_back({begin, end});
  return ranges;
}

MatrixBlocks::MatrixBlocks(OpBuilder &builder, Location loc, TileType type)
    : builder(builder), loc(loc), element(type.getElementType()),
      matrices(llvm::product_of(type.getShape().drop_back(2))) {
  if (matrices != 1)
    batch.push_back(matrices);
}

TileType MatrixBlocks::getType(int64_t rows, int64_t columns) {
  SmallVector<int64_t> shape(batch);
  shape.append({rows, columns});
  return TileType::get(shape, element);
}

TileType MatrixBlocks::getValuesType(Type type) {
  return TileType::get(batch, type);
}

Value MatrixBlocks::reshape(Value tile, Type type) {
  return tile.getType() == type ? tile
                                : ReshapeOp::create(builder, loc, type, tile);
}

Value MatrixBlocks::restore(Value blocks, Type type) {
  return reshape(blocks, type);
}

Value MatrixBlocks::zeros(int64_t rows, int64_t columns) {
  TileType type = getType(rows, columns);
  return TileBuilder(builder, loc, type.getShape()).zero(element);
}

/// Returns the offsets of a box that starts at a row and a column of each
/// matrix.
static SmallVector<Value> getOffsets(OpBuilder &builder, Location loc,
                                     int64_t rank, int64_t row,
                                     int64_t column) {
  SmallVector<Value> offsets;
  for (int64_t dim = 2; dim < rank; ++dim)
    offsets.push_back(arith::ConstantIndexOp::create(builder, loc, 0));
  for (int64_t offset : {row, column})
    offsets.push_back(arith::ConstantIndexOp::create(builder, loc, offset));
  return offsets;
}

/// Loads the part of a loaded tile that starts at `row` and `column`; returns
/// null if `tile` is not the result of a load, or has several uses.
static Value loadPart(OpBuilder &builder, Value tile, TileType part,
                      int64_t row, int64_t column) {
  auto load = tile.getDefiningOp<LoadOp>();
  if (!load || !tile.hasOneUse() || load.getMask() || load.getDims())
    return Value();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(load);
  SmallVector<Value> offsets(load.getOffsets());
  size_t rank = offsets.size();
  for (auto [dim, distance] : {std::pair(rank - 2, row), {rank - 1, column}})
    if (distance != 0)
      offsets[dim] = arith::AddIOp::create(
          builder, load.getLoc(), offsets[dim],
          arith::ConstantIndexOp::create(builder, load.getLoc(), distance));
  auto loaded = cast<LoadOp>(builder.clone(*load));
  loaded.getOffsetsMutable().assign(offsets);
  loaded.getResult().setType(part);
  return loaded.getResult();
}

Value MatrixBlocks::takeFirst(Value tile, MatrixRange rows,
                              MatrixRange columns) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape().drop_back(2));
  shape.append({rows.size(), columns.size()});
  TileType part = TileType::get(shape, element);
  Value taken = loadPart(builder, tile, part, rows.begin, columns.begin);
  if (!taken)
    taken = ViewOp::create(
        builder, loc, part, tile,
        getOffsets(builder, loc, type.getRank(), rows.begin, columns.begin));
  return reshape(taken, getType(rows.size(), columns.size()));
}

Value MatrixBlocks::take(Value block, MatrixRange rows, MatrixRange columns) {
  TileType part = getType(rows.size(), columns.size());
  if (block.getType() == part)
    return block;
  return ViewOp::create(
      builder, loc, part, block,
      getOffsets(builder, loc, part.getRank(), rows.begin, columns.begin));
}

/// Joins blocks along the dimension that is followed by `fromLast` others.
Value MatrixBlocks::join(ArrayRef<Value> blocks, unsigned fromLast) {
  if (blocks.size() == 1)
    return blocks.front();
  SmallVector<int64_t> shape(
      cast<TileType>(blocks.front().getType()).getShape());
  int64_t axis = shape.size() - 1 - fromLast;
  shape[axis] = 0;
  for (Value block : blocks)
    shape[axis] += cast<TileType>(block.getType()).getDimSize(axis);
  return JoinOp::create(builder, loc, TileType::get(shape, element),
                        ValueRange(blocks), static_cast<uint64_t>(axis));
}

Value MatrixBlocks::joinColumns(ArrayRef<Value> blocks) {
  return join(blocks, /*fromLast=*/0);
}

Value MatrixBlocks::joinRows(ArrayRef<Value> blocks) {
  return join(blocks, /*fromLast=*/1);
}

Value MatrixBlocks::subtractMatmul(Value a, Value b, Value from) {
  return MatmulOp::create(builder, loc, from.getType(), negate(builder, loc, a),
                          b, from, Precision::ieee, TilingAttr());
}

/// Returns the number of parts into which the rows of each of the `matrices`
/// are divided, so that one warp solves each part: the largest divisor of
/// `rows` that leaves at least four rows in each part (one for each of the
/// lanes along the rows) and makes at most four parts of all matrices together.
static int64_t countParts(int64_t matrices, int64_t rows) {
  constexpr int64_t kWarps = 4, kLeast = 4;
  for (int64_t parts = kWarps / std::min(matrices, kWarps); parts > 1; --parts)
    if (rows % parts == 0 && rows / parts >= kLeast)
      return parts;
  return 1;
}

Value MatrixBlocks::solveRows(Value triangle, Value rows, bool isUpper,
                              bool isTransposed, bool isUnit) {
  auto type = cast<TileType>(rows.getType());
  int64_t order = type.getShape().back();
  int64_t count = type.getDimSize(type.getRank() - 2);
  if (int64_t parts = countParts(matrices, count); parts > 1) {
    SmallVector<int64_t> shape(batch), dims;
    for (size_t dim = 0; dim < batch.size(); ++dim)
      dims.push_back(dim);
    for (int64_t dim : {1, 2})
      dims.push_back(batch.size() + dim);
    shape.append({parts, order, order});
    triangle =
        BroadcastOp::create(builder, loc, TileType::get(shape, element),
                            triangle, builder.getDenseI64ArrayAttr(dims));
    int64_t all = matrices * parts;
    triangle = reshape(triangle, TileType::get({all, order, order}, element));
    rows = reshape(rows, TileType::get({all, count / parts, order}, element));
  }
  Value solution =
      TriangularSolveOp::create(builder, loc, rows.getType(), triangle, rows,
                                isUpper, isTransposed, isUnit,
                                /*right=*/true, /*scratch=*/Value());
  return reshape(solution, type);
}
