// Solve.cpp - A X = B for matrices whose rows are distributed over lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The right-hand sides are eliminated along with the matrix, as further columns
// of it. Lanes then take the rows of the triangle from the buffer, in order.
// From the last row on they subtract multiples of each row of X from the rows
// above it.

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "LaneElimination.h"
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
      begin(i);
      appendSides(i);
      eliminate(
          i, getMostTrips(),
          [&](const Step &step) { eliminateColumn(i, step); },
          [&](int64_t count) {
            for (SmallVector<Value> &row : left)
              row.pop_back_n(count);
          });
      substitute(i);
      // The buffer is reused for the next matrix.
      if (i + 1 < getNumMatrices())
        scratch.synchronize();
    }
    return sides.getElements();
  }

private:
  /// Row of the triangle at one of the thread's row indices.
  struct UpperRow {
    Divisor pivot;
    SmallVector<Value> elements; ///< from column `begin` on
    int64_t begin;
  };

  /// Returns the first column of the triangle that a thread reads for one of
  /// its rows.
  int64_t getUpperBegin(int64_t row) {
    return llvm::alignDown(rows().getFirst(row), WarpScratch::kSteps);
  }

  /// Sets the elements below the diagonal that lanes read together with the
  /// triangle to zero, since no step writes them.
  void clearDiagonal() {
    for (int64_t row = 0; row < getNumRows(); ++row) {
      int64_t last = std::min(rows().getLast(row), getOrder() - 1);
      SmallVector<Value> zeros(last + 1, zero());
      writeBelow(row, getRowIndex(row), getUpperBegin(row), zeros);
    }
    scratch.synchronize();
  }

  /// Appends the right-hand sides as columns after those of the matrix.
  void appendSides(int64_t i) {
    for (auto [row, elements] : llvm::enumerate(left))
      for (int64_t side = 0; side < numSides; ++side)
        elements.push_back(sides.get(i, row, side));
  }

  /// Eliminates the column of a step. In the later iterations of a loop, the
  /// columns of finished steps, which follow the right-hand sides, may get
  /// arbitrary values.
  void eliminateColumn(int64_t i, const Step &step) {
    Pivot pivot = findPivot(i, step);
    if (step.isLast)
      return;
    Divisor divisor(index.builder, index.loc, pivot.value);
    for (SmallVector<Value> &row : left) {
      Value factor = negate(divisor.divide(row[step.column]));
      int64_t numColumns = row.size();
      for (int64_t column = step.column + 1; column < numColumns; ++column)
        row[column] = multiplyAdd(factor, pivot.row[column], row[column]);
    }
  }

  /// Reads the rows at a thread's row indices, and their right-hand sides.
  std::vector<UpperRow> readUpper(int64_t i) {
    std::vector<UpperRow> upper;
    int64_t numColumns = getOrder() + numSides;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      int64_t begin = getUpperBegin(row);
      Value rowIndex = getRowIndex(row);
      Divisor pivot(index.builder, index.loc, scratch.readDiagonal(rowIndex));
      upper.push_back(
          {pivot, scratch.readColumns(rowIndex, begin, numColumns), begin});
      ArrayRef<Value> elements = upper.back().elements;
      for (auto [side, value] : llvm::enumerate(elements.take_back(numSides)))
        sides.get(i, row, side) = value;
    }
    return upper;
  }

  void substitute(int64_t i) {
    std::vector<UpperRow> upper = readUpper(i);
    if (rows().getNumWarps() > 1)
      scratch.synchronize();
    SmallVector<Value> solution(getNumRows() * numSides);
    for (int64_t step = getOrder(); step-- > 0;) {
      int64_t own = rows().getValue(step);
      Value isRow = rows().isAt(index, own, step);
      SmallVector<Value> known;
      for (int64_t side = 0; side < numSides; ++side)
        known.push_back(upper[own].pivot.divideFast(sides.get(i, own, side)));
      known = fromRow(std::move(known), step);
      for (auto [side, x] : llvm::enumerate(known)) {
        Value &noted = solution[own * numSides + side];
        noted = noted ? select(isRow, x, noted) : x;
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

  /// Returns, in all lanes, the `values` that the lane of a row has, one for
  /// each right-hand side. With several warps the values are exchanged through
  /// the row's part of the buffer, whose earlier contents have been read.
  SmallVector<Value> fromRow(SmallVector<Value> values, int64_t row) {
    if (rows().getNumWarps() == 1) {
      for (Value &value : values)
        value = matrix.fromRow(value, row);
      return values;
    }
    {
      OpBuilder::InsertionGuard guard(index.builder);
      index.enterIf(rows().isAt(index, rows().getValue(row), row));
      scratch.writePart(constantI32(row), values);
    }
    scratch.synchronize();
    return scratch.readPart(constantI32(row), numSides);
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
    if (isComposite(op))
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
