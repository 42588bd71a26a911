// MatrixTiles.cpp - matrices that several rules create
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixTiles.h"

#include "TileRules.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

static TileType getType(Value tile) { return cast<TileType>(tile.getType()); }

Value tile::transposeConjugate(ValueBuilder &b, Value matrices) {
  return transposeLast(b, b.conj(matrices));
}

Value tile::compareIndices(ValueBuilder &b, Value matrices,
                           arith::CmpIPredicate predicate) {
  TileType type = getType(matrices);
  TileBuilder tiles(b, b.getLoc(), type.getShape());
  return arith::CmpIOp::create(b, predicate,
                               tiles.iota(b.getI32Type(), type.getRank() - 2),
                               tiles.iota(b.getI32Type(), type.getRank() - 1));
}

Value tile::takeWhere(ValueBuilder &b, Value matrices,
                      arith::CmpIPredicate predicate) {
  return b.select(compareIndices(b, matrices, predicate), matrices, Value());
}

Value tile::takeTriangle(ValueBuilder &b, Value matrices, bool isUpper) {
  return takeWhere(b, matrices,
                   isUpper ? arith::CmpIPredicate::sle
                           : arith::CmpIPredicate::sge);
}

Value tile::takeHalf(ValueBuilder &b, Value matrices, bool isUpper) {
  Value isDiagonal = compareIndices(b, matrices, arith::CmpIPredicate::eq);
  Value triangle = takeTriangle(b, matrices, isUpper);
  return b.select(isDiagonal, b.scale(triangle, 0.5), triangle);
}

Value tile::symmetrize(ValueBuilder &b, Value matrices, bool isUpper) {
  Value half = takeHalf(b, matrices, isUpper);
  return b.add(half, transposeConjugate(b, half));
}

/// Repeats vectors along dimension `dim` of matrices.
static Value repeat(ValueBuilder &b, Value vectors, Value like, int64_t dim) {
  SmallVector<int64_t> shape(getType(vectors).getShape());
  shape.insert(shape.begin() + dim, 1);
  Type type = TileType::get(getType(like).getShape(),
                            getType(vectors).getElementType());
  Value kept = reshape(b, vectors, shape);
  return kept.getType() == type
             ? kept
             : BroadcastOp::create(b, type, kept).getResult();
}

Value tile::repeatAsRows(ValueBuilder &b, Value vectors, Value like) {
  return repeat(b, vectors, like, getType(like).getRank() - 2);
}

Value tile::repeatAsColumns(ValueBuilder &b, Value vectors, Value like) {
  return repeat(b, vectors, like, getType(like).getRank() - 1);
}

Value tile::takeDiagonal(ValueBuilder &b, Value matrices) {
  TileType type = getType(matrices);
  return DiagonalOp::create(
      b, TileType::get(type.getShape().drop_back(), type.getElementType()),
      matrices);
}

Value tile::solveTriangle(ValueBuilder &b, Value triangle, Value rhs,
                          bool isUpper, bool isTransposed, bool isUnit,
                          bool isRight) {
  return TriangularSolveOp::create(b, rhs.getType(), triangle, rhs, isUpper,
                                   isTransposed, isUnit, isRight,
                                   /*scratch=*/Value());
}

Value tile::divideBySides(ValueBuilder &b, Value lower, Value matrices,
                          bool isTransposed, bool isUnit) {
  Value conjugate = b.conj(lower);
  Value left = solveTriangle(b, isTransposed ? conjugate : lower, matrices,
                             /*isUpper=*/false, isTransposed, isUnit,
                             /*isRight=*/false);
  return solveTriangle(b, isTransposed ? lower : conjugate, left,
                       /*isUpper=*/false, !isTransposed, isUnit,
                       /*isRight=*/true);
}
