// DecomposeFactorBlocks.cpp - Cholesky and LDL' factors in blocks
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factorization is left-looking, one column of blocks after the other. One
// matmul subtracts the contribution of the earlier columns from the diagonal
// block and the rows below it; the diagonal block is factored, and the rows
// below are divided by it:
//
//   [L11    ]   P = [A22] - [L21] L21'    L22 L22' = P of the diagonal
//   [L21 L22]       [A32]   [L31]         L32 L22' = P below it
//   [L31 L32]
//
// For L D L' the rows below the diagonal block are also kept as they are before
// the division by D, since the matmul multiplies L D by L'. A prime is the
// transpose, for complex elements the conjugate transpose.

#include "../Decompositions/Decompositions.h"
#include "FactorLayout.h"
#include "MatrixBlocks.h"
#include "MatrixTiles.h"

#include "mlir/Dialect/Math/IR/Math.h"

#include <cmath>

using namespace mlir;
using namespace tile;

namespace {
class BlockedFactor {
public:
  BlockedFactor(OpBuilder &builder, Location loc, Value source, bool isCholesky)
      : builder(builder), loc(loc), source(source), isCholesky(isCholesky),
        type(cast<TileType>(source.getType())), blocks(builder, loc, type),
        ranges(cutIntoBlocks(type.getShape().back())) {
    for (size_t column = 0; column < ranges.size(); ++column)
      factorColumn(column);
  }

  /// Returns the factor, with zeros above its diagonal.
  Value getFactor() {
    SmallVector<Value> columns;
    for (size_t index = 0; index < ranges.size(); ++index) {
      SmallVector<Value> column;
      if (index > 0)
        column.push_back(
            blocks.zeros(ranges[index].begin, ranges[index].size()));
      column.push_back(spoil(diagonals[index], /*isDiagonal=*/true));
      if (index < below.size())
        column.push_back(spoil(below[index], /*isDiagonal=*/false));
      columns.push_back(blocks.joinRows(column));
    }
    return blocks.restore(blocks.joinColumns(columns), type);
  }

  /// Returns, for each matrix, the one-based index of the first column whose
  /// pivot is not usable; zero if there is none.
  Value getStatus(Type statusType) {
    return blocks.restore(status, statusType);
  }

private:
  int64_t getOrder() { return ranges.back().end; }

  void factorColumn(size_t index) {
    MatrixRange columns = ranges[index], rest = {columns.begin, getOrder()};
    Value panel = blocks.takeFirst(source, rest, columns);
    if (index > 0) {
      Value left = getLeft(unscaled, index, rest);
      Value top = isCholesky ? blocks.take(left, {0, columns.size()},
                                           {0, columns.begin})
                             : getLeft(below, index, columns);
      panel =
          blocks.subtractMatmul(left, createAdjoint(builder, loc, top), panel);
    }
    Value diagonal = factorDiagonal(
        blocks.take(panel, {0, columns.size()}, {0, columns.size()}), columns);
    if (columns.end == getOrder())
      return;
    Value rows =
        blocks.take(panel, {columns.size(), rest.size()}, {0, columns.size()});
    rows = blocks.solveRows(conjugate(builder, loc, diagonal), rows,
                            /*isUpper=*/false, /*isTransposed=*/true,
                            /*isUnit=*/!isCholesky);
    unscaled.push_back(rows);
    below.push_back(isCholesky ? rows : divideByPivots(rows, diagonal));
  }

  /// Returns the rows `rows` of all columns of blocks before the one at
  /// `index`.
  Value getLeft(ArrayRef<Value> columns, size_t index, MatrixRange rows) {
    SmallVector<Value> parts;
    for (size_t before = 0; before < index; ++before) {
      int64_t begin = ranges[before].end;
      parts.push_back(blocks.take(columns[before],
                                  {rows.begin - begin, rows.end - begin},
                                  {0, ranges[before].size()}));
    }
    return blocks.joinColumns(parts);
  }

  Value factorDiagonal(Value block, MatrixRange columns) {
    Type types[] = {block.getType(),
                    blocks.getValuesType(builder.getI32Type())};
    Operation *op =
        isCholesky
            ? CholeskyOp::create(builder, loc, types, block).getOperation()
            : LdltOp::create(builder, loc, types, block).getOperation();
    noteStatus(op->getResult(1), columns.begin);
    diagonals.push_back(op->getResult(0));
    return op->getResult(0);
  }

  void noteStatus(Value own, int64_t begin) {
    TileBuilder values(builder, loc, cast<TileType>(own.getType()).getShape());
    if (!status) {
      status = own;
      return;
    }
    Value shifted = values.create<arith::AddIOp>(
        own, values.constant(builder.getI32Type(), begin));
    Value first = values.create<SelectOp>(isBad(own), shifted, own);
    status = values.create<SelectOp>(isBad(status), status, first);
  }

  /// Whether each status is not zero.
  Value isBad(Value values) {
    TileBuilder tiles(builder, loc,
                      cast<TileType>(values.getType()).getShape());
    return tiles.create<arith::CmpIOp>(arith::CmpIPredicate::ne, values,
                                       tiles.zero(builder.getI32Type()));
  }

