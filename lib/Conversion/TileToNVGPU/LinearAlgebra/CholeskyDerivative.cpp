// CholeskyDerivative.cpp - gradients by A = L L' of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The columns of the gradient g by L are completed from the last to the first
// (Murray, "Differentiation of the Cholesky decomposition", 2016, section 4):
//
//   s_ik = (g_ik - sum s_im l_mk) / l_kk                over m > k, for i > k
//   s_kk = (g_kk - sum s_mk' l_mk) / l_kk               over m > k
//
// Here s_im = s_mi' above the diagonal, where a prime is the conjugate, so that
// the sums of a column are a multiplication by a Hermitian matrix, of which all
// elements are kept. The gradient by A is the lower triangle of s with half of
// its diagonal.

#include "../ElementArithmetic.h"
#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "MatrixSteps.h"

using namespace mlir;
using namespace tile;

namespace {
class WarpGradient : ElementArithmetic {
public:
  WarpGradient(OpBuilder &builder, CholeskyDerivativeOp op,
               ArrayRef<Value> factor, ArrayRef<Value> gradient)
      : ElementArithmetic(builder, op.getLoc(), op.getType().getElementType()),
        type(op.getType()),
        thread(index, type.getRegister().getRegisterLayout()),
        factor(index, thread, factor), gradient(index, thread, gradient) {}

  /// Returns the elements of the gradient by A.
  ArrayRef<Value> build() {
    int64_t count = gradient.getNumMatrices();
    for (int64_t i = 0; i < count; ++i) {
      clearRest(factor, i);
      clearRest(gradient, i);
    }
    completeAll();
    for (int64_t i = 0; i < count; ++i) {
      halveDiagonal(i);
      clearRest(gradient, i);
    }
    return gradient.getElements();
  }

private:
  int64_t getOrder() { return type.getShape().back(); }
  MatrixSide &rows() { return gradient.getRows(); }
  MatrixSide &columns() { return gradient.getColumns(); }

  /// Sets the elements above the diagonal, and those of padding, to zero.
  void clearRest(WarpMatrix &matrix, int64_t i) {
    MatrixSide &rows = matrix.getRows(), &columns = matrix.getColumns();
    for (int64_t row = 0; row < rows.getNumValues(); ++row)
      for (int64_t column = 0; column < columns.getNumValues(); ++column) {
        Value &element = matrix.get(i, row, column);
        if (rows.getLast(row) < columns.getFirst(column)) {
          element = zero();
          continue;
        }
        Value isKept = rows.isBefore(index, row, getOrder());
        if (rows.getFirst(row) < columns.getLast(column))
          isKept = index.both(isKept,
                              index.atMost(columns.getPosition(index, column),
                                           rows.getPosition(index, row)));
        element = select(isKept, element, zero());
      }
  }

  /// Completes the columns of all matrices. The steps of the matrices
  /// alternate, since each step waits for the one before it.
  void completeAll() {
    auto completeColumns = [&](MatrixStep step) {
      for (int64_t i = 0; i < gradient.getNumMatrices(); ++i)
        complete(i, step);
    };
    if (usesLoops())
      return emitStepsOfLanes(index, gradient, getOrder(), listElements(),
                              completeColumns);
    for (int64_t step = getOrder(); step-- > 0;)
      completeColumns({step, step, Value()});
  }

  /// Whether the steps' code would not fit the instruction cache. Half of the
  /// elements are multiplied in a step, on average.
  bool usesLoops() {
    constexpr int64_t kMostMultiplications = 2048;
    int64_t multiplications =
        gradient.getElements().size() * getOrder() / 2 * (isComplex() ? 4 : 1);
    return columns().getMask() != 0 && multiplications > kMostMultiplications;
  }

  SmallVector<Value *> listElements() {
    SmallVector<Value *> elements;
    for (int64_t i = 0; i < gradient.getNumMatrices(); ++i)
      for (int64_t row = 0; row < rows().getNumValues(); ++row)
        for (int64_t column = 0; column < columns().getNumValues(); ++column)
          elements.push_back(&gradient.get(i, row, column));
    return elements;
  }

  /// Completes column `step` of s. Its elements below the diagonal are also
  /// stored in row `step`.
  void complete(int64_t i, MatrixStep step) {
    int64_t own = columns().getValue(step.first);
    int64_t ofStep = rows().getValue(step.first);
    int64_t behind = rows().findReaching(step.first + 1);
    Value reciprocal = createNormalReciprocal(
        step.fromDiagonal(index, factor, getReal(factor.get(i, ofStep, own))));
    SmallVector<Value> known = readColumnOfFactor(i, step);
    SmallVector<Value> column(rows().getNumValues());
    Value sum;
    for (int64_t row = behind; row < rows().getNumValues(); ++row) {
      Value rest = subtractSum(i, row, own, known);
      column[row] = select(step.isBehind(index, rows(), row),
                           multiply(rest, reciprocal), zero());
      sum = addRealOfProduct(column[row], factor.get(i, row, own), sum);
    }
    Value diagonal = getReal(gradient.get(i, ofStep, own));
    if (sum)
      diagonal = create<arith::SubFOp>(diagonal, gradient.sumRows(sum));
    diagonal = RealArithmetic::multiply(diagonal, reciprocal);
    storeColumn(i, step, column, diagonal);
    storeRow(i, step, column);
  }

