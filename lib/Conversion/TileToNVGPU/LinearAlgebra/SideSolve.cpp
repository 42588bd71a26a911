// SideSolve.cpp - T X = B, where each lane holds whole right-hand sides
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SideSolve.h"
#include "../ElementArithmetic.h"
#include "Divisor.h"
#include "WarpMatrix.h"
#include "WarpScratch.h"

#include "tile/Analysis/Alignment.h"

using namespace mlir;
using namespace tile;

static RegisterLayout getLayout(Value tile) {
  return cast<TileType>(tile.getType()).getRegister().getRegisterLayout();
}

namespace {
class SideSolve : ElementArithmetic {
public:
  SideSolve(ConversionPatternRewriter &rewriter, TriangularSolveOp op,
            ArrayRef<Value> triangle, ArrayRef<Value> sides)
      : ElementArithmetic(rewriter, op.getLoc(), op.getType().getElementType()),
        op(op), triangleThread(index, getLayout(op.getTriangle())),
        sidesThread(index, getLayout(op.getRhs())),
        triangle(index, triangleThread, triangle),
        sides(index, sidesThread, sides),
        scratch(index, rewriter, op.getScratch(), kWarpSize),
        pitch(cast<MemRefType>(op.getScratch().getType()).getShape().back()),
        blockRows(std::max<int64_t>(
            1, kMaxAccessBytes /
                   getElementBytes(op.getType().getElementType()))) {}

  ArrayRef<Value> solve() {
    for (int64_t i = 0; i < sides.getNumMatrices(); ++i) {
      // The buffer is reused for the next matrix.
      if (i > 0)
        scratch.synchronize();
      writeTriangle(i);
      scratch.synchronize();
      if (!op.getUnit()) {
        writeReciprocals();
        scratch.synchronize();
      }
      substitute(i);
    }
    return sides.getElements();
  }

private:
  /// Rows of the triangle, at most `blockRows`, the first of them at a multiple
  /// of `blockRows`.
  struct Block {
    int64_t begin, end;
  };

  /// Whether substitution starts at the first row.
  bool isForward() { return op.getUpper() == op.getTransposed(); }
  int64_t getOrder() { return op.getTriangle().getType().getShape().back(); }
  /// The rows of the buffer that follow the triangle's box.
  int64_t getScaleRow() {
    ArrayRef<int64_t> box(triangleThread.getLayout().getBox());
    return box[box.size() - 2];
  }
  int64_t getReciprocalRow() { return getScaleRow() + 1; }

  /// Writes this thread's elements, in vectors of adjacent columns.
  void writeTriangle(int64_t i) {
    MatrixSide &rows = triangle.getRows(), &columns = triangle.getColumns();
    Value first = index.add(index.mul(rows.getPosition(index, 0), pitch),
                            columns.getPosition(index, 0));
    first = arith::IndexCastUIOp::create(index.builder, index.loc,
                                         index.builder.getI32Type(), first);
    for (int64_t row = 0; row < rows.getNumValues(); ++row)
      for (int64_t column = 0; column < columns.getNumValues();) {
        int64_t begin = columns.getFirst(column);
        SmallVector<Value> elements;
        while (column < columns.getNumValues() &&
               columns.getFirst(column) ==
                   begin + static_cast<int64_t>(elements.size()))
          elements.push_back(triangle.get(i, row, column++));
        scratch.writeAt(first, rows.getFirst(row) * pitch + begin, elements);
      }
  }

  /// Computes the reciprocals of the diagonal, one in each lane at a time.
  void writeReciprocals() {
    Value lane =
        arith::RemUIOp::create(index.builder, index.loc, getThreadIndex(index),
                               index.constantI32(kWarpSize));
    for (int64_t begin = 0; begin < getOrder(); begin += kWarpSize) {
      OpBuilder::InsertionGuard guard(index.builder);
      int64_t left = getOrder() - begin;
      if (left < kWarpSize)
        index.enterIf(arith::CmpIOp::create(index.builder, index.loc,
                                            arith::CmpIPredicate::ult, lane,
                                            index.constantI32(left)));
      Value diagonal = arith::MulIOp::create(index.builder, index.loc, lane,
                                             index.constantI32(pitch + 1));
      Divisor divisor(index.builder, index.loc,
                      scratch.read(begin, diagonal, getType(), begin));
      Divisor::Factors factors = divisor.getFactors();
      scratch.writeAt(lane, getScaleRow() * pitch + begin,
                      fromReal(factors.scale));
      scratch.writeAt(lane, getReciprocalRow() * pitch + begin,
                      factors.reciprocal);
    }
  }

