// DecomposeLinearAlgebra.cpp - forms that are others of transposed matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// U' U = A is L L' = A with L = U', and A symmetric: of its transpose, the
// lower triangle is the upper one of A. X T = B is T' X' = B'.

#include "MatrixTiles.h"

using namespace mlir;
using namespace tile;

bool CholeskyOp::isComposite() { return getUpper(); }

FailureOr<SmallVector<Value>> CholeskyOp::decompose(OpBuilder &builder) {
  Value source = transposeMatrices(builder, getLoc(), getSource());
  SmallVector<Type> types = {source.getType()};
  if (getStatus())
    types.push_back(getStatus().getType());
  auto lower = CholeskyOp::create(builder, getLoc(), types, source);
  SmallVector<Value> results = llvm::to_vector_of<Value>(lower->getResults());
  results.front() = transposeMatrices(builder, getLoc(), results.front());
  return results;
}

bool TriangularSolveOp::isComposite() { return getRight(); }

FailureOr<SmallVector<Value>> TriangularSolveOp::decompose(OpBuilder &builder) {
  Value rhs = transposeMatrices(builder, getLoc(), getRhs());
  Value solution = TriangularSolveOp::create(
      builder, getLoc(), rhs.getType(), getTriangle(), rhs, getUpper(),
      !getTransposed(), getUnit(), /*right=*/false);
  return SmallVector<Value>{transposeMatrices(builder, getLoc(), solution)};
}
