// DecomposeSolve.cpp - systems of equations as factors and triangular systems
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %x = tile.solve %a, %b : !tile.tile<9x9xf32>, !tile.tile<9x2xf32>
//
// becomes the following, with P' A = L U, if lanes do not have the registers
// for both operands:
//
//   %f, %p = tile.lu %a : !tile.tile<9x9xf32>, !tile.tile<9xi32>
//   %i = tile.reshape %p : !tile.tile<9xi32> to !tile.tile<9x1xi32>
//   %c = tile.take %b at %i axis 0   // P' B
//   %y = tile.triangular_solve %f, %c unit
//   %x = tile.triangular_solve %f, %y upper

#include "../Decompositions/Decompositions.h"
#include "EliminationLayout.h"
#include "MatrixTiles.h"

using namespace mlir;
using namespace tile;

/// Returns the rows of matrices in the order of a permutation.
static Value takeRows(OpBuilder &builder, Location loc, Value matrices,
                      Value permutation) {
  auto type = cast<TileType>(permutation.getType());
  SmallVector<int64_t> shape(type.getShape());
  shape.push_back(1);
  Value indices = ReshapeOp::create(
      builder, loc, TileType::get(shape, type.getElementType()), permutation);
  return TakeOp::create(builder, loc, matrices.getType(), matrices, indices,
                        type.getRank() - 1);
}

static Value solveTriangle(OpBuilder &builder, Location loc, Value triangle,
                           Value rhs, bool isUpper, bool isTransposed,
                           bool isUnit) {
  return TriangularSolveOp::create(builder, loc, rhs.getType(), triangle, rhs,
                                   isUpper, isTransposed, isUnit,
                                   /*right=*/false, /*scratch=*/Value());
}

/// Factors the first operand of an operation, with a status if the operation
/// has one.
static LuOp createFactors(OpBuilder &builder, Operation *op, Value status) {
  Value matrices = op->getOperand(0);
  auto type = cast<TileType>(matrices.getType());
  SmallVector<Type> types = {
      type, TileType::get(type.getShape().drop_back(), builder.getI32Type())};
  if (status)
    types.push_back(status.getType());
  return LuOp::create(builder, op->getLoc(), types, matrices,
                      /*unordered=*/false, /*scratch=*/Value());
}

/// Returns the solution, and the factors' status if there is one.
static SmallVector<Value> solveFactored(OpBuilder &builder, LuOp factors,
                                        Value permuted) {
  Location loc = factors.getLoc();
  Value lower = solveTriangle(builder, loc, factors.getResult(), permuted,
                              /*isUpper=*/false, /*isTransposed=*/false,
                              /*isUnit=*/true);
  SmallVector<Value> results = {
      solveTriangle(builder, loc, factors.getResult(), lower, /*isUpper=*/true,
                    /*isTransposed=*/false, /*isUnit=*/false)};
  if (factors.getStatus())
    results.push_back(factors.getStatus());
  return results;
}

static SmallVector<Value> solvePositiveDefinite(OpBuilder &builder,
                                                SolveOp op) {
  Location loc = op.getLoc();
  SmallVector<Type> types = {op.getMatrix().getType()};
  if (op.getStatus())
    types.push_back(op.getStatus().getType());
  auto factor = CholeskyOp::create(builder, loc, types, op.getMatrix());
  SmallVector<Value> results = llvm::to_vector_of<Value>(factor->getResults());
  Value lower = factor.getResult();
  Value rest = solveTriangle(builder, loc, lower, op.getRhs(),
                             /*isUpper=*/false, /*isTransposed=*/false,
                             /*isUnit=*/false);
  results.front() = solveTriangle(builder, loc, conjugate(builder, loc, lower),
                                  rest, /*isUpper=*/false,
                                  /*isTransposed=*/true, /*isUnit=*/false);
  return results;
}

bool tile::hasCompositeForm(SolveOp op) {
  Elimination elimination(op);
  return op.getSpd() || !elimination.fits(elimination.getLanes());
}

Replacements tile::decompose(SolveOp op, OpBuilder &builder) {
  if (op.getSpd())
    return solvePositiveDefinite(builder, op);
  LuOp factors = createFactors(builder, op, op.getStatus());
  return solveFactored(
      builder, factors,
      takeRows(builder, op.getLoc(), op.getRhs(), factors.getPermutation()));
}