  Type getType() { return op.getType().getElementType(); }

  /// Returns the blocks in the order of substitution.
  SmallVector<Block> listBlocks() {
    SmallVector<Block> blocks;
    for (int64_t begin = 0; begin < getOrder(); begin += blockRows)
      blocks.push_back({begin, std::min(begin + blockRows, getOrder())});
    if (!isForward())
      std::reverse(blocks.begin(), blocks.end());
    return blocks;
  }

  void substitute(int64_t i) {
    SmallVector<Block> blocks = listBlocks();
    while (!blocks.empty()) {
      Block block = blocks.front();
      blocks.erase(blocks.begin());
      solveBlock(i, block);
      for (Block other : blocks)
        update(i, other, block);
    }
  }

  /// The elements of T, or of its transpose, that multiply the rows `known` of
  /// X in the rows `left`.
  class Coefficients {
  public:
    Coefficients(SideSolve &solve, Block left, Block known)
        : isTransposed(solve.op.getTransposed()), left(left.begin),
          known(known.begin) {
      Block rows = isTransposed ? known : left;
      Block columns = isTransposed ? left : known;
      for (int64_t row = rows.begin; row < rows.end; ++row)
        elements.push_back(
            solve.scratch.readRange(row, columns.begin, columns.end));
    }
    Value get(int64_t row, int64_t column) {
      row -= left, column -= known;
      return isTransposed ? elements[column][row] : elements[row][column];
    }

  private:
    bool isTransposed;
    int64_t left, known;
    SmallVector<SmallVector<Value>> elements;
  };

  /// Subtracts the contribution of the row `known` of X from the row `left`.
  void subtractRow(int64_t i, int64_t left, int64_t known, Value coefficient) {
    Value factor = negate(coefficient);
    for (int64_t side = 0; side < sides.getColumns().getNumValues(); ++side) {
      Value &element = sides.get(i, left, side);
      element = multiplyAdd(factor, sides.get(i, known, side), element);
    }
  }

  void update(int64_t i, Block left, Block known) {
    Coefficients coefficients(*this, left, known);
    for (int64_t row = left.begin; row < left.end; ++row)
      for (int64_t column = known.begin; column < known.end; ++column)
        subtractRow(i, row, column, coefficients.get(row, column));
  }

  void solveBlock(int64_t i, Block block) {
    Coefficients coefficients(*this, block, block);
    SmallVector<Value> scales, reciprocals;
    if (!op.getUnit()) {
      scales = scratch.readRange(getScaleRow(), block.begin, block.end);
      reciprocals =
          scratch.readRange(getReciprocalRow(), block.begin, block.end);
    }
    SmallVector<int64_t> steps =
        llvm::to_vector(llvm::seq(block.begin, block.end));
    if (!isForward())
      std::reverse(steps.begin(), steps.end());
    for (auto [done, step] : llvm::enumerate(steps)) {
      if (!op.getUnit())
        divide(i, step, getReal(scales[step - block.begin]),
               reciprocals[step - block.begin]);
      for (int64_t row : ArrayRef(steps).drop_front(done + 1))
        subtractRow(i, row, step, coefficients.get(row, step));
    }
  }

  void divide(int64_t i, int64_t row, Value scale, Value reciprocal) {
    for (int64_t side = 0; side < sides.getColumns().getNumValues(); ++side) {
      Value &element = sides.get(i, row, side);
      element = multiply(multiply(element, scale), reciprocal);
    }
  }

  TriangularSolveOp op;
  ThreadCoordinates triangleThread, sidesThread;
  WarpMatrix triangle, sides;
  WarpScratch scratch;
  int64_t pitch, blockRows;
};
} // namespace

SmallVector<Value> tile::solveSides(ConversionPatternRewriter &rewriter,
                                    TriangularSolveOp op,
                                    ArrayRef<Value> triangle,
                                    ArrayRef<Value> sides) {
  return llvm::to_vector(SideSolve(rewriter, op, triangle, sides).solve());
}
