// DecomposeLinearAlgebra.cpp - forms that are others of transposed matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// U' U = A is L L' = A with L = U', and A symmetric: of its transpose, the
// lower triangle is the upper one of A. X T = B is T' X' = B'. Transposing
// tiles moves nothing.

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

/// The transposed matrices of a tile.
static Value transpose(OpBuilder &builder, Location loc, Value tile) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape());
  auto permutation = llvm::to_vector(llvm::seq<int64_t>(0, type.getRank()));
  std::swap(shape[shape.size() - 2], shape.back());
  std::swap(permutation[shape.size() - 2], permutation.back());
  return TransposeOp::create(builder, loc,
                             TileType::get(shape, type.getElementType()), tile,
                             permutation);
}

bool CholeskyOp::isComposite() { return getUpper(); }

FailureOr<SmallVector<Value>> CholeskyOp::decompose(OpBuilder &builder) {
  Value source = transpose(builder, getLoc(), getSource());
  SmallVector<Type> types = {source.getType()};
  if (getStatus())
    types.push_back(getStatus().getType());
  auto lower = CholeskyOp::create(builder, getLoc(), types, source);
  SmallVector<Value> results = llvm::to_vector_of<Value>(lower->getResults());
  results.front() = transpose(builder, getLoc(), results.front());
  return results;
}

bool TriangularSolveOp::isComposite() { return getRight(); }

FailureOr<SmallVector<Value>> TriangularSolveOp::decompose(OpBuilder &builder) {
  Value rhs = transpose(builder, getLoc(), getRhs());
  Value solution = TriangularSolveOp::create(
      builder, getLoc(), rhs.getType(), getTriangle(), rhs, getUpper(),
      !getTransposed(), getUnit(), /*right=*/false);
  return SmallVector<Value>{transpose(builder, getLoc(), solution)};
}
