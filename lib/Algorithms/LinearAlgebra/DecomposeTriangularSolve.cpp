// DecomposeTriangularSolve.cpp - triangular systems of rows, and in blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A system X T = B is solved as T' X' = B'. If the registers of a warp do not
// hold both the triangle and the right-hand sides, the system is solved block
// by block of the triangle, in the order of substitution. For X' and B', whose
// rows are right-hand sides:
//
//   [T11    ] [X1]   [B1]      X1' T11' = B1'
//   [T21 T22] [X2] = [B2]      X2' T22' = B2' - X1' T21'

#include "../Decompositions/Decompositions.h"
#include "FactorLayout.h"
#include "MatrixBlocks.h"
#include "MatrixTiles.h"

using namespace mlir;
using namespace tile;

static Value solveTransposed(OpBuilder &builder, TriangularSolveOp op) {
  Location loc = op.getLoc();
  Value rhs = transposeMatrices(builder, loc, op.getRhs());
  Value solution = TriangularSolveOp::create(
      builder, loc, rhs.getType(), op.getTriangle(), rhs, op.getUpper(),
      !op.getTransposed(), op.getUnit(), /*right=*/false, /*scratch=*/Value());
  return transposeMatrices(builder, loc, solution);
}

namespace {
/// Solves T X = B, or T' X = B if `isTransposed`, for X'.
class BlockedSolve {
public:
  BlockedSolve(OpBuilder &builder, TriangularSolveOp op)
      : builder(builder), op(op),
        isTransposed(op.getTransposed() != op.getRight()),
        blocks(builder, op.getLoc(), op.getRhs().getType()),
        ranges(cutIntoBlocks(op.getTriangle().getType().getShape().back())),
        solutions(ranges.size()) {}

  Value solve() {
    bool isForward = op.getUpper() == isTransposed;
    for (size_t step = 0; step < ranges.size(); ++step)
      solveBlock(isForward ? step : ranges.size() - 1 - step, isForward);
    Value joined = blocks.joinColumns(solutions);
    if (!op.getRight())
      joined = transposeMatrices(builder, op.getLoc(), joined);
    return blocks.restore(joined, op.getType());
  }

private:
  void solveBlock(size_t index, bool isForward) {
    MatrixRange own = ranges[index];
    auto known = ArrayRef(solutions).slice(isForward ? 0 : index + 1);
    if (isForward)
      known = known.take_front(index);
    Value rows = takeSides(own);
    if (!known.empty()) {
      MatrixRange before = {isForward ? 0 : own.end,
                            isForward ? own.begin : ranges.back().end};
      rows = blocks.subtractMatmul(blocks.joinColumns(known),
                                   takeFactors(own, before), rows);
    }
    solutions[index] = blocks.solveRows(
        blocks.takeFirst(op.getTriangle(), own, own), rows, op.getUpper(),
        /*isTransposed=*/!isTransposed, op.getUnit());
  }

  /// Returns columns of B'.
  Value takeSides(MatrixRange own) {
    TileType type = op.getRhs().getType();
    int64_t dim = type.getRank() - (op.getRight() ? 2 : 1);
    MatrixRange all = {0, type.getDimSize(dim)};
    if (op.getRight())
      return blocks.takeFirst(op.getRhs(), all, own);
    return transposeMatrices(builder, op.getLoc(),
                             blocks.takeFirst(op.getRhs(), own, all));
  }

  /// Returns the factors by which the known blocks of X' are multiplied to
  /// update a block of B'.
  Value takeFactors(MatrixRange own, MatrixRange known) {
    if (isTransposed)
      return blocks.takeFirst(op.getTriangle(), known, own);
    return transposeMatrices(builder, op.getLoc(),
                             blocks.takeFirst(op.getTriangle(), own, known));
  }

  OpBuilder &builder;
  TriangularSolveOp op;
  bool isTransposed;
  MatrixBlocks blocks;
  SmallVector<MatrixRange> ranges;
  SmallVector<Value> solutions; ///< columns of X'
};
} // namespace

/// Returns the number of registers of a lane if a warp holds a matrix of these
/// rows and columns.
static int64_t countRegisters(int64_t rows, int64_t columns, Type element) {
  int64_t bytes = getElementBytes(element);
  return getFactorLayout({rows, columns}, bytes, /*numWarps=*/1)
             .getNumValues() *
         llvm::divideCeil(bytes, 4);
}

/// Whether a system is solved block by block: the triangle has several blocks,
/// and a warp does not have the registers for the triangle, or for half of it
/// and the right-hand sides.
static bool isInBlocks(TriangularSolveOp op) {
  constexpr int64_t kMostRegisters = 160;
  TileType type = op.getTriangle().getType();
  int64_t order = type.getShape().back();
  if (areInBlocks(type))
    return true;
  if (cutIntoBlocks(order).size() == 1)
    return false;
  ArrayRef<int64_t> rhs = op.getRhs().getType().getShape().take_back(2);
  int64_t sides = op.getRight() ? rhs[0] : rhs[1];
  Type element = type.getElementType();
  return countRegisters(order, order, element) / 2 +
             countRegisters(order, sides, element) >
         kMostRegisters;
}

bool tile::hasCompositeForm(TriangularSolveOp op) {
  return op.getRight() || isInBlocks(op);
}

Replacements tile::decompose(TriangularSolveOp op, OpBuilder &builder) {
  if (isInBlocks(op))
    return SmallVector<Value>{BlockedSolve(builder, op).solve()};
  return SmallVector<Value>{solveTransposed(builder, op)};
}
