// SymmetricFactor.cpp - A = L L' and A = L D L' of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Right-looking, column by column: what a column contributes is subtracted from
// those behind it, by FMA. Every lane does so for the elements that it has,
// with the elements of the current column that belong to its rows and to its
// columns. In the end each column is divided by the root of its pivot, or below
// it by the pivot. Zeros stand in for the other triangle, which is computed
// with, too.

#include "SymmetricFactor.h"

#include "FactorStatus.h"
#include "ReciprocalRoot.h"
#include "RegisterTiles.h"
#include "WarpMatrix.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

namespace {
class WarpSymmetricFactor {
public:
  WarpSymmetricFactor(IndexBuilder index, TileType type,
                      ArrayRef<Value> elements, SymmetricForm form,
                      bool hasStatus)
      : type(type), index(index),
        thread(this->index, type.getRegister().getRegisterLayout()),
        matrix(this->index, thread, elements),
        isCholesky(form == SymmetricForm::cholesky), hasStatus(hasStatus),
        areUsable(matrix.getNumMatrices()), statuses(matrix.getNumMatrices()),
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
  /// not usable; zero for none.
  ArrayRef<Value> getStatus() { return statuses; }

private:
  MatrixSide &rows() { return matrix.getRows(); }
  MatrixSide &columns() { return matrix.getColumns(); }

  /// Subtracts l_ik l_jk, or l_ik d_k l_jk, from the columns behind one.
  /// Elements are scaled where they are wanted, so that no shuffle waits for
  /// the scale.
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
      Value &mask = masks[isBehind];
      if (isCholesky && !mask)
        mask = index.select(isBehind, scale, zero());
      Value factor = matrix.fromColumnTransposed(column, other, step);
      factor = isCholesky ? mul(factor, mask)
                          : index.select(isBehind, factor, zero());
      for (int64_t row = behind; row < rows().getNumValues(); ++row)
        if (rows().getLast(row) >= columns().getFirst(other)) {
          Value &element = matrix.get(i, row, other);
          element = math::FmaOp::create(index.builder, index.loc, factor,
                                        ofRows[row], element);
        }
    }
  }

  /// One by the root of the pivot, or by the pivot, which is noted if it is not
  /// usable.
  Value createScale(int64_t i, int64_t step) {
    Value pivot = matrix.fromElement(
        matrix.get(i, rows().getValue(step), columns().getValue(step)), step,
        step);
    Value isUsable = index.builder.createOrFold<arith::CmpFOp>(
        index.loc,
        isCholesky ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::ONE,
        pivot, zero());
    areUsable[i] = index.both(areUsable[i], isUsable);
    if (hasStatus)
      noteStatus(index, statuses[i], step, isUsable);
    if (isCholesky)
      return createReciprocalRoot(index.builder, index.loc, pivot);
    return arith::DivFOp::create(index.builder, index.loc, real(1), pivot);
  }

  /// The scale of a thread's own columns; they stay unscaled until the end.
  void noteScale(int64_t i, int64_t own, int64_t step, Value scale) {
    Value &noted = scales[i * columns().getNumValues() + own];
    noted =
        noted ? index.select(columns().isPlace(index, own, step), scale, noted)
              : scale;
  }

  void scaleColumns(int64_t i) {
    for (int64_t column = 0; column < columns().getNumValues(); ++column) {
      Value scale = scales[i * columns().getNumValues() + column];
      if (!scale)
        continue;
      // A matrix without a Cholesky factor gets none in part.
      if (isCholesky)
        scale = index.select(areUsable[i], scale,
                             real(std::numeric_limits<double>::quiet_NaN()));
      for (int64_t row = 0; row < rows().getNumValues(); ++row)
        if (rows().getLast(row) >= columns().getFirst(column)) {
          Value &element = matrix.get(i, row, column);
          element =
              index.select(isScaled(row, column), mul(element, scale), element);
        }
    }
  }

  /// Whether an element of the lower triangle is scaled, null for always: D is
  /// not.
  Value isScaled(int64_t row, int64_t column) {
    if (isCholesky || rows().getFirst(row) > columns().getLast(column))
      return Value();
    return index.less(columns().getPlace(index, column),
                      rows().getPlace(index, row));
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
  Value real(double value) {
    return arith::ConstantOp::create(
        index.builder, index.loc,
        index.builder.getFloatAttr(type.getElementType(), value));
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
  bool isCholesky, hasStatus;
  SmallVector<Value> areUsable, statuses, scales;
};
} // namespace

SmallVector<SmallVector<Value>>
tile::createSymmetricFactor(OpBuilder &builder, Location loc, TileType type,
                            ValueRange source, SymmetricForm form,
                            bool hasStatus) {
  WarpSymmetricFactor factor(IndexBuilder(builder, loc), type,
                             unpack(builder, loc, type, source), form,
                             hasStatus);
  SmallVector<SmallVector<Value>> results = {
      pack(builder, loc, type, factor.factor())};
  if (hasStatus)
    results.push_back(llvm::to_vector_of<Value>(factor.getStatus()));
  return results;
}
