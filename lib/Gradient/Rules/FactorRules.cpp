// FactorRules.cpp - derivatives of factors, least squares and decompositions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tangents follow from the equations that define the results:
//
// - LU and QR factors: Walter, Lehmann, "Algorithmic Differentiation of Linear
//   Algebra Functions with Application in Optimum Experimental Design", 2010.
//   The factors of L D L' are derived in the same way.
// - least squares: Golub, Pereyra, "The Differentiation of Pseudo-Inverses and
//   Nonlinear Least Squares Problems Whose Variables Separate", 1973.
// - eigenvalues, singular values and their vectors: Giles, "Collected Matrix
//   Derivative Results for Forward and Reverse Mode Algorithmic
//   Differentiation", 2008; Townsend, "Differentiating the Singular Value
//   Decomposition", 2016.
//
// A matrix X' is the conjugate transpose of X. A permutation is constant where
// the matrix changes a little.

#include "MatrixTiles.h"
#include "Rules.h"
#include "TileRules.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

using arith::CmpIPredicate;

static TileType getType(Value tile) { return cast<TileType>(tile.getType()); }

static bool isComplex(Value tile) {
  return isa<ComplexType>(getType(tile).getElementType());
}

/// Returns the real part of a tile; a real tile is returned as it is.
static Value takeReal(ValueBuilder &b, Value tile) {
  if (!isComplex(tile))
    return tile;
  Type part =
      cast<ComplexType>(getType(tile).getElementType()).getElementType();
  return b.createComplex(ComplexKind::re, withElementType(tile.getType(), part),
                         tile);
}

/// Returns the lower triangle with ones on the diagonal.
static Value takeUnitLower(ValueBuilder &b, Value matrices) {
  Value isDiagonal = compareIndices(b, matrices, CmpIPredicate::eq);
  return b.select(isDiagonal, b.real(matrices.getType(), 1),
                  takeWhere(b, matrices, CmpIPredicate::sgt));
}

/// Returns A R^-1, where R is upper triangular.
static Value divideByUpper(ValueBuilder &b, Value matrices, Value upper) {
  return solveTriangle(b, upper, matrices, /*isUpper=*/true,
                       /*isTransposed=*/false, /*isUnit=*/false,
                       /*isRight=*/true);
}

