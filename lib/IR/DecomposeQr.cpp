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
// and the Q of tile.qr is what the reflections make of the unit matrix.

#include "MatrixTiles.h"

using namespace mlir;
using namespace tile;

static HouseholderOp createReflections(OpBuilder &builder, Operation *op) {
  Value matrices = op->getOperand(0);
  auto type = cast<TileType>(matrices.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.end() - 2);
  Type types[] = {type, TileType::get(shape, type.getElementType())};
  return HouseholderOp::create(builder, op->getLoc(), types, matrices);
}

/// The first rows of each matrix.
static Value takeRows(OpBuilder &builder, Location loc, Value matrices,
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

FailureOr<SmallVector<Value>> QrOp::decompose(OpBuilder &builder) {
  HouseholderOp factors = createReflections(builder, *this);
  TileType type = getSource().getType();
  auto element = cast<FloatType>(type.getElementType());
  MatrixTiles all(builder, getLoc(), type);
  Value unit =
      all.choose(all.areEqual(all.rows(), all.columns()),
                 all.constant(element, 1.0), all.constant(element, 0.0));
  Value q = ApplyHouseholderOp::create(
      builder, getLoc(), type, factors.getResult(), factors.getScales(), unit,
      /*transposed=*/false, /*triangular=*/true);
  MatrixTiles square(builder, getLoc(), getR().getType());
  Value r = square.choose(
      square.areAtMost(square.rows(), square.columns()),
      takeRows(builder, getLoc(), factors.getResult(), type.getShape().back()),
      square.constant(element, 0.0));
  return SmallVector<Value>{q, r};
}

FailureOr<SmallVector<Value>> LeastSquaresOp::decompose(OpBuilder &builder) {
  HouseholderOp factors = createReflections(builder, *this);
  Value product = ApplyHouseholderOp::create(
      builder, getLoc(), getRhs().getType(), factors.getResult(),
      factors.getScales(), getRhs(), /*transposed=*/true, /*triangular=*/false);
  int64_t columns = getMatrix().getType().getShape().back();
  Value solution = TriangularSolveOp::create(
      builder, getLoc(), getResult().getType(),
      takeRows(builder, getLoc(), factors.getResult(), columns),
      takeRows(builder, getLoc(), product, columns), /*upper=*/true,
      /*transposed=*/false, /*unit=*/false, /*right=*/false);
  return SmallVector<Value>{solution};
}
