// DecomposeCholeskyDerivative.cpp - derivatives of Cholesky factors, in blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A change of A makes the change L low(L^-1 herm(X) L'^-1) of the factor L.
//
// The gradient by A follows from that by L as the steps of a left-looking
// factorization in blocks are gone through from the last one to the first
// (Murray, "Differentiation of the Cholesky decomposition", 2016, section 5). A
// step factors D D' = A2 - R R' and divides C D' = A3 - B R':
//
//   [.    ]    gC := gC D^-1    gD := the gradient by A2 from that by D, which
//   [R D  ]                     is gD - gC' C
//   [B C .]    gB := gB - gC R  gR := gR - (gD + gD') R - gC' B
//
// where g marks a gradient. A prime is the conjugate transpose.

#include "../Decompositions/Decompositions.h"
#include "MatrixBlocks.h"
#include "MatrixTiles.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// The change of the factor
//===----------------------------------------------------------------------===//

namespace {
class FactorChange {
public:
  FactorChange(OpBuilder &builder, CholeskyDerivativeOp op)
      : builder(builder), loc(op.getLoc()), op(op),
        blocks(builder, loc, op.getType()),
        order(op.getType().getShape().back()),
        type(blocks.getType(order, order)), tiles(builder, loc, type) {}

  Value build() {
    Value factor = takeLower(takeWhole(op.getFactor()));
    Value whole = createHermitian(builder, loc, takeWhole(op.getChange()));
    Value left = solve(factor, whole, /*isRight=*/false);
    Value both = solve(conjugate(builder, loc, factor), left, /*isRight=*/true);
    Value change = MatmulOp::create(builder, loc, type, factor, takeHalf(both),
                                    tiles.zero(type.getElementType()),
                                    Precision::ieee, TilingAttr());
    return blocks.restore(change, op.getType());
  }

private:
  /// Returns matrices with the batch as one dimension, or none.
  Value takeWhole(Value matrices) {
    return blocks.takeFirst(matrices, {0, order}, {0, order});
  }

  /// Returns L^-1 B or, if `isRight`, B L^-T.
  Value solve(Value lower, Value sides, bool isRight) {
    return TriangularSolveOp::create(builder, loc, type, lower, sides,
                                     /*upper=*/false, /*transposed=*/isRight,
                                     /*unit=*/false, isRight,
                                     /*scratch=*/Value());
  }

  Value takeLower(Value matrices) {
    Value isLower = tiles.areAtMost(tiles.columns(), tiles.rows());
    return tiles.choose(isLower, matrices, tiles.zero(type.getElementType()));
  }

  /// Returns the lower triangle with half of the diagonal.
  Value takeHalf(Value matrices) {
    FloatType real = getRealType(type);
    Value isDiagonal = tiles.areEqual(tiles.columns(), tiles.rows());
    Value factors = tiles.choose(isDiagonal, tiles.constant(real, 0.5),
                                 tiles.constant(real, 1.0));
    return takeLower(multiplyByReal(builder, loc, matrices, factors));
  }

  OpBuilder &builder;
  Location loc;
  CholeskyDerivativeOp op;
  MatrixBlocks blocks;
  int64_t order;
  TileType type;
  MatrixTiles tiles;
};

//===----------------------------------------------------------------------===//
// The gradient, in blocks
//===----------------------------------------------------------------------===//

class BlockedGradient {
public:
  BlockedGradient(OpBuilder &builder, CholeskyDerivativeOp op,
                  ArrayRef<MatrixRange> ranges)
      : builder(builder), loc(op.getLoc()), type(op.getType()),
        blocks(builder, loc, type), ranges(ranges) {
    for (MatrixRange columns : ranges) {
      MatrixRange rows = {columns.begin, getOrder()};
      factors.push_back(blocks.takeFirst(op.getFactor(), rows, columns));
      gradients.push_back(blocks.takeFirst(op.getChange(), rows, columns));
    }
  }

