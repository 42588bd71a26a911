// TriangularSolve.cpp - T X = B of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// T X = B is solved by columns of T: a row of X is a row of B divided by its
// pivot, and its contribution is subtracted from the rows that are left. T' X =
// B is solved by rows of T: the contributions of the known rows of X to a row
// of B are summed over the lanes that have them.

#include "../ElementArithmetic.h"
#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "Divisor.h"
#include "SideSolve.h"
#include "WarpMatrix.h"

#include <optional>

using namespace mlir;
using namespace tile;

namespace {
class WarpSolve : ElementArithmetic {
public:
  WarpSolve(TriangularSolveOp op, ArrayRef<Value> triangle,
            ArrayRef<Value> sides, OpBuilder &builder)
      : ElementArithmetic(builder, op.getLoc(), op.getType().getElementType()),
        op(op), triangleThread(index, getLayout(op.getTriangle())),
        sidesThread(index, getLayout(op.getRhs())),
        triangle(index, triangleThread, triangle),
        sides(index, sidesThread, sides) {
    if (getNumRegisters() >= kManyRegisters) {
      this->triangle.shuffleAnew();
      this->sides.shuffleAnew();
    }
  }

  /// Returns the elements of the solution.
  SmallVector<Value> solve() {
    int64_t order = getOrder();
    bool isForward = op.getUpper() == op.getTransposed();
    for (int64_t i = 0; i < order; ++i)
      for (int64_t matrix = 0; matrix < sides.getNumMatrices(); ++matrix) {
        int64_t step = isForward ? i : order - 1 - i;
        if (op.getTransposed())
          solveByRow(matrix, step);
        else
          solveByColumn(matrix, step);
      }
    return llvm::to_vector(sides.getElements());
  }

private:
  /// Minimum number of registers of a triangle for which each solve shuffles
  /// its values anew, instead of keeping those that an earlier solve has
  /// shuffled. cholesky_solve on an H100: 64x64 with eight right-hand sides
  /// takes 373 us instead of 859, 32x32 with one takes 92 instead of 115 (f32);
  /// 16x16, with 8 registers, is faster with kept values.
  static constexpr int64_t kManyRegisters = 32;

  int64_t getNumRegisters() {
    return getLayout(op.getTriangle()).getNumValues() *
           getElementRegisters(op.getType().getElementType());
  }

  static RegisterLayout getLayout(Value tile) {
    return cast<TileType>(tile.getType()).getRegister().getRegisterLayout();
  }

  int64_t getOrder() { return op.getTriangle().getType().getShape().back(); }

  /// Returns the elements of a column of T that belong to this thread's rows;
  /// zero in finished rows and in padding.
  SmallVector<Value> readColumn(int64_t matrix, int64_t step) {
    MatrixSide &rows = triangle.getRows();
    int64_t own = triangle.getColumns().getValue(step);
    SmallVector<Value> column(rows.getNumValues());
    for (int64_t row = 0; row < rows.getNumValues(); ++row) {
      if (op.getUpper() ? rows.getFirst(row) >= step
                        : rows.getLast(row) <= step)
        continue;
      Value isLeft = op.getUpper() ? rows.isBefore(index, row, step)
                                   : rows.isBehind(index, row, step);
      if (!op.getUpper())
        isLeft = index.both(isLeft, rows.isBefore(index, row, getOrder()));
      column[row] = select(isLeft, triangle.get(matrix, row, own), zero());
      column[row] = triangle.fromColumn(column[row], step);
    }
    return column;
  }

  /// Divides the element of a row in one of the thread's columns by the pivot,
  /// unless the pivot is one, and returns it in all lanes of the column.
  Value finish(int64_t matrix, int64_t step, int64_t column, Value value,
               std::optional<Divisor> &pivot) {
    MatrixSide &rows = sides.getRows();
    if (pivot)
      value = pivot->divideFast(value);
    Value &element = sides.get(matrix, rows.getValue(step), column);
    element =
        select(rows.isAt(index, rows.getValue(step), step), value, element);
    return value;
  }

  void solveByColumn(int64_t matrix, int64_t step) {
    std::optional<Divisor> pivot = takePivot(matrix, step);
    SmallVector<Value> ofRows = readColumn(matrix, step);
    for (Value &factor : ofRows)
      if (factor)
        factor = negate(factor);
    MatrixSide &rows = sides.getRows();
    for (int64_t column = 0; column < sides.getColumns().getNumValues();
         ++column) {
      Value known =
          sides.fromRow(sides.get(matrix, rows.getValue(step), column), step);
      known = finish(matrix, step, column, known, pivot);
      for (int64_t row = 0; row < rows.getNumValues(); ++row)
        if (ofRows[row]) {
          Value &element = sides.get(matrix, row, column);
          element = multiplyAdd(ofRows[row], known, element);
        }
    }
  }

  void solveByRow(int64_t matrix, int64_t step) {
    std::optional<Divisor> pivot = takePivot(matrix, step);
    SmallVector<Value> ofRows = readColumn(matrix, step);
    MatrixSide &rows = sides.getRows();
    for (int64_t column = 0; column < sides.getColumns().getNumValues();
         ++column) {
      Value sum;
      for (int64_t row = 0; row < rows.getNumValues(); ++row)
        if (ofRows[row]) {
          // Padding is excluded, as its values are arbitrary.
          Value element = select(rows.isBefore(index, row, getOrder()),
                                 sides.get(matrix, row, column), zero());
          sum = multiplyAdd(ofRows[row], element, sum);
        }
      Value value =
          sides.fromRow(sides.get(matrix, rows.getValue(step), column), step);
      if (sum)
        value = subtract(value, sides.sumRows(sum));
      finish(matrix, step, column, value, pivot);
    }
  }

  /// Returns the pivot; none if it is one.
  std::optional<Divisor> takePivot(int64_t matrix, int64_t step) {
    if (op.getUnit())
      return std::nullopt;
    return Divisor(index.builder, index.loc,
                   triangle.fromElement(
                       triangle.get(matrix, triangle.getRows().getValue(step),
                                    triangle.getColumns().getValue(step)),
                       step, step));
  }

  TriangularSolveOp op;
  ThreadCoordinates triangleThread, sidesThread;
  WarpMatrix triangle, sides;
};

struct ConvertTriangularSolve : OpConversionPattern<TriangularSolveOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(TriangularSolveOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    TileType type = op.getType();
    SmallVector<Value> triangle = unpack(
        rewriter, loc, op.getTriangle().getType(), adaptor.getTriangle());
    SmallVector<Value> sides = unpack(rewriter, loc, type, adaptor.getRhs());
    SmallVector<Value> solution =
        op.getScratch() ? solveSides(rewriter, op, triangle, sides)
                        : WarpSolve(op, triangle, sides, rewriter).solve();
    replaceWithPacks(rewriter, op, {pack(rewriter, loc, type, solution)});
    return success();
  }
};
} // namespace

void tile::populateTriangularSolvePatterns(TypeConverter &types,
                                           RewritePatternSet &patterns) {
  patterns.add<ConvertTriangularSolve>(types, patterns.getContext());
}
