// Solve.cpp - A X = B of matrices of which a lane has rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The right-hand sides are eliminated along with the matrix, as further columns
// of it. Lanes then take the rows of the triangle from the buffer, in order,
// and from the last one on subtract multiples of each row of X from those above
// it.

#include "LaneElimination.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "RowElimination.h"

using namespace mlir;
using namespace tile;

namespace {
class RowSolve : public RowElimination {
public:
  RowSolve(ConversionPatternRewriter &rewriter, SolveOp op, ValueRange source,
           ValueRange rhs)
      : RowElimination(rewriter, op.getLoc(), op.getMatrix().getType(), source,
                       op.getScratch(), op.getStatus() != nullptr),
        sidesThread(index,
                    op.getRhs().getType().getRegister().getRegisterLayout()),
        sides(index, sidesThread,
              unpack(rewriter, op.getLoc(), op.getRhs().getType(), rhs)),
        numSides(op.getRhs().getType().getShape().back()) {}

  ArrayRef<Value> solve() {
    for (int64_t i = 0; i < getNumMatrices(); ++i) {
      clearDiagonal();
      for (int64_t step = 0; step < getOrder(); ++step)
        eliminate(i, step);
      substitute(i);
      // The next matrix is written to the buffer.
      if (i + 1 < getNumMatrices())
        scratch.synchronize();
    }
    return sides.getElements();
  }

private:
  /// A row of the triangle, in its place.
  struct UpperRow {
    Divisor pivot;
    SmallVector<Value> elements; ///< from column `begin` on
    int64_t begin;
  };

  /// Where a thread reads the triangle from, in its places of a row.
  int64_t getUpperBegin(int64_t row) {
    return scratch.alignDown(rows().getFirst(row));
  }

  /// What lanes read of the triangle has parts below the diagonal, which no
  /// step writes.
  void clearDiagonal() {
    for (int64_t row = 0; row < getNumRows(); ++row) {
      OpBuilder::InsertionGuard guard(index.builder);
      index.enterIf(isInside(row));
      scratch.clearRow(getPlace(row), getUpperBegin(row),
                       std::min(rows().getLast(row), getOrder() - 1));
    }
    scratch.synchronize();
  }

  /// Right-hand sides are columns behind those of the matrix.
  Value &getElement(int64_t i, int64_t row, int64_t column) {
    return column < getOrder() ? matrix.get(i, row, column)
                               : sides.get(i, row, column - getOrder());
  }

  void eliminate(int64_t i, int64_t step) {
    int64_t begin = scratch.alignDown(step);
    Pivot pivot = findPivot(i, step, begin, [&](int64_t row) {
      SmallVector<Value> elements;
      for (int64_t column = begin; column < getOrder() + numSides; ++column)
        elements.push_back(getElement(i, row, column));
      return elements;
    });
    if (step + 1 == getOrder())
      return;
    Divisor divisor(index.builder, index.loc, pivot.value);
    SmallVector<Value> factors;
    for (int64_t row = 0; row < getNumRows(); ++row)
      factors.push_back(negate(divisor.divide(matrix.get(i, row, step))));
    for (int64_t column = step + 1; column < getOrder() + numSides; ++column)
      for (auto [row, factor] : llvm::enumerate(factors)) {
        Value &element = getElement(i, row, column);
        element = multiplyAdd(factor, pivot.row[column - begin], element);
      }
  }

  /// Reads the rows that are in a thread's places, and their right-hand sides.
  SmallVector<UpperRow> readUpper(int64_t i) {
    SmallVector<UpperRow> upper;
    int64_t numColumns = getOrder() + numSides;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      int64_t begin = getUpperBegin(row);
      Value place = getPlace(row);
      Divisor pivot(index.builder, index.loc, scratch.readDiagonal(place));
      upper.push_back(
          {pivot, scratch.readRow(place, begin, numColumns), begin});
      ArrayRef<Value> elements = upper.back().elements;
      for (auto [side, value] : llvm::enumerate(elements.take_back(numSides)))
        sides.get(i, row, side) = value;
    }
    return upper;
  }

  void substitute(int64_t i) {
    SmallVector<UpperRow> upper = readUpper(i);
    SmallVector<Value> solution(getNumRows() * numSides);
    for (int64_t step = getOrder(); step-- > 0;) {
      int64_t own = rows().getValue(step);
      Value isPlace = rows().isPlace(index, own, step);
      for (int64_t side = 0; side < numSides; ++side) {
        Value x = matrix.fromRow(
            upper[own].pivot.divideFast(sides.get(i, own, side)), step);
        Value &noted = solution[own * numSides + side];
        noted = noted ? index.select(isPlace, x, noted) : x;
        Value factor = negate(x);
        for (int64_t row = 0; row <= own; ++row) {
          Value &element = sides.get(i, row, side);
          element = multiplyAdd(upper[row].elements[step - upper[row].begin],
                                factor, element);
        }
      }
    }
    for (int64_t row = 0; row < getNumRows(); ++row)
      for (int64_t side = 0; side < numSides; ++side)
        if (Value x = solution[row * numSides + side])
          sides.get(i, row, side) = x;
  }

  ThreadCoordinates sidesThread;
  WarpMatrix sides;
  int64_t numSides;
};

struct ConvertSolve : OpConversionPattern<SolveOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(SolveOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (op.isComposite())
      return rewriter.notifyMatchFailure(op, "expected one decomposed");
    SmallVector<SmallVector<Value>> results;
    auto add = [&](auto &&solver) {
      results.push_back(pack(rewriter, op.getLoc(), op.getResult().getType(),
                             solver.solve()));
      if (op.getStatus())
        results.push_back(llvm::to_vector_of<Value>(solver.getStatus()));
    };
    if (op.getScratch())
      add(RowSolve(rewriter, op, adaptor.getMatrix(), adaptor.getRhs()));
    else
      add(LaneSolve(rewriter, op, adaptor.getMatrix(), adaptor.getRhs()));
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateSolvePatterns(TypeConverter &types,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertSolve>(types, patterns.getContext());
}
