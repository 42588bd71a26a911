// SymmetricFactor.cpp - A = L L' and A = L D L' of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prime is the conjugate transpose: complex matrices are Hermitian, and the
// diagonals of L and D are real.
//
// The factorisation is right-looking, column by column: the contribution of a
// column is subtracted from the columns after it, by FMA. Every lane updates
// its own elements. It needs the elements of the current column in its rows,
// and in the rows whose indices are those of its columns. In the end each
// column is divided by the root of its pivot (L L'), or below the diagonal by
// the pivot (L D L'). The upper triangle takes part in the computation; its
// elements are zero at the start and in the end.

#include "SymmetricFactor.h"

#include "../ElementArithmetic.h"
#include "../RegisterTiles.h"
#include "Divisor.h"
#include "FactorStatus.h"
#include "ReciprocalRoot.h"
#include "WarpMatrix.h"

#include <optional>

using namespace mlir;
using namespace tile;

/// Maximum number of rows of a matrix for which correctRoot is used. With more
/// rows the error of the root is less than that of the other computations, and
/// the correction would take 4 % of the time (32 rows of f32 on an H200).
static constexpr int64_t kMaxCorrectedRows = 8;

namespace {
class WarpSymmetricFactor : ElementArithmetic {
public:
  WarpSymmetricFactor(OpBuilder &builder, Location loc, TileType type,
                      ArrayRef<Value> elements, SymmetricForm form,
                      bool hasStatus)
      : ElementArithmetic(builder, loc, type.getElementType()), type(type),
        thread(index, type.getRegister().getRegisterLayout()),
        matrix(index, thread, elements),
        isCholesky(form == SymmetricForm::cholesky), hasStatus(hasStatus),
        areUsable(matrix.getNumMatrices()), statuses(matrix.getNumMatrices()),
        pivots(matrix.getNumMatrices() * columns().getNumValues()) {}

  /// Returns the elements of the factor.
  ArrayRef<Value> factor() {
    int64_t count = matrix.getNumMatrices();
    for (int64_t i = 0; i < count; ++i)
      clearRest(i);
    // The steps of the matrices alternate, since each step waits for the one
    // before it.
    for (int64_t step = 0; step < type.getShape().back(); ++step)
      for (int64_t i = 0; i < count; ++i)
        eliminate(i, step);
    for (int64_t i = 0; i < count; ++i) {
      scaleColumns(i);
      clearRest(i);
    }
    return matrix.getElements();
  }

  /// Returns, for each matrix, the one-based index of the first column whose
  /// pivot is not usable; zero if there is none.
  ArrayRef<Value> getStatus() { return statuses; }

private:
  MatrixSide &rows() { return matrix.getRows(); }
  MatrixSide &columns() { return matrix.getColumns(); }

  /// Scale of a step's column: the reciprocal of the root of its pivot, or the
  /// pivot that divides it.
  struct Scale {
    Value root;
    std::optional<Divisor> pivot;
  };

  Value divide(Value element, Scale &by) {
    return by.root ? multiply(element, by.root) : by.pivot->divideFast(element);
  }

  /// Subtracts l_ik l_jk', or l_ik d_k l_jk', from the columns after that of
  /// `step`. Elements are scaled where they are used, so that no shuffle waits
  /// for the scale.
  void eliminate(int64_t i, int64_t step) {
    int64_t own = columns().getValue(step);
    Value pivot = takePivot(i, step);
    Scale scale = createScale(pivot);
    notePivot(i, own, step, isCholesky ? scale.root : pivot);
    SmallVector<Value> column(rows().getNumValues()), ofRows(column);
    int64_t behind = rows().findReaching(step + 1);
    for (int64_t row = behind; row < rows().getNumValues(); ++row) {
      column[row] = matrix.get(i, row, own);
      ofRows[row] = negate(divide(matrix.fromColumn(column[row], step), scale));
    }
    llvm::DenseMap<Value, Value> masks; // by `isBehind`
    for (int64_t other = columns().findReaching(step + 1);
         other < columns().getNumValues(); ++other) {
      if (columns().getFirst(other) >= type.getShape().back())
        break;
      Value isBehind = columns().isBehind(index, other, step);
      Value &mask = masks[isBehind];
      if (isCholesky && !mask)
        mask = index.select(isBehind, scale.root, real(0));
      Value factor =
          conjugate(matrix.fromColumnTransposed(column, other, step));
      factor = isCholesky ? multiply(factor, mask)
                          : select(isBehind, factor, zero());
      for (int64_t row = behind; row < rows().getNumValues(); ++row)
        if (rows().getLast(row) >= columns().getFirst(other)) {
          Value &element = matrix.get(i, row, other);
          element = multiplyAdd(factor, ofRows[row], element);
        }
    }
  }

