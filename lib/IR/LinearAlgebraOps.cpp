// LinearAlgebraOps.cpp - verification of factorisations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Verify.h"

using namespace mlir;
using namespace tile;

/// Verifies that the elements are f32 or f64, or complex elements of these.
static LogicalResult verifyElement(Operation *op, TileType type) {
  Type element = type.getElementType(), part = element;
  if (auto complex = dyn_cast<ComplexType>(element))
    part = complex.getElementType();
  if (part.isF32() || part.isF64())
    return success();
  return op->emitOpError() << "expected elements of f32 or f64, or complex "
                              "ones of them, got "
                           << element;
}

/// Verifies that `type` has square matrices that the algorithm accepts.
static LogicalResult verifySquare(Operation *op, TileType type) {
  if (failed(verifyElement(op, type)))
    return failure();
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2 || shape.back() != shape[shape.size() - 2])
    return op->emitOpError()
           << "expected square matrices in the last two dimensions, got "
           << type;
  return verifyLimits(op);
}

/// Verifies that `type` has matrices that the algorithm accepts, with no more
/// columns than rows.
static LogicalResult verifyTall(Operation *op, TileType type) {
  if (failed(verifyElement(op, type)))
    return failure();
  ArrayRef<int64_t> shape = type.getShape();
  if (shape.size() < 2 || shape.back() > shape[shape.size() - 2])
    return op->emitOpError() << "expected matrices of no more columns than "
                                "rows in the last two dimensions, got "
                             << type;
  return verifyLimits(op);
}

/// Verifies that `type` has one element of type `element` for each matrix.
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

/// Verifies that the status, if there is one, is a tile of i32.
static LogicalResult verifyStatus(Operation *op, TypedValue<TileType> status,
                                  TileType matrices) {
  if (!status)
    return success();
  return verifyOfMatrices(op, "a status", status.getType(), matrices,
                          IntegerType::get(op->getContext(), 32));
}

/// Verifies right-hand sides: columns or rows, of `length` elements each, of
/// matrices with the same batch dimensions as `matrices`.
static LogicalResult verifySides(Operation *op, StringRef whose,
                                 TileType matrices, int64_t length,
                                 TileType rhs, bool areRows) {
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
  if (rhs.getDimSize(rank - (areRows ? 1 : 2)) != length)
    return op->emitOpError()
           << "expected matrices of " << length
           << (areRows ? " columns (" : " rows (") << whose << "), got " << rhs;
  return success();
}

LogicalResult CholeskyOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)))
    return failure();
  return verifyStatus(*this, getStatus(), source);
}

LogicalResult CholeskyDerivativeOp::verify() {
  return verifySquare(*this, getFactor().getType());
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
  return verifySides(*this, "the triangle's", triangle,
                     triangle.getShape().back(), getRhs().getType(),
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

/// Return a tile's type without its second-to-last dimension, and with square
/// matrices of the order of its last extent.
static TileType getTypeOfColumns(TileType matrices) {
  SmallVector<int64_t> shape(matrices.getShape());
  shape.erase(shape.end() - 2);
  return TileType::get(shape, matrices.getElementType());
}
static TileType getTypeOfSquares(TileType matrices) {
  SmallVector<int64_t> shape(matrices.getShape());
  shape[shape.size() - 2] = shape.back();
  return TileType::get(shape, matrices.getElementType());
}

/// Verifies that there is a scale for each column of the reflections.
static LogicalResult verifyScales(Operation *op, TileType reflections,
                                  TileType scales) {
  ArrayRef<int64_t> shape = getTypeOfColumns(reflections).getShape();
  if (scales.getShape() == shape &&
      scales.getElementType() == reflections.getElementType())
    return success();
  return op->emitOpError() << "expected scales of shape [" << shape
                           << "] (a number for each column) and elements of "
                           << reflections.getElementType() << ", got "
                           << scales;
}

LogicalResult HouseholderOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifyTall(*this, source)))
    return failure();
  return verifyScales(*this, source, getScales().getType());
}

