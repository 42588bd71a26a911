// LaneElimination.cpp - elimination in small matrices, each in one lane
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaneElimination.h"

#include "../RegisterTiles.h"
#include "FactorStatus.h"

using namespace mlir;
using namespace tile;

LaneElimination::LaneElimination(OpBuilder &builder, Location loc,
                                 TileType type, ValueRange source,
                                 bool hasStatus)
    : ElementArithmetic(builder, loc, type.getElementType()), type(type),
      thread(index, type.getRegister().getRegisterLayout()),
      matrix(index, thread, unpack(builder, loc, type, source)),
      hasStatus(hasStatus), statuses(getNumMatrices()) {}

/// Searches the step's column from the diagonal on; of several elements with
/// the largest magnitude, the first one is the pivot.
Value LaneElimination::findPivot(int64_t i, int64_t step) {
  Value largest = getSizeBits(matrix.get(i, step, step)),
        found = constantI32(step);
  for (int64_t row = step + 1; row < getOrder(); ++row) {
    Value size = getSizeBits(matrix.get(i, row, step));
    Value isLarger = arith::CmpIOp::create(
        index.builder, index.loc, arith::CmpIPredicate::ugt, size, largest);
    largest = index.select(isLarger, size, largest);
    found = index.select(isLarger, constantI32(row), found);
  }
  return found;
}

void LaneElimination::exchange(int64_t step, Value with, Element element) {
  Value own = element(step), chosen = own;
  for (int64_t position = step + 1; position < getOrder(); ++position) {
    Value &other = element(position);
    Value isChosen = index.builder.createOrFold<arith::CmpIOp>(
        index.loc, arith::CmpIPredicate::eq, with, constantI32(position));
    chosen = select(isChosen, other, chosen);
    other = select(isChosen, own, other);
  }
  element(step) = chosen;
}

Divisor LaneElimination::takePivot(int64_t i, int64_t step) {
  Value pivot = matrix.get(i, step, step);
  if (hasStatus)
    noteStatus(index, statuses[i], step, isNotZero(pivot));
  return Divisor(index.builder, index.loc, pivot);
}

//===----------------------------------------------------------------------===//
// A X = B
//===----------------------------------------------------------------------===//

LaneSolve::LaneSolve(OpBuilder &builder, SolveOp op, ValueRange source,
                     ValueRange rhs)
    : LaneElimination(builder, op.getLoc(), op.getMatrix().getType(), source,
                      op.getStatus() != nullptr),
      sidesThread(index,
                  op.getRhs().getType().getRegister().getRegisterLayout()),
      sides(index, sidesThread,
            unpack(builder, op.getLoc(), op.getRhs().getType(), rhs)),
      numSides(op.getRhs().getType().getShape().back()) {}

ArrayRef<Value> LaneSolve::solve() {
  for (int64_t i = 0; i < getNumMatrices(); ++i)
    solve(i);
  return sides.getElements();
}

void LaneSolve::solve(int64_t i) {
  SmallVector<Divisor> pivots;
  for (int64_t step = 0; step < getOrder(); ++step) {
    Value found = findPivot(i, step);
    for (int64_t column = step; column < getOrder(); ++column)
      exchange(step, found, [&](int64_t row) -> Value & {
        return matrix.get(i, row, column);
      });
    for (int64_t side = 0; side < numSides; ++side)
      exchange(step, found,
               [&](int64_t row) -> Value & { return sides.get(i, row, side); });
    pivots.push_back(takePivot(i, step));
    for (int64_t row = step + 1; row < getOrder(); ++row) {
      Value factor = negate(pivots.back().divideFast(matrix.get(i, row, step)));
      auto subtract = [&](Value &element, Value ofPivot) {
        element = multiplyAdd(factor, ofPivot, element);
      };
      for (int64_t column = step + 1; column < getOrder(); ++column)
        subtract(matrix.get(i, row, column), matrix.get(i, step, column));
      for (int64_t side = 0; side < numSides; ++side)
        subtract(sides.get(i, row, side), sides.get(i, step, side));
    }
  }
  for (int64_t step = getOrder(); step-- > 0;)
    for (int64_t side = 0; side < numSides; ++side) {
      Value &x = sides.get(i, step, side);
      x = pivots[step].divideFast(x);
      for (int64_t row = 0; row < step; ++row) {
        Value &element = sides.get(i, row, side);
        element = multiplyAdd(negate(matrix.get(i, row, step)), x, element);
      }
    }
}

//===----------------------------------------------------------------------===//
// Inverses
//===----------------------------------------------------------------------===//

LaneInverse::LaneInverse(OpBuilder &builder, InverseOp op, ValueRange source)
    : LaneElimination(builder, op.getLoc(), op.getSource().getType(), source,
                      op.getStatus() != nullptr) {}

ArrayRef<Value> LaneInverse::invert() {
  for (int64_t i = 0; i < getNumMatrices(); ++i)
    invert(i);
  return matrix.getElements();
}

/// Inverts matrix `i`. In the end the columns of the inverse are exchanged like
/// the rows were during the elimination, in reverse order.
void LaneInverse::invert(int64_t i) {
  SmallVector<Value> found;
  SmallVector<Divisor> pivots;
  for (int64_t step = 0; step < getOrder(); ++step) {
    found.push_back(findPivot(i, step));
    for (int64_t column = 0; column < getOrder(); ++column)
      exchange(step, found.back(), [&](int64_t row) -> Value & {
        return matrix.get(i, row, column);
      });
    pivots.push_back(takePivot(i, step));
    for (int64_t row = 0; row < getOrder(); ++row) {
      if (row == step)
        continue;
      Value &own = matrix.get(i, row, step);
      own = negate(pivots.back().divideFast(own));
      for (int64_t column = 0; column < getOrder(); ++column) {
        Value &element = matrix.get(i, row, column);
        if (column != step)
          element = multiplyAdd(own, matrix.get(i, step, column), element);
      }
    }
    matrix.get(i, step, step) = fromReal(real(1));
  }
  for (int64_t row = 0; row < getOrder(); ++row)
    for (int64_t column = 0; column < getOrder(); ++column) {
      Value &element = matrix.get(i, row, column);
      element = pivots[row].divideFast(element);
    }
  for (int64_t step = getOrder(); step-- > 0;)
    for (int64_t row = 0; row < getOrder(); ++row)
      exchange(step, found[step], [&](int64_t column) -> Value & {
        return matrix.get(i, row, column);
      });
}