  Value build() {
    for (size_t index = ranges.size(); index-- > 0;)
      goThrough(index);
    SmallVector<Value> columns;
    for (auto [range, gradient] : llvm::zip_equal(ranges, gradients)) {
      SmallVector<Value> column;
      if (range.begin > 0)
        column.push_back(blocks.zeros(range.begin, range.size()));
      column.push_back(gradient);
      columns.push_back(blocks.joinRows(column));
    }
    return blocks.restore(blocks.joinColumns(columns), type);
  }

private:
  int64_t getOrder() { return ranges.back().end; }

  /// Returns the rows from `begin` on, counted in the whole matrix, of a column
  /// of blocks.
  Value takeFrom(ArrayRef<Value> columns, size_t index, int64_t begin) {
    MatrixRange range = ranges[index];
    return blocks.take(columns[index],
                       {begin - range.begin, getOrder() - range.begin},
                       {0, range.size()});
  }
  Value takeDiagonal(ArrayRef<Value> columns, size_t index) {
    int64_t size = ranges[index].size();
    return blocks.take(columns[index], {0, size}, {0, size});
  }

  void goThrough(size_t index) {
    MatrixRange range = ranges[index];
    bool isLast = range.end == getOrder();
    Value factor = takeDiagonal(factors, index), below, belowPrime;
    Value diagonal = takeDiagonal(gradients, index);
    if (!isLast) {
      below = blocks.solveRows(factor, takeFrom(gradients, index, range.end),
                               /*isUpper=*/false, /*isTransposed=*/false,
                               /*isUnit=*/false);
      belowPrime = createAdjoint(builder, loc, below);
      diagonal = blocks.subtractMatmul(
          belowPrime, takeFrom(factors, index, range.end), diagonal);
    }
    diagonal = CholeskyDerivativeOp::create(builder, loc, diagonal.getType(),
                                            factor, diagonal,
                                            /*transposed=*/true);
    if (index > 0)
      subtractFromLeft(index, getMultiplier(diagonal, below, belowPrime));
    gradients[index] = isLast ? diagonal : blocks.joinRows({diagonal, below});
  }

  /// Returns what the rows of L from the diagonal block on are multiplied by:
  /// [gD + gD', gC'; gC, 0].
  Value getMultiplier(Value diagonal, Value below, Value belowPrime) {
    Value both = addElements(builder, loc, diagonal,
                             createAdjoint(builder, loc, diagonal));
    if (!below)
      return both;
    int64_t rows =
        cast<TileType>(below.getType()).getShape().drop_back().back();
    return blocks.joinRows(
        {blocks.joinColumns({both, belowPrime}),
         blocks.joinColumns({below, blocks.zeros(rows, rows)})});
  }

  void subtractFromLeft(size_t index, Value multiplier) {
    int64_t begin = ranges[index].begin;
    for (size_t before = 0; before < index; ++before) {
      MatrixRange range = ranges[before];
      Value changed =
          blocks.subtractMatmul(multiplier, takeFrom(factors, before, begin),
                                takeFrom(gradients, before, begin));
      Value kept = blocks.take(gradients[before], {0, begin - range.begin},
                               {0, range.size()});
      gradients[before] = blocks.joinRows({kept, changed});
    }
  }

  OpBuilder &builder;
  Location loc;
  TileType type;
  MatrixBlocks blocks;
  ArrayRef<MatrixRange> ranges;
  /// `factors` and `gradients` have the columns of blocks of L and of the
  /// gradient, from the diagonal on.
  SmallVector<Value> factors, gradients;
};
} // namespace

/// A warp needs the registers of one matrix for both operands: only the lower
/// triangles are read, and a column of the factor is not needed after the
/// column of the result is complete.
bool tile::hasCompositeForm(CholeskyDerivativeOp op) {
  return !op.getTransposed() || areInBlocks(op.getType());
}

Replacements tile::decompose(CholeskyDerivativeOp op, OpBuilder &builder) {
  if (!op.getTransposed())
    return SmallVector<Value>{FactorChange(builder, op).build()};
  TileType type = op.getType();
  SmallVector<MatrixRange> ranges = cutIntoBlocks(type.getShape().back());
  return SmallVector<Value>{BlockedGradient(builder, op, ranges).build()};
}
