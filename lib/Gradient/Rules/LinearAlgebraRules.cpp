// LinearAlgebraRules.cpp - derivatives of factors, solutions and inverses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tangents follow from the equations that define the results; that of a
// Cholesky factor is an operation of its own. A part of a matrix that an
// operation does not read has no derivative.

#include "MatrixTiles.h"
#include "Rules.h"
#include "TileRules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

/// Creates a tile.cholesky_derivative.
static Value differentiateFactor(ValueBuilder &b, Value factor, Value change,
                                 bool isTransposed) {
  return CholeskyDerivativeOp::create(b, factor.getType(), factor, change,
                                      isTransposed);
}

namespace tile {
//===----------------------------------------------------------------------===//
// Solutions
//===----------------------------------------------------------------------===//

/// T X = B gives dX = T^-1 (dB - dT X), and X T = B dX = (dB - X dT) T^-1.
static Derivatives makeTangents(TriangularSolveOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value rhs = tangents[1];
  if (tangents[0]) {
    Value change = takeTriangle(b, tangents[0], op.getUpper());
    if (op.getUnit()) {
      Value isOutside = compareIndices(b, change, arith::CmpIPredicate::ne);
      change = b.select(isOutside, change, Value());
    }
    if (op.getTransposed())
      change = transposeLast(b, change);
    Value x = op.getResult();
    Value product = op.getRight() ? multiplyMatrices(b, x, change)
                                  : multiplyMatrices(b, change, x);
    rhs = b.sub(rhs, product);
  }
  return values(
      {solveTriangle(b, op.getTriangle(), rhs, op.getUpper(),
                     op.getTransposed(), op.getUnit(), op.getRight())});
}

static Derivatives makeTranspose(TriangularSolveOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  return values(
      {Value(),
       solveTriangle(b, b.conj(op.getTriangle()), cotangents[0], op.getUpper(),
                     !op.getTransposed(), op.getUnit(), op.getRight())});
}

static Value solve(ValueBuilder &b, Value matrix, Value rhs, bool isSpd) {
  return SolveOp::create(b, rhs.getType(), /*status=*/Type(), matrix, rhs,
                         isSpd, /*scratch=*/Value())
      .getResult();
}

/// dX = A^-1 (dB - dA X)
static Derivatives makeTangents(SolveOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value rhs = tangents[1];
  if (Value change = tangents[0]) {
    if (op.getSpd())
      change = symmetrize(b, change, /*isUpper=*/false);
    rhs = b.sub(rhs, multiplyMatrices(b, change, op.getResult()));
  }
  SmallVector<Value> ofResults(op->getNumResults());
  ofResults[0] = solve(b, op.getMatrix(), rhs, op.getSpd());
  return ofResults;
}

static Derivatives makeTranspose(SolveOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value matrix =
      op.getSpd() ? op.getMatrix() : transposeConjugate(b, op.getMatrix());
  SmallVector<Value> ofOperands(op->getNumOperands());
  ofOperands[1] = solve(b, matrix, cotangents[0], op.getSpd());
  return ofOperands;
}

/// dY = -Y dA Y
static Derivatives makeTangents(InverseOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value y = op.getResult();
  SmallVector<Value> ofResults(op->getNumResults());
  ofResults[0] =
      b.neg(multiplyMatrices(b, multiplyMatrices(b, y, tangents[0]), y));
  return ofResults;
}

/// Returns the trace of Y dA for each matrix, where Y is the inverse of A: the
/// tangent of the logarithm of the determinant.
static Value traceOfChange(ValueBuilder &b, Value source, Value change,
                           Type type) {
  Value y = InverseOp::create(b, source.getType(), /*status=*/Type(), source,
                              /*scratch=*/Value())
                .getResult();
  Value products = b.mul(change, transposeLast(b, y));
  int64_t rank = cast<TileType>(source.getType()).getRank();
  Value sum = sumAlong(b, sumAlong(b, products, rank - 1), rank - 2);
  return reshape(b, sum, cast<TileType>(type).getShape());
}

/// d det(A) = det(A) tr(A^-1 dA)
static Derivatives makeTangents(DeterminantOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value trace =
      traceOfChange(b, op.getSource(), tangents[0], op.getResult().getType());
  return values({b.mul(trace, op.getResult())});
}

/// The logarithm of the magnitude has the real part of the trace. A complex
/// sign has the imaginary part, times i and the sign.
static Derivatives makeTangents(LogDetOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Type sign = op.getSign().getType();
  Value trace = traceOfChange(b, op.getSource(), tangents[0], sign);
  Type real = op.getLogarithm().getType();
  if (sign == real)
    return values({Value(), trace});
  Value imaginary = b.createComplex(ComplexKind::im, real, trace);
  Value turn =
      b.createComplex(ComplexKind::create, sign, {b.zero(real), imaginary});
  return values({b.mul(turn, op.getSign()),
                 b.createComplex(ComplexKind::re, real, trace)});
}

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// The factor U with `upper` is the conjugate transpose of L.
static Derivatives makeTangents(CholeskyOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  auto turn = [&](Value matrices) {
    return op.getUpper() ? transposeConjugate(b, matrices) : matrices;
  };
  SmallVector<Value> ofResults(op->getNumResults());
  ofResults[0] =
      turn(differentiateFactor(b, turn(op.getResult()), turn(tangents[0]),
                               /*isTransposed=*/false));
  return ofResults;
}

/// Returns low(A + A^H), where low is the lower triangle with half of its
/// diagonal.
static Value takeHermitianHalf(ValueBuilder &b, Value matrices) {
  return takeHalf(b, b.add(matrices, transposeConjugate(b, matrices)),
                  /*isUpper=*/false);
}

/// Returns dL low(M) - L low(N M + (N M)^H) with N = L^-1 dL, the tangent of
/// Y = L low(M) for a change of L, where M = L^-1 herm(X) L^-H.
static Value getTangentByFactor(CholeskyDerivativeOp op, ValueBuilder &b,
                                Value lower, Value change) {
  Value both =
      divideBySides(b, lower, symmetrize(b, op.getChange(), /*isUpper=*/false),
                    /*isTransposed=*/false, /*isUnit=*/false);
  Value ratio = solveTriangle(b, lower, change, /*isUpper=*/false,
                              /*isTransposed=*/false, /*isUnit=*/false,
                              /*isRight=*/false);
  Value turned = takeHermitianHalf(b, multiplyMatrices(b, ratio, both));
  return b.sub(
      multiplyMatrices(b, change, takeHalf(b, both, /*isUpper=*/false)),
      multiplyMatrices(b, lower, turned));
}

/// Returns low(W + W^H), the tangent of Y = low(Z + Z^H) for a change of L,
/// where Z = L^-H low(L^H X) L^-1, W = L^-H low(dL^H X) L^-1 - K^H Z - Z K and
/// K = dL L^-1.
static Value getTangentOfTranspose(CholeskyDerivativeOp op, ValueBuilder &b,
                                   Value lower, Value change) {
  auto divide = [&](Value left) {
    Value inside = multiplyMatrices(b, transposeConjugate(b, left),
                                    takeTriangle(b, op.getChange(), false));
    return divideBySides(b, lower, takeHalf(b, inside, /*isUpper=*/false),
                         /*isTransposed=*/true, /*isUnit=*/false);
  };
  Value both = divide(lower);
  Value ratio = solveTriangle(b, lower, change, /*isUpper=*/false,
                              /*isTransposed=*/false, /*isUnit=*/false,
                              /*isRight=*/true);
  Value turned = b.add(multiplyMatrices(b, transposeConjugate(b, ratio), both),
                       multiplyMatrices(b, both, ratio));
  return takeHermitianHalf(b, b.sub(divide(change), turned));
}

static Derivatives makeTangents(CholeskyDerivativeOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value tangent;
  if (tangents[0]) {
    Value lower = takeTriangle(b, op.getFactor(), /*isUpper=*/false);
    Value change = takeTriangle(b, tangents[0], /*isUpper=*/false);
    tangent = op.getTransposed() ? getTangentOfTranspose(op, b, lower, change)
                                 : getTangentByFactor(op, b, lower, change);
  }
  if (tangents[1])
    tangent = b.add(tangent, differentiateFactor(b, op.getFactor(), tangents[1],
                                                 op.getTransposed()));
  return values({tangent});
}

static Derivatives makeTranspose(CholeskyDerivativeOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  bool wasTransposed = op.getTransposed();
  return values({Value(), differentiateFactor(b, op.getFactor(), cotangents[0],
                                              !wasTransposed)});
}

//===----------------------------------------------------------------------===//
// Diagonals
//===----------------------------------------------------------------------===//

static Derivatives makeTranspose(DiagonalOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Type type = op.getSource().getType();
  return values({AddDiagonalOp::create(b, type, b.zero(type), cotangents[0])});
}

static Derivatives makeTranspose(AddDiagonalOp op, TransposeBuilder &b,
                                 ArrayRef<Value> cotangents) {
  Value ofDiagonal;
  if (b.isTangent(op.getDiagonal())) {
    auto type = cast<TileType>(op.getType());
    SmallVector<int64_t> shape(type.getShape().drop_back());
    shape.back() = std::min(shape.back(), type.getShape().back());
    ofDiagonal = DiagonalOp::create(
        b, TileType::get(shape, type.getElementType()), cotangents[0]);
    if (!isa<TileType>(op.getDiagonal().getType()))
      ofDiagonal = sumElements(b, ofDiagonal);
  }
  return values({cotangents[0], ofDiagonal});
}
} // namespace tile

void tile::addLinearAlgebraRules(MLIRContext &context) {
  attachModels<TangentModel, CholeskyDerivativeOp, CholeskyOp, DeterminantOp,
               InverseOp, LogDetOp, SolveOp, TriangularSolveOp>(context);
  attachModels<LinearTangentModel, AddDiagonalOp, DiagonalOp>(context);
  attachModels<TransposeModel, AddDiagonalOp, CholeskyDerivativeOp, DiagonalOp,
               SolveOp, TriangularSolveOp>(context);
}
