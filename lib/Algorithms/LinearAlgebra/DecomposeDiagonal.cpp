// DecomposeDiagonal.cpp - diagonals by comparing indices of rows and columns
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Decompositions/Decompositions.h"
#include "MatrixTiles.h"

#include "mlir/Dialect/Complex/IR/Complex.h"

using namespace mlir;
using namespace tile;

/// Whether a tile's matrices have no more rows than columns, so that each row
/// has an element on the diagonal.
static bool hasDiagonalOfRows(TileType type) {
  return type.getDimSize(type.getRank() - 2) <= type.getShape().back();
}

static Value isOnDiagonal(MatrixTiles &tiles) {
  return tiles.areEqual(tiles.rows(), tiles.columns());
}

/// Returns a tile filled with the identity of complex addition, (-0, -0), which
/// preserves the sign of a zero.
static Value createNoSummands(OpBuilder &builder, MatrixTiles &tiles,
                              ComplexType type) {
  Attribute part = builder.getFloatAttr(type.getElementType(), -0.0);
  return tiles.fill(tiles.create<complex::ConstantOp>(
      type, builder.getArrayAttr({part, part})));
}

/// Replaces elements outside the diagonal by zeros, and combines the bits of a
/// row or column by a bitwise or, so that a NaN keeps its bits. Complex
/// elements are summed.
Replacements tile::decompose(DiagonalOp op, OpBuilder &builder) {
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  int64_t axis = type.getRank() - (hasDiagonalOfRows(type) ? 1 : 2);
  MatrixTiles tiles(builder, op.getLoc(), type);
  Value kept = isOnDiagonal(tiles);
  if (auto complex = dyn_cast<ComplexType>(element)) {
    Value rest = createNoSummands(builder, tiles, complex);
    return SmallVector<Value>{
        createReduce(builder, op.getLoc(), ReduceKind::add,
                     tiles.choose(kept, op.getSource(), rest), axis)};
  }
  Value bits = op.getSource();
  auto isFloat = isa<FloatType>(element);
  if (isFloat)
    bits = tiles.bitcast(
        bits, builder.getIntegerType(element.getIntOrFloatBitWidth()));
  Type integer = cast<TileType>(bits.getType()).getElementType();
  Value diagonal = createReduce(
      builder, op.getLoc(), ReduceKind::bit_or,
      tiles.choose(kept, bits, tiles.constant(integer, uint64_t(0))), axis);
  if (isFloat)
    diagonal = CastOp::create(builder, op.getLoc(), op.getType(), diagonal,
                              /*unsigned_integer=*/false, /*saturate=*/false,
                              /*bitcast=*/true);
  return SmallVector<Value>{diagonal};
}

Replacements tile::decompose(AddDiagonalOp op, OpBuilder &builder) {
  TileType type = op.getSource().getType();
  MatrixTiles tiles(builder, op.getLoc(), type);
  Value added = op.getDiagonal();
  if (!isa<TileType>(added.getType()))
    added = tiles.fill(added);
  else
    added =
        hasDiagonalOfRows(type) ? tiles.ofRows(added) : tiles.ofColumns(added);
  Value sums = addElements(builder, op.getLoc(), op.getSource(), added);
  return SmallVector<Value>{
      tiles.choose(isOnDiagonal(tiles), sums, op.getSource())};
}