  /// Returns the elements of column `step` of L in the rows with the indices of
  /// this thread's columns; zero up to `step`.
  SmallVector<Value> readColumnOfFactor(int64_t i, MatrixStep step) {
    int64_t own = columns().getValue(step.first);
    SmallVector<Value> ofRows(rows().getNumValues());
    for (int64_t row = 0; row < rows().getNumValues(); ++row)
      ofRows[row] = factor.get(i, row, own);
    SmallVector<Value> known(columns().getNumValues());
    for (int64_t other = columns().findReaching(step.first + 1);
         other < columns().getNumValues(); ++other)
      if (columns().getFirst(other) < getOrder())
        known[other] =
            select(step.isBehind(index, columns(), other),
                   step.fromColumnTransposed(factor, ofRows, other), zero());
    return known;
  }

  /// Returns an element of column `own` of the gradient minus the sum of this
  /// row of s, multiplied by `known`.
  Value subtractSum(int64_t i, int64_t row, int64_t own,
                    ArrayRef<Value> known) {
    Value sum;
    for (int64_t other = 0; other < columns().getNumValues(); ++other)
      if (known[other])
        sum = multiplyAdd(gradient.get(i, row, other), known[other], sum);
    Value element = gradient.get(i, row, own);
    return sum ? subtract(element, gradient.sumColumns(sum)) : element;
  }

  /// Returns the real part of a' b + c; a null `c` is zero.
  Value addRealOfProduct(Value a, Value b, Value c) {
    if (!isComplex())
      return multiplyAdd(a, b, c);
    c = RealArithmetic::multiplyAdd(getReal(a), getReal(b), c);
    return RealArithmetic::multiplyAdd(getImaginary(a), getImaginary(b), c);
  }

  void storeColumn(int64_t i, MatrixStep step, ArrayRef<Value> column,
                   Value diagonal) {
    int64_t own = columns().getValue(step.first);
    int64_t ofStep = rows().getValue(step.first);
    Value isOwn = step.isAt(index, columns(), own);
    for (int64_t row = 0; row < rows().getNumValues(); ++row)
      if (column[row]) {
        Value &element = gradient.get(i, row, own);
        element = select(index.both(isOwn, step.isBehind(index, rows(), row)),
                         column[row], element);
      }
    Value &element = gradient.get(i, ofStep, own);
    element = select(index.both(isOwn, step.isAt(index, rows(), ofStep)),
                     fromReal(diagonal), element);
  }

  /// Stores the conjugates of the elements below the diagonal in row `step`.
  void storeRow(int64_t i, MatrixStep step, ArrayRef<Value> column) {
    int64_t ofStep = rows().getValue(step.first);
    SmallVector<Value> ofRows(column);
    for (Value &value : ofRows)
      value = value ? value : zero();
    for (int64_t other = columns().findReaching(step.first + 1);
         other < columns().getNumValues(); ++other) {
      if (columns().getFirst(other) >= getOrder())
        break;
      Value mirrored =
          conjugate(step.fromColumnTransposed(gradient, ofRows, other));
      Value &element = gradient.get(i, ofStep, other);
      element = select(index.both(step.isAt(index, rows(), ofStep),
                                  step.isBehind(index, columns(), other)),
                       mirrored, element);
    }
  }

  void halveDiagonal(int64_t i) {
    for (int64_t row = 0; row < rows().getNumValues(); ++row)
      for (int64_t column = 0; column < columns().getNumValues(); ++column)
        if (rows().getFirst(row) <= columns().getLast(column) &&
            columns().getFirst(column) <= rows().getLast(row)) {
          Value &element = gradient.get(i, row, column);
          Value isDiagonal =
              index.both(index.atMost(rows().getPosition(index, row),
                                      columns().getPosition(index, column)),
                         index.atMost(columns().getPosition(index, column),
                                      rows().getPosition(index, row)));
          element = select(isDiagonal, multiply(element, real(0.5)), element);
        }
  }

  TileType type;
  ThreadCoordinates thread;
  WarpMatrix factor, gradient;
};

struct ConvertCholeskyDerivative : OpConversionPattern<CholeskyDerivativeOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CholeskyDerivativeOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getType();
    WarpGradient gradient(rewriter, op,
                          unpack(rewriter, loc, type, adaptor.getFactor()),
                          unpack(rewriter, loc, type, adaptor.getChange()));
    replaceWithPacks(rewriter, op,
                     {pack(rewriter, loc, type, gradient.build())});
    return success();
  }
};
} // namespace

void tile::populateCholeskyDerivativePatterns(TypeConverter &types,
                                              RewritePatternSet &patterns) {
  patterns.add<ConvertCholeskyDerivative>(types, patterns.getContext());
}