  Value divideByPivots(Value rows, Value diagonal) {
    auto shape = cast<TileType>(diagonal.getType()).getShape();
    TileType pivotsType =
        TileType::get(shape.drop_back(), type.getElementType());
    Value pivots = getRealParts(
        builder, loc, DiagonalOp::create(builder, loc, pivotsType, diagonal));
    TileBuilder values(builder, loc, pivotsType.getShape());
    Value scales = createScales(values, pivots);
    Value reciprocals = values.create<arith::DivFOp>(
        values.constant(getRealType(type), 1.0),
        values.create<arith::MulFOp>(pivots, scales));
    MatrixTiles tiles(builder, loc, cast<TileType>(rows.getType()));
    for (Value factors : {scales, reciprocals})
      rows = multiplyByReal(builder, loc, rows, tiles.ofColumns(factors));
    return rows;
  }

  /// Returns the power of two by which each pivot is multiplied so that the
  /// reciprocal of the result is a normal value: the square root of the type's
  /// largest power of two for small pivots, its reciprocal for large ones,
  /// otherwise one.
  Value createScales(TileBuilder &values, Value pivots) {
    FloatType real = getRealType(type);
    int half =
        (APFloat::semanticsMaxExponent(real.getFloatSemantics()) + 1) / 2;
    Value sizes = values.create<math::AbsFOp>(pivots);
    auto power = [&](int exponent) {
      return values.constant(real, std::ldexp(1.0, exponent));
    };
    auto choose = [&](arith::CmpFPredicate predicate, int exponent,
                      Value otherwise) -> Value {
      Value isBeyond =
          values.create<arith::CmpFOp>(predicate, sizes, power(exponent));
      return values.create<SelectOp>(isBeyond, power(-exponent), otherwise);
    };
    Value one = values.constant(real, 1.0);
    return choose(arith::CmpFPredicate::OLT, -half,
                  choose(arith::CmpFPredicate::OGT, half, one));
  }

  /// Returns a block of the result. If the matrix has no Cholesky factor, the
  /// block is filled with NaN, even if it was computed before the first pivot
  /// that is not usable.
  Value spoil(Value block, bool isDiagonal) {
    if (!isCholesky)
      return block;
    auto blockType = cast<TileType>(block.getType());
    MatrixTiles tiles(builder, loc, blockType);
    SmallVector<int64_t> dims;
    if (blockType.getRank() > 2)
      dims.push_back(0);
    Value isSpoilt = tiles.create<BroadcastOp>(
        tiles.getType(builder.getI1Type()), isBad(status),
        builder.getDenseI64ArrayAttr(dims));
    if (isDiagonal)
      isSpoilt = tiles.create<arith::AndIOp>(
          isSpoilt, tiles.areAtMost(tiles.columns(), tiles.rows()));
    Value nan = tiles.real(type.getElementType(),
                           std::numeric_limits<double>::quiet_NaN());
    return tiles.choose(isSpoilt, nan, block);
  }

  OpBuilder &builder;
  Location loc;
  Value source;
  bool isCholesky;
  TileType type;
  MatrixBlocks blocks;
  SmallVector<MatrixRange> ranges;
  /// Parts of each column of blocks: the diagonal block, the rows of L below
  /// it, and these rows multiplied by D.
  SmallVector<Value> diagonals, below, unscaled;
  Value status;
};
} // namespace

static SmallVector<Value> factorInBlocks(OpBuilder &builder, Operation *op,
                                         Value status, bool isCholesky) {
  BlockedFactor factor(builder, op->getLoc(), op->getOperand(0), isCholesky);
  SmallVector<Value> results = {factor.getFactor()};
  if (status)
    results.push_back(factor.getStatus(status.getType()));
  return results;
}

/// Factors A = U' U. The transpose B of A is factored as B = L L', and U is the
/// transpose of L. The lower triangle of B is the upper one of A. This also
/// holds for complex matrices, for which B is the conjugate of A.
static SmallVector<Value> factorUpper(OpBuilder &builder, CholeskyOp op) {
  Value source = transposeMatrices(builder, op.getLoc(), op.getSource());
  SmallVector<Type> types = {source.getType()};
  if (op.getStatus())
    types.push_back(op.getStatus().getType());
  auto lower = CholeskyOp::create(builder, op.getLoc(), types, source);
  SmallVector<Value> results = llvm::to_vector_of<Value>(lower->getResults());
  results.front() = transposeMatrices(builder, op.getLoc(), results.front());
  return results;
}

/// Whether the factor of a matrix of the type exceeds a warp's registers.
static bool isInBlocks(TileType matrices) {
  return matrices.getShape().back() >
         getMaxSymmetricOrder(getElementBytes(matrices.getElementType()));
}

bool tile::hasCompositeForm(CholeskyOp op) {
  return op.getUpper() || isInBlocks(op.getSource().getType());
}

Replacements tile::decompose(CholeskyOp op, OpBuilder &builder) {
  return op.getUpper() ? factorUpper(builder, op)
                       : factorInBlocks(builder, op, op.getStatus(),
                                        /*isCholesky=*/true);
}

bool tile::hasCompositeForm(LdltOp op) {
  return isInBlocks(op.getSource().getType());
}

Replacements tile::decompose(LdltOp op, OpBuilder &builder) {
  return factorInBlocks(builder, op, op.getStatus(), /*isCholesky=*/false);
}