namespace tile {
//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// P' A = L U: with F = L^-1 P' dA U^-1, dL = L low(F) and dU = up(F) U, where
/// low is the triangle without and up that with the diagonal.
static Derivatives makeTangents(LuOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  int64_t rowDim = getType(op.getSource()).getRank() - 2;
  SmallVector<int64_t> shape(getType(op.getPermutation()).getShape());
  shape.push_back(1);
  Value rows = reshape(b, op.getPermutation(), shape);
  auto order = [&](Value matrices) -> Value {
    return takeDistinct(b, matrices.getType(), matrices, rows, rowDim);
  };
  Value factors = op.getUnordered() ? order(op.getResult()) : op.getResult();
  Value left = solveTriangle(b, factors, order(tangents[0]), /*isUpper=*/false,
                             /*isTransposed=*/false, /*isUnit=*/true,
                             /*isRight=*/false);
  Value both = divideByUpper(b, left, factors);
  Value ofLower = multiplyMatrices(b, takeUnitLower(b, factors),
                                   takeWhere(b, both, CmpIPredicate::sgt));
  Value ofUpper = multiplyMatrices(b, takeTriangle(b, both, /*isUpper=*/true),
                                   takeTriangle(b, factors, /*isUpper=*/true));
  Value tangent = b.add(ofLower, ofUpper);
  if (op.getUnordered())
    tangent = PutOp::create(b, tangent.getType(), tangent,
                            b.zero(tangent.getType()), rows, rowDim,
                            /*mask=*/Value(), AtomicKindAttr());
  SmallVector<Value> ofResults(op->getNumResults());
  ofResults[0] = tangent;
  return ofResults;
}

/// A = L D L': with F = L^-1 dA L^-H, dD is the diagonal of F, and
/// dL = L low(F) D^-1, where low is the triangle without the diagonal.
static Derivatives makeTangents(LdltOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value factors = op.getResult();
  Value change = symmetrize(b, tangents[0], /*isUpper=*/false);
  Value both = divideBySides(b, factors, change, /*isTransposed=*/false,
                             /*isUnit=*/true);
  Value scaled = b.div(takeWhere(b, both, CmpIPredicate::sgt),
                       repeatAsRows(b, takeDiagonal(b, factors), factors));
  Value ofLower = multiplyMatrices(b, takeUnitLower(b, factors), scaled);
  Value isDiagonal = compareIndices(b, factors, CmpIPredicate::eq);
  SmallVector<Value> ofResults(op->getNumResults());
  ofResults[0] = b.select(isDiagonal, both, ofLower);
  return ofResults;
}

/// A = Q R: with F = Q' dA R^-1, dR = T R and dQ = dA R^-1 - Q T, where T is
/// the upper triangle of F + F' with half of its diagonal. So T is real on the
/// diagonal, as R is, and Q' dQ = F - T is skew-Hermitian.
static Derivatives makeTangents(QrOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value q = op.getQ(), r = op.getR();
  Value change = divideByUpper(b, tangents[0], r);
  Value inside = multiplyMatrices(b, transposeConjugate(b, q), change);
  Value triangle = takeHalf(b, b.add(inside, transposeConjugate(b, inside)),
                            /*isUpper=*/true);
  return values({b.sub(change, multiplyMatrices(b, q, triangle)),
                 multiplyMatrices(b, triangle, r)});
}

//===----------------------------------------------------------------------===//
// Least squares
//===----------------------------------------------------------------------===//

/// A = Q R gives R dX = Q' (dB - dA X) + R^-H dA' (B - A X).
static Derivatives makeTangents(LeastSquaresOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value a = op.getMatrix(), x = op.getResult();
  SmallVector<int64_t> shape(getType(a).getShape());
  shape[shape.size() - 2] = shape.back();
  auto qr = QrOp::create(b, a.getType(),
                         TileType::get(shape, getType(a).getElementType()), a);
  Value change = tangents[1], ofResidual;
  if (Value ofMatrix = tangents[0]) {
    change = b.sub(change, multiplyMatrices(b, ofMatrix, x));
    Value residual = b.sub(op.getRhs(), multiplyMatrices(b, a, x));
    ofResidual = solveTriangle(
        b, b.conj(qr.getR()),
        multiplyMatrices(b, transposeConjugate(b, ofMatrix), residual),
        /*isUpper=*/true, /*isTransposed=*/true, /*isUnit=*/false,
        /*isRight=*/false);
  }
  Value inside = multiplyMatrices(b, transposeConjugate(b, qr.getQ()), change);
  return values({solveTriangle(b, qr.getR(), b.add(inside, ofResidual),
                               /*isUpper=*/true, /*isTransposed=*/false,
                               /*isUnit=*/false, /*isRight=*/false)});
}

//===----------------------------------------------------------------------===//
// Eigenvalues and singular values
//===----------------------------------------------------------------------===//

/// Fails, after an error, if a gradient depends on complex `vectors`.
static LogicalResult verifyVectors(Operation *op, TangentBuilder &b,
                                   Value vectors) {
  if (!b.isActive(vectors) || !isComplex(vectors))
    return success();
  return op->emitError("expected real vectors, or complex ones that no "
                       "gradient depends on: they are determined up to "
                       "factors, whose derivatives are not known");
}

/// Divides the elements (i, j) of matrices by `divisors`, and makes the
/// diagonal zero.
static Value divideOutside(ValueBuilder &b, Value matrices, Value divisors) {
  Value isDiagonal = compareIndices(b, matrices, CmpIPredicate::eq);
  return b.div(b.select(isDiagonal, Value(), matrices),
               b.select(isDiagonal, b.real(divisors.getType(), 1), divisors));
}

/// A V = V W: with F = V' dA V, dW is the diagonal of F, and dV = V G, where
/// G_ij = F_ij / (w_j - w_i) outside of the diagonal.
static Derivatives makeTangents(EighOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value v = op.getVectors(), w = op.getValues();
  if (failed(verifyVectors(op, b, v)))
    return failure();
  Value change = symmetrize(b, tangents[0], /*isUpper=*/false);
  Value inside = multiplyMatrices(b, transposeConjugate(b, v),
                                  multiplyMatrices(b, change, v));
  SmallVector<Value> ofResults(op->getNumResults());
  ofResults[0] = takeReal(b, takeDiagonal(b, inside));
  if (b.isActive(v)) {
    Value gaps = b.sub(repeatAsRows(b, w, v), repeatAsColumns(b, w, v));
    ofResults[1] = multiplyMatrices(b, v, divideOutside(b, inside, gaps));
  }
  return ofResults;
}

/// A = U S V': with F = U' dA V, dS is the diagonal of F. For real vectors,
/// dU = U G + (I - U U') dA V S^-1 and dV = V H, where outside of the diagonal
/// G_ij and H_ij are the elements of F S + (F S)' and S F + (S F)', divided by
/// s_j^2 - s_i^2.
static Derivatives makeTangents(SvdOp op, TangentBuilder &b,
                                ArrayRef<Value> tangents) {
  Value u = op.getU(), vt = op.getVt(), s = op.getValues();
  if (failed(verifyVectors(op, b, u)) || failed(verifyVectors(op, b, vt)))
    return failure();
  Value v = transposeConjugate(b, vt);
  Value outside = multiplyMatrices(b, tangents[0], v);
  Value inside = multiplyMatrices(b, transposeConjugate(b, u), outside);
  SmallVector<Value> ofResults(op->getNumResults());
  ofResults[1] = takeReal(b, takeDiagonal(b, inside));
  auto addTranspose = [&](Value matrices) {
    return b.add(matrices, transposeLast(b, matrices));
  };
  auto getGaps = [&]() {
    Value ofColumn = repeatAsRows(b, s, vt), ofRow = repeatAsColumns(b, s, vt);
    return b.mul(b.sub(ofColumn, ofRow), b.add(ofColumn, ofRow));
  };
  if (b.isActive(u)) {
    Value scaled = b.mul(inside, repeatAsRows(b, s, vt));
    Value turn = divideOutside(b, addTranspose(scaled), getGaps());
    ofResults[0] = multiplyMatrices(b, u, turn);
    // U of a square matrix has no space outside of it.
    if (u.getType() != vt.getType()) {
      Value beyond = b.sub(outside, multiplyMatrices(b, u, inside));
      ofResults[0] = b.add(ofResults[0], b.div(beyond, repeatAsRows(b, s, u)));
    }
  }
  if (b.isActive(vt)) {
    Value scaled = b.mul(inside, repeatAsColumns(b, s, vt));
    Value turn = divideOutside(b, addTranspose(scaled), getGaps());
    ofResults[2] = transposeLast(b, multiplyMatrices(b, v, turn));
  }
  return ofResults;
}
} // namespace tile

void tile::addFactorRules(MLIRContext &context) {
  attachModels<TangentModel, EighOp, LdltOp, LeastSquaresOp, LuOp, QrOp, SvdOp>(
      context);
}
