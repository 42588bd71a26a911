// Inverse.cpp - inverses of matrices whose rows are distributed over lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inverse is computed by Gauss-Jordan elimination in place: a step
// subtracts multiples of the pivot's row from all other rows, and stores the
// changed column of the unit matrix in place of the eliminated column. A
// pivot's row is divided by the pivot only at the end, since until then other
// rows are only subtracted from it. Let p_k be the index of the row of rank k.
// At the end the matrix contains
//
//   in row p_k and column c    element (k, p_c) of the inverse.

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "LaneElimination.h"
#include "RowElimination.h"

using namespace mlir;
using namespace tile;

namespace {
class RowInverse : public RowElimination {
public:
  RowInverse(ConversionPatternRewriter &rewriter, InverseOp op,
             ValueRange source)
      : RowElimination(rewriter, op.getLoc(), op.getSource().getType(), source,
                       op.getScratch(), op.getStatus() != nullptr) {}

  ArrayRef<Value> invert() {
    for (int64_t i = 0; i < getNumMatrices(); ++i) {
      begin(i);
      // Every step changes all columns, so all remain until the end.
      eliminate(
          i, getMostTrips(),
          [&](const Step &step) { eliminateColumn(i, step); }, [](int64_t) {});
      putInOrder(i);
      // The buffer is reused for the next matrix.
      if (i + 1 < getNumMatrices())
        scratch.synchronize();
    }
    return matrix.getElements();
  }

private:
  /// Returns the maximum number of iterations of a loop; all steps have equally
  /// many columns.
  int64_t getMostTrips() {
    return getOrder() <= 16 ? 1 : getOrder() / WarpScratch::kSteps;
  }

  void eliminateColumn(int64_t i, const Step &step) {
    Pivot pivot = findPivot(i, step);
    Divisor divisor(index.builder, index.loc, pivot.value);
    for (auto [row, isRow] : llvm::zip_equal(left, pivot.isRow)) {
      Value &own = row[step.column];
      Value quotient = negate(divisor.divide(own));
      own = select(isRow, fromReal(real(1)), quotient);
      Value factor = select(isRow, zero(), quotient);
      for (int64_t column = 0; column < getOrder(); ++column)
        if (column != step.column)
          row[column] = multiplyAdd(factor, pivot.row[column], row[column]);
    }
  }

  /// Reorders the rows and columns of the inverse. Elements go through the
  /// buffer, where the matrix is transposed: adjacent lanes have adjacent ranks
  /// and positions, and so access different banks. Column j of the result is
  /// the column of the step in which row j contained the pivot.
  void putInOrder(int64_t i) {
    int64_t list = getOrder();
    SmallVector<Divisor> pivots;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      pivots.emplace_back(index.builder, index.loc,
                          scratch.readDiagonal(getRank(i, row)));
      OpBuilder::InsertionGuard guard(index.builder);
      index.enterIf(isInside(row));
      scratch.write(list, getRowIndex(row),
                    scratch.getBegin(ranks.getRank(i, row)));
    }
    scratch.synchronize();
    for (int64_t row = 0; row < getNumRows(); ++row)
      writeColumns(i, row, pivots[row]);
    scratch.synchronize();
    for (int64_t column = 0; column < getOrder(); ++column) {
      Value begin =
          scratch.read(list, constantI32(column), index.builder.getI32Type());
      for (int64_t row = 0; row < getNumRows(); ++row)
        matrix.get(i, row, column) = readElement(begin, row);
    }
  }

  /// Reads, from the row of the buffer that starts at `begin`, the element at
  /// the index of one of the thread's rows.
  Value readElement(Value begin, int64_t row) {
    // The distance between the indices of two of a thread's rows is the same in
    // all lanes, except for padding rows.
    int64_t like = isInside(row) ? row : 0;
    Value at = index.builder.createOrFold<arith::AddIOp>(index.loc, begin,
                                                         getRowIndex(like));
    return scratch.read(/*row=*/0, at, type.getElementType(),
                        rows().getFirst(row) - rows().getFirst(like));
  }

  void writeColumns(int64_t i, int64_t row, Divisor &pivot) {
    SmallVector<Value> elements;
    for (int64_t column = 0; column < getOrder(); ++column)
      elements.push_back(pivot.divideFast(left[row][column]));
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(isInside(row));
    Value rank = ranks.getRank(i, row);
    for (auto [column, element] : llvm::enumerate(elements))
      scratch.write(column, rank, element);
  }
};

struct ConvertInverse : OpConversionPattern<InverseOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(InverseOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    SmallVector<SmallVector<Value>> results;
    auto add = [&](auto &&inverter) {
      results.push_back(pack(rewriter, op.getLoc(), op.getResult().getType(),
                             inverter.invert()));
      if (op.getStatus())
        results.push_back(llvm::to_vector_of<Value>(inverter.getStatus()));
    };
    if (op.getScratch())
      add(RowInverse(rewriter, op, adaptor.getSource()));
    else
      add(LaneInverse(rewriter, op, adaptor.getSource()));
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateInversePatterns(TypeConverter &types,
                                   RewritePatternSet &patterns) {
  patterns.add<ConvertInverse>(types, patterns.getContext());
}