  /// Returns the pivot of a step. If it is not usable, records this in the
  /// status.
  Value takePivot(int64_t i, int64_t step) {
    Value pivot = matrix.fromElement(
        getReal(matrix.get(i, rows().getValue(step), columns().getValue(step))),
        step, step);
    Value isUsable = compare(isCholesky ? arith::CmpFPredicate::OGT
                                        : arith::CmpFPredicate::ONE,
                             pivot, real(0));
    areUsable[i] = index.both(areUsable[i], isUsable);
    if (hasStatus)
      noteStatus(index, statuses[i], step, isUsable);
    return pivot;
  }

  Scale createScale(Value pivot) {
    if (isCholesky)
      return {createReciprocalRoot(index.builder, index.loc, pivot), {}};
    return {Value(), Divisor(index.builder, index.loc, pivot)};
  }

  /// Records `pivot`, a step's pivot or the reciprocal of its root, in the
  /// threads that hold the step's column. They scale the column at the end.
  void notePivot(int64_t i, int64_t own, int64_t step, Value pivot) {
    Value &noted = pivots[i * columns().getNumValues() + own];
    noted = noted ? index.select(columns().isAt(index, own, step), pivot, noted)
                  : pivot;
  }

  /// Returns the scale of a thread's own column.
  Scale readScale(int64_t i, Value noted) {
    if (!isCholesky)
      return createScale(noted);
    // A matrix without a Cholesky factor gets no partial factor.
    return {index.select(areUsable[i], noted,
                         real(std::numeric_limits<double>::quiet_NaN())),
            {}};
  }

  void scaleColumns(int64_t i) {
    for (int64_t column = 0; column < columns().getNumValues(); ++column) {
      Value noted = pivots[i * columns().getNumValues() + column];
      if (!noted)
        continue;
      Scale scale = readScale(i, noted);
      for (int64_t row = 0; row < rows().getNumValues(); ++row)
        if (rows().getLast(row) >= columns().getFirst(column)) {
          Value &element = matrix.get(i, row, column);
          Value scaled = divide(element, scale);
          if (isCholesky && type.getShape().back() <= kMaxCorrectedRows &&
              mayBeDiagonal(row, column))
            scaled = correctRoot(row, column, element, scaled, scale.root);
          element = select(isScaled(row, column), scaled, element);
        }
    }
  }

  bool mayBeDiagonal(int64_t row, int64_t column) {
    return rows().getFirst(row) <= columns().getLast(column) &&
           columns().getFirst(column) <= rows().getLast(row);
  }

  /// Applies a step of Newton's method to the root y of x on the diagonal: y +
  /// (x - y y) s / 2 with s = 1 / y. Returns elements below the diagonal
  /// (`scaled`) unchanged; those above it may get any value.
  Value correctRoot(int64_t row, int64_t column, Value element, Value scaled,
                    Value scale) {
    Value root = getReal(scaled);
    Value rest =
        multiplyAdd(RealArithmetic::negate(root), root, getReal(element));
    root = multiplyAdd(multiply(scale, real(0.5)), rest, root);
    if (isComplex())
      root = makeComplex(root, real(0));
    return select(index.less(columns().getPosition(index, column),
                             rows().getPosition(index, row)),
                  scaled, root);
  }

  /// Whether an element of the lower triangle is scaled; null for always. D is
  /// not scaled.
  Value isScaled(int64_t row, int64_t column) {
    if (isCholesky || rows().getFirst(row) > columns().getLast(column))
      return Value();
    return index.less(columns().getPosition(index, column),
                      rows().getPosition(index, row));
  }

  /// Sets the elements above the diagonal, and the imaginary parts on it, to
  /// zero.
  void clearRest(int64_t i) {
    for (int64_t row = 0; row < rows().getNumValues(); ++row)
      for (int64_t column = 0; column < columns().getNumValues(); ++column) {
        Value &element = matrix.get(i, row, column);
        if (rows().getLast(row) < columns().getFirst(column))
          element = zero();
        else if (rows().getFirst(row) < columns().getLast(column))
          element = select(index.atMost(columns().getPosition(index, column),
                                        rows().getPosition(index, row)),
                           element, zero());
        if (isComplex() && rows().getFirst(row) <= columns().getLast(column) &&
            columns().getFirst(column) <= rows().getLast(row))
          element = makeComplex(
              getReal(element),
              index.select(index.less(columns().getPosition(index, column),
                                      rows().getPosition(index, row)),
                           getImaginary(element), real(0)));
      }
  }

  TileType type;
  ThreadCoordinates thread;
  WarpMatrix matrix;
  bool isCholesky, hasStatus;
  SmallVector<Value> areUsable, statuses, pivots;
};
} // namespace

SmallVector<SmallVector<Value>>
tile::createSymmetricFactor(OpBuilder &builder, Location loc, TileType type,
                            ValueRange source, SymmetricForm form,
                            bool hasStatus) {
  WarpSymmetricFactor factor(
      builder, loc, type, unpack(builder, loc, type, source), form, hasStatus);
  SmallVector<SmallVector<Value>> results = {
      pack(builder, loc, type, factor.factor())};
  if (hasStatus)
    results.push_back(llvm::to_vector_of<Value>(factor.getStatus()));
  return results;
}
