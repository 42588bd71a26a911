// Lu.cpp - LU factors of matrices whose rows are distributed over lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The factorization P' A = L U is right-looking, column by column: a step
// subtracts multiples of the pivot row from the remaining rows. Each row of U
// is written to the buffer, where all lanes read it. Each lane keeps its rows
// of L, and in the end writes each to the buffer, before the row of U of the
// same rank. The row of rank r of L has the columns before r; the lane's
// further elements are unspecified.

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "RowElimination.h"

using namespace mlir;
using namespace tile;

namespace {
class RowLu : public RowElimination {
public:
  RowLu(ConversionPatternRewriter &rewriter, LuOp op, ValueRange source)
      : RowElimination(rewriter, op.getLoc(), op.getSource().getType(), source,
                       op.getScratch(), op.getStatus() != nullptr),
        isUnordered(op.getUnordered()) {}

  /// Returns the elements of the factors.
  ArrayRef<Value> factor() {
    for (int64_t i = 0; i < getNumMatrices(); ++i) {
      begin(i);
      lower.assign(getNumRows(), {});
      eliminate(
          i, getMostTrips(),
          [&](const Step &step) { eliminateColumn(i, step); },
          [&](int64_t count) { keepLower(count); });
      for (int64_t row = 0; row < getNumRows(); ++row)
        writeBelow(row, getRank(i, row), /*begin=*/0, lower[row]);
      scratch.synchronize();
      for (int64_t row = 0; row < getNumRows(); ++row)
        takeRow(i, row);
      listSourceRows(i);
    }
    return matrix.getElements();
  }

  /// Returns, for each row of the factors, the index of its row in the source;
  /// `layout` has the dimensions of the source except for the columns.
  SmallVector<Value> getPermutation(const RegisterLayout &layout) {
    SmallVector<Value> sources;
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      std::vector<int64_t> coordinates = layout.valueOffset(value);
      int64_t row = rows().getValue(coordinates.back());
      coordinates.pop_back();
      sources.push_back(sourceRows[getRow(matrix.getMatrix(coordinates), row)]);
    }
    return sources;
  }

private:
  void eliminateColumn(int64_t i, const Step &step) {
    Pivot pivot = findPivot(i, step);
    if (step.isLast)
      return;
    Divisor divisor(index.builder, index.loc, pivot.value);
    SmallVector<Value> factors;
    for (SmallVector<Value> &row : left) {
      Value &element = row[step.column];
      // If the pivot is zero, so is the rest of its column.
      element = select(pivot.isUsable, divisor.divide(element), element);
      factors.push_back(negate(element));
    }
    int64_t numColumns = left.front().size();
    for (int64_t column = step.column + 1; column < numColumns; ++column) {
      Value isColumn = isLeft(step, column);
      for (auto [row, factor] : llvm::zip_equal(left, factors)) {
        Value &element = row[column];
        element = select(
            isColumn, multiplyAdd(factor, pivot.row[column], element), element);
      }
    }
  }

  /// Moves the columns of the last `count` finished steps, which are at the
  /// ends of the rows in `left`, to `lower`.
  void keepLower(int64_t count) {
    for (auto [row, own] : llvm::zip_equal(left, lower)) {
      own.append(row.end() - count, row.end());
      row.pop_back_n(count);
    }
  }

  /// Reads a row of the factors from the buffer: the row at the position of the
  /// thread's `row` or, if rows stay unordered, the row at its rank.
  void takeRow(int64_t i, int64_t row) {
    Value bufferRow = isUnordered ? getRank(i, row) : getRowIndex(row);
    SmallVector<Value> elements = scratch.readColumns(bufferRow, 0, getOrder());
    for (auto [column, element] : llvm::enumerate(elements))
      matrix.get(i, row, column) = element;
  }

  void listSourceRows(int64_t i) {
    int64_t list = listRows(i);
    for (int64_t row = 0; row < getNumRows(); ++row)
      sourceRows.push_back(
          scratch.read(list, getRowIndex(row), index.builder.getI32Type()));
    // The buffer is reused for the next matrix.
    if (i + 1 < getNumMatrices())
      scratch.synchronize();
  }

  bool isUnordered;
  /// The thread's rows of L, followed by unspecified elements.
  SmallVector<SmallVector<Value>> lower;
  /// The index in A of each of the thread's rows of P' A.
  SmallVector<Value> sourceRows;
};

struct ConvertLu : OpConversionPattern<LuOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LuOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (!op.getScratch())
      return rewriter.notifyMatchFailure(op, "expected one on a buffer");
    Location loc = op.getLoc();
    TileType type = op.getSource().getType();
    TileType permutation = op.getPermutation().getType();
    RowLu lu(rewriter, op, adaptor.getSource());
    SmallVector<SmallVector<Value>> results = {
        pack(rewriter, loc, type, lu.factor())};
    results.push_back(
        pack(rewriter, loc, permutation,
             lu.getPermutation(permutation.getRegister().getRegisterLayout())));
    if (op.getStatus())
      results.push_back(llvm::to_vector_of<Value>(lu.getStatus()));
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateLuPatterns(TypeConverter &types,
                              RewritePatternSet &patterns) {
  patterns.add<ConvertLu>(types, patterns.getContext());
}
