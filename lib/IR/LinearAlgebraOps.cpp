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

/// A number of the element type for each matrix.
static LogicalResult verifyOfMatrices(Operation *op, StringRef what,
                                      TileType type, TileType matrices,
                                      Type element) {
  ArrayRef<int64_t> batch = matrices.getShape().drop_back(2);
  if (type.getShape() == batch && type.getElementType() == element)
    return success();
  return op->emitOpError() << "expected " << what << " of shape [" << batch
                           << "] (a number for each matrix) and elements of "
                           << element << ", got " << type;
}

/// One of i32, if there is one.
static LogicalResult verifyStatus(Operation *op, TypedValue<TileType> status,
                                  TileType matrices) {
  if (!status)
    return success();
  return verifyOfMatrices(op, "a status", status.getType(), matrices,
                          IntegerType::get(op->getContext(), 32));
}

/// Right-hand sides, columns or rows of matrices in the batch of the others.
static LogicalResult verifySides(Operation *op, StringRef whose,
                                 TileType matrices, TileType rhs,
                                 bool areRows) {
  if (rhs.getElementType() != matrices.getElementType())
    return op->emitOpError()
           << "expected right-hand sides of " << matrices.getElementType()
           << " (" << whose << " elements), got " << rhs;
  int64_t rank = matrices.getRank();
  ArrayRef<int64_t> batch = matrices.getShape().drop_back(2);
  if (rhs.getRank() != rank || rhs.getShape().drop_back(2) != batch)
    return op->emitOpError()
           << "expected right-hand sides of " << rank << " dimensions, ["
           << batch << "] before the last two (" << whose << "), got " << rhs;
  if (rhs.getDimSize(rank - (areRows ? 1 : 2)) != matrices.getShape().back())
    return op->emitOpError()
           << "expected matrices of " << matrices.getShape().back()
           << (areRows ? " columns (" : " rows (") << whose << "), got " << rhs;
  return success();
}

LogicalResult CholeskyOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)))
    return failure();
  return verifyStatus(*this, getStatus(), source);
}

LogicalResult LdltOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)))
    return failure();
  return verifyStatus(*this, getStatus(), source);
}

LogicalResult TriangularSolveOp::verify() {
  TileType triangle = getTriangle().getType();
  if (failed(verifySquare(*this, triangle)))
    return failure();
  return verifySides(*this, "the triangle's", triangle, getRhs().getType(),
                     getRight());
}

LogicalResult LuOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)))
    return failure();
  TileType permutation = getPermutation().getType();
  ArrayRef<int64_t> shape = source.getShape().drop_back();
  if (permutation.getShape() != shape ||
      !permutation.getElementType().isInteger(32))
    return emitOpError() << "expected a permutation of shape [" << shape
                         << "] (a number for each row) and elements of i32, "
                            "got "
                         << permutation;
  return verifyStatus(*this, getStatus(), source);
}

LogicalResult SolveOp::verify() {
  TileType matrix = getMatrix().getType();
  if (failed(verifySquare(*this, matrix)) ||
      failed(verifySides(*this, "the matrix's", matrix, getRhs().getType(),
                         /*areRows=*/false)))
    return failure();
  return verifyStatus(*this, getStatus(), matrix);
}

LogicalResult InverseOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)))
    return failure();
  return verifyStatus(*this, getStatus(), source);
}

/// A number of a matrix's elements for each matrix.
static LogicalResult verifyDeterminant(Operation *op, TileType matrices,
                                       TileType result) {
  if (failed(verifySquare(op, matrices)))
    return failure();
  return verifyOfMatrices(op, "a result", result, matrices,
                          matrices.getElementType());
}

LogicalResult DeterminantOp::verify() {
  return verifyDeterminant(*this, getSource().getType(), getResult().getType());
}

LogicalResult LogDetOp::verify() {
  return verifyDeterminant(*this, getSource().getType(), getSign().getType());
}

/// The extents of the diagonals of a tile's matrices.
static FailureOr<SmallVector<int64_t>> getDiagonalShape(Operation *op,
                                                        TileType matrices) {
  if (matrices.getRank() < 2)
    return op->emitOpError()
           << "expected matrices in the last two dimensions, got " << matrices;
  SmallVector<int64_t> shape(matrices.getShape());
  int64_t columns = shape.pop_back_val();
  shape.back() = std::min(shape.back(), columns);
  return shape;
}

static LogicalResult verifyDiagonal(Operation *op, TileType matrices,
                                    TileType diagonal) {
  FailureOr<SmallVector<int64_t>> shape = getDiagonalShape(op, matrices);
  if (failed(shape))
    return failure();
  if (diagonal.getShape() == ArrayRef<int64_t>(*shape) &&
      diagonal.getElementType() == matrices.getElementType())
    return success();
  return op->emitOpError() << "expected a diagonal of shape ["
                           << ArrayRef<int64_t>(*shape) << "] and elements of "
                           << matrices.getElementType() << " (the matrices'), "
                           << "got " << diagonal;
}

LogicalResult DiagonalOp::verify() {
  return verifyDiagonal(*this, getSource().getType(), getResult().getType());
}

LogicalResult AddDiagonalOp::verify() {
  TileType source = getSource().getType();
  Type element = source.getElementType(), diagonal = getDiagonal().getType();
  if (!isa<FloatType>(element) &&
      !(isa<IntegerType>(element) && !element.isInteger(1)))
    return emitOpError() << "expected elements of integers of 8 to 64 bits or "
                            "floating-point numbers, got "
                         << element;
  if (auto tile = dyn_cast<TileType>(diagonal))
    return verifyDiagonal(*this, source, tile);
  if (failed(getDiagonalShape(*this, source)))
    return failure();
  if (diagonal != element)
    return emitOpError() << "expected a number of " << element
                         << " (the matrices' elements), got " << diagonal;
  return success();
}
