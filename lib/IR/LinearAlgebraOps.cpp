// LinearAlgebraOps.cpp - what factorisations accept
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLayout.h"

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// Square matrices of f32 or f64 that a warp's registers hold.
static LogicalResult verifySquare(Operation *op, TileType type) {
  Type element = type.getElementType();
  if (!element.isF32() && !element.isF64())
    return op->emitOpError()
           << "expected elements of f32 or f64, got " << element;
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2 || shape.back() != shape[shape.size() - 2])
    return op->emitOpError()
           << "expected square matrices in the last two dimensions, got "
           << type;
  int64_t most = getMaxOrder(getElementBytes(element));
  if (shape.back() > most)
    return op->emitOpError() << "expected at most " << most << " rows of "
                             << element << ", got " << shape.back();
  return success();
}

LogicalResult CholeskyOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)))
    return failure();
  if (!getStatus())
    return success();
  TileType status = getStatus().getType();
  ArrayRef<int64_t> batch = source.getShape().drop_back(2);
  if (status.getShape() != batch || !status.getElementType().isInteger(32))
    return emitOpError() << "expected a status of shape [" << batch
                         << "] (a number for each matrix) and elements of i32, "
                            "got "
                         << status;
  return success();
}

LogicalResult TriangularSolveOp::verify() {
  TileType triangle = getTriangle().getType(), rhs = getRhs().getType();
  if (failed(verifySquare(*this, triangle)))
    return failure();
  if (rhs.getElementType() != triangle.getElementType())
    return emitOpError() << "expected right-hand sides of "
                         << triangle.getElementType()
                         << " (the triangle's elements), got " << rhs;
  int64_t rank = triangle.getRank();
  ArrayRef<int64_t> batch = triangle.getShape().drop_back(2);
  if (rhs.getRank() != rank || rhs.getShape().drop_back(2) != batch)
    return emitOpError() << "expected right-hand sides of " << rank
                         << " dimensions, [" << batch
                         << "] before the last two (the triangle's), got "
                         << rhs;
  if (rhs.getDimSize(rank - (getRight() ? 1 : 2)) != triangle.getShape().back())
    return emitOpError() << "expected matrices of "
                         << triangle.getShape().back()
                         << (getRight() ? " columns" : " rows")
                         << " (the triangle's), got " << rhs;
  return success();
}
