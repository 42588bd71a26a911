// DecomposeQr.cpp - Q and R, and least squares, by Householder reflections
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = tile.least_squares %a, %b : !tile.tile<9x4xf32>, !tile.tile<9x2xf32>
//          to !tile.tile<4x2xf32>
//
// becomes
//
//   %f, %s = tile.householder %a : !tile.tile<9x4xf32>, !tile.tile<4xf32>
//   %y = tile.apply_householder %f, %s, %b transposed   // Q' B
//   %x = tile.triangular_solve %f[0:4], %y[0:4] upper
//
// and the Q of tile.qr is the unit matrix, multiplied by the reflections.

#include "../Decompositions/Decompositions.h"
#include "QrFactors.h"

#include "MatrixTiles.h"

using namespace mlir;
using namespace tile;

HouseholderOp tile::createReflections(OpBuilder &builder, Location loc,
                                      Value matrices) {
  auto type = cast<TileType>(matrices.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.end() - 2);
  Type types[] = {type, TileType::get(shape, type.getElementType())};
  return HouseholderOp::create(builder, loc, types, matrices,
                               /*scratch=*/Value());
}

Value tile::takeTriangle(OpBuilder &builder, HouseholderOp factors) {
  Location loc = factors.getLoc();
  TileType type = factors.getResult().getType();
  Value rows =
      takeFirstRows(builder, loc, factors.getResult(), type.getShape().back());
  MatrixTiles tiles(builder, loc, cast<TileType>(rows.getType()));
  return tiles.choose(tiles.areAtMost(tiles.rows(), tiles.columns()), rows,
                      tiles.zero(type.getElementType()));
}

Replacements tile::decompose(QrOp op, OpBuilder &builder) {
  HouseholderOp factors =
      createReflections(builder, op.getLoc(), op.getSource());
  TileType type = op.getSource().getType();
  Type element = type.getElementType();
  MatrixTiles all(builder, op.getLoc(), type);
  Value unit = all.choose(all.areEqual(all.rows(), all.columns()),
                          all.real(element, 1.0), all.zero(element));
  Value q = ApplyHouseholderOp::create(
      builder, op.getLoc(), type, factors.getResult(), factors.getScales(),
      unit,
      /*transposed=*/false, /*triangular=*/true, /*scratch=*/Value());
  return SmallVector<Value>{q, takeTriangle(builder, factors)};
}

Replacements tile::decompose(LeastSquaresOp op, OpBuilder &builder) {
  HouseholderOp factors =
      createReflections(builder, op.getLoc(), op.getMatrix());
  Value product = ApplyHouseholderOp::create(
      builder, op.getLoc(), op.getRhs().getType(), factors.getResult(),
      factors.getScales(), op.getRhs(), /*transposed=*/true,
      /*triangular=*/false,
      /*scratch=*/Value());
  int64_t columns = op.getMatrix().getType().getShape().back();
  Value solution = TriangularSolveOp::create(
      builder, op.getLoc(), op.getResult().getType(),
      takeFirstRows(builder, op.getLoc(), factors.getResult(), columns),
      takeFirstRows(builder, op.getLoc(), product, columns), /*upper=*/true,
      /*transposed=*/false, /*unit=*/false, /*right=*/false,
      /*scratch=*/Value());
  return SmallVector<Value>{solution};
}
