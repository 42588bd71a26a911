// Cholesky.cpp - A = L L' of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Right-looking, column by column: what a column contributes is subtracted from
// those behind it, by FMA. Every lane does so for the elements that it has,
// with the elements of the current column that belong to its rows and to its
// columns. In the end each column is divided by the root of its pivot. Zeros
// stand in for the other triangle, which is computed with, too.

#include "Patterns.h"
#include "ReciprocalRoot.h"
#include "RegisterTiles.h"
#include "WarpMatrix.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

namespace {
class WarpCholesky {
public:
  WarpCholesky(CholeskyOp op, ArrayRef<Value> elements, OpBuilder &builder)
      : type(op.getSource().getType()), index(builder, op.getLoc()),
        thread(index, type.getRegister().getRegisterLayout()),
        matrix(index, thread, elements), hasStatus(op.getStatus()),
        arePositive(matrix.getNumMatrices()), failures(matrix.getNumMatrices()),
        scales(matrix.getNumMatrices() * columns().getNumValues()) {}

  /// The elements of the factor.
  ArrayRef<Value> factor() {
    int64_t count = matrix.getNumMatrices();
    for (int64_t i = 0; i < count; ++i)
      clearUpperTriangle(i);
    // Matrices in turn, since each step waits for the one before it.
    for (int64_t step = 0; step < type.getShape().back(); ++step)
      for (int64_t i = 0; i < count; ++i)
        eliminate(i, step);
    for (int64_t i = 0; i < count; ++i) {
      scaleColumns(i);
      clearUpperTriangle(i);
    }
    return matrix.getElements();
  }

  /// For each matrix, the number from one on of the first column whose pivot is
  /// not positive; zero for none.
  ArrayRef<Value> getStatus() { return failures; }

private:
  MatrixSide &rows() { return matrix.getRows(); }
  MatrixSide &columns() { return matrix.getColumns(); }

  /// Subtracts l_ik l_jk from the columns behind one. Elements are scaled where
  /// they are wanted, so that no shuffle waits for the root.
  void eliminate(int64_t i, int64_t step) {
    int64_t own = columns().getValue(step);
    Value scale = createScale(i, step);
    noteScale(i, own, step, scale);
    SmallVector<Value> column(rows().getNumValues()), ofRows(column);
    int64_t behind = rows().findReaching(step + 1);
    for (int64_t row = behind; row < rows().getNumValues(); ++row) {
      column[row] = matrix.get(i, row, own);
      ofRows[row] = mul(matrix.fromColumn(column[row], step), negate(scale));
    }
    llvm::DenseMap<Value, Value> masks; // by which columns are behind
    for (int64_t other = columns().findReaching(step + 1);
         other < columns().getNumValues(); ++other) {
      if (columns().getFirst(other) >= type.getShape().back())
        break;
      Value isBehind = columns().isBehind(index, other, step);
      Value &masked = masks[isBehind];
      if (!masked)
        masked = index.select(isBehind, scale, zero());
      Value factor =
          mul(matrix.fromColumnTransposed(column, other, step), masked);
      for (int64_t row = behind; row < rows().getNumValues(); ++row)
        if (rows().getLast(row) >= columns().getFirst(other)) {
          Value &element = matrix.get(i, row, other);
          element = math::FmaOp::create(index.builder, index.loc, factor,
                                        ofRows[row], element);
        }
    }
  }

  /// One by the root of the pivot, which is noted if it is not positive.
  Value createScale(int64_t i, int64_t step) {
    Value pivot = matrix.fromElement(
        matrix.get(i, rows().getValue(step), columns().getValue(step)), step,
        step);
    Value isPositive = index.builder.createOrFold<arith::CmpFOp>(
        index.loc, arith::CmpFPredicate::OGT, pivot, zero());
    arePositive[i] = index.both(arePositive[i], isPositive);
    if (hasStatus)
      noteFailure(failures[i], step, isPositive);
    return createReciprocalRoot(index.builder, index.loc, pivot);
  }

  /// The scale of a thread's own columns; they stay unscaled until the end.
  void noteScale(int64_t i, int64_t own, int64_t step, Value scale) {
    Value &noted = scales[i * columns().getNumValues() + own];
    noted =
        noted ? index.select(columns().isPlace(index, own, step), scale, noted)
              : scale;
  }

  void noteFailure(Value &failure, int64_t step, Value isPositive) {
    auto number = [&](int64_t value) {
      return arith::ConstantIntOp::create(index.builder, index.loc, value, 32);
    };
    if (!failure)
      failure = number(0);
    Value isFirst = index.builder.createOrFold<arith::CmpIOp>(
        index.loc, arith::CmpIPredicate::eq, failure, number(0));
    failure = index.select(isPositive, failure,
                           index.select(isFirst, number(step + 1), failure));
  }

  /// Scales the columns; NaN those of a matrix that has no factor.
  void scaleColumns(int64_t i) {
    Value spoil = arith::ConstantOp::create(
        index.builder, index.loc,
        index.builder.getFloatAttr(type.getElementType(),
                                   std::numeric_limits<double>::quiet_NaN()));
    for (int64_t column = 0; column < columns().getNumValues(); ++column) {
      Value scale = scales[i * columns().getNumValues() + column];
      if (!scale)
        continue;
      scale = index.select(arePositive[i], scale, spoil);
      for (int64_t row = 0; row < rows().getNumValues(); ++row)
        if (rows().getLast(row) >= columns().getFirst(column)) {
          Value &element = matrix.get(i, row, column);
          element = mul(element, scale);
        }
    }
  }

  void clearUpperTriangle(int64_t i) {
    for (int64_t row = 0; row < rows().getNumValues(); ++row)
      for (int64_t column = 0; column < columns().getNumValues(); ++column) {
        Value &element = matrix.get(i, row, column);
        if (rows().getLast(row) < columns().getFirst(column))
          element = zero();
        else if (rows().getFirst(row) < columns().getLast(column))
          element = index.select(index.atMost(columns().getPlace(index, column),
                                              rows().getPlace(index, row)),
                                 element, zero());
      }
  }

  Value zero() {
    return createZero(index.builder, index.loc, type.getElementType());
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(index.builder, index.loc, a, b);
  }
  Value negate(Value a) {
    return arith::NegFOp::create(index.builder, index.loc, a);
  }

  TileType type;
  IndexBuilder index;
  ThreadCoordinates thread;
  WarpMatrix matrix;
  bool hasStatus;
  SmallVector<Value> arePositive, failures, scales;
};

struct ConvertCholesky : OpConversionPattern<CholeskyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CholeskyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType type = op.getSource().getType();
    WarpCholesky cholesky(
        op, unpack(rewriter, op.getLoc(), type, adaptor.getSource()), rewriter);
    SmallVector<SmallVector<Value>> results = {
        pack(rewriter, op.getLoc(), type, cholesky.factor())};
    if (op.getStatus())
      results.push_back(llvm::to_vector_of<Value>(cholesky.getStatus()));
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateCholeskyPatterns(TypeConverter &types,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertCholesky>(types, patterns.getContext());
}