LogicalResult ApplyHouseholderOp::verify() {
  if (getTransposed() && getTriangular())
    return emitOpError() << "expected 'triangular' without 'transposed'";
  TileType reflections = getReflections().getType();
  if (failed(verifyTall(*this, reflections)) ||
      failed(verifyScales(*this, reflections, getScales().getType())))
    return failure();
  return verifySides(*this, "the reflections'", reflections,
                     reflections.getShape().drop_back().back(),
                     getRhs().getType(), /*areRows=*/false);
}

LogicalResult QrOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifyTall(*this, source)))
    return failure();
  if (getQ().getType() != source)
    return emitOpError() << "expected a Q of type " << source
                         << " (the source's), got " << getQ().getType();
  TileType expected = getTypeOfSquares(source);
  if (getR().getType() != expected)
    return emitOpError() << "expected an R of type " << expected << ", got "
                         << getR().getType();
  return success();
}

LogicalResult LeastSquaresOp::verify() {
  TileType matrix = getMatrix().getType(), rhs = getRhs().getType();
  if (failed(verifyTall(*this, matrix)) ||
      failed(verifySides(*this, "the matrix's", matrix,
                         matrix.getShape().drop_back().back(), rhs,
                         /*areRows=*/false)))
    return failure();
  int64_t columns = matrix.getShape().back();
  SmallVector<int64_t> shape(rhs.getShape());
  shape[shape.size() - 2] = columns;
  auto expected = TileType::get(shape, rhs.getElementType());
  if (getResult().getType() != expected)
    return emitOpError() << "expected a result of type " << expected << ", got "
                         << getResult().getType();
  return success();
}

/// Verifies the extents and the element type of a result; its storage is not
/// compared.
static LogicalResult verifyResult(Operation *op, StringRef what, TileType type,
                                  TileType expected) {
  if (type.getShape() == expected.getShape() &&
      type.getElementType() == expected.getElementType())
    return success();
  return op->emitOpError() << "expected " << what << " of type " << expected
                           << ", got " << type;
}

/// Returns the type of a tile with a real element for each column.
static TileType getTypeOfNorms(TileType matrices) {
  return TileType::get(getTypeOfColumns(matrices).getShape(),
                       getRealType(matrices));
}

LogicalResult OneSidedJacobiOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)) ||
      failed(verifyResult(*this, "norms", getNorms().getType(),
                          getTypeOfNorms(source))))
    return failure();
  return verifyStatus(*this, getStatus(), source);
}

LogicalResult EighOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifySquare(*this, source)) ||
      failed(verifyResult(*this, "values", getValues().getType(),
                          getTypeOfNorms(source))) ||
      failed(verifyResult(*this, "vectors", getVectors().getType(), source)))
    return failure();
  return verifyStatus(*this, getStatus(), source);
}

LogicalResult SvdOp::verify() {
  TileType source = getSource().getType();
  if (failed(verifyTall(*this, source)) ||
      failed(verifyResult(*this, "a U", getU().getType(), source)) ||
      failed(verifyResult(*this, "values", getValues().getType(),
                          getTypeOfNorms(source))) ||
      failed(verifyResult(*this, "a V'", getVt().getType(),
                          getTypeOfSquares(source))))
    return failure();
  return verifyStatus(*this, getStatus(), source);
}

LogicalResult SolveOp::verify() {
  TileType matrix = getMatrix().getType();
  if (failed(verifySquare(*this, matrix)) ||
      failed(verifySides(*this, "the matrix's", matrix,
                         matrix.getShape().back(), getRhs().getType(),
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

/// Verifies that there is one value of the element type for each matrix.
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

/// Returns the extents of the diagonals of a tile's matrices.
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
  if (!isa<FloatType, ComplexType>(element) &&
      !(isa<IntegerType>(element) && !element.isInteger(1)))
    return emitOpError() << "expected elements of integers of 8 to 64 bits, "
                            "floating-point numbers or complex numbers, got "
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
