// MatrixSteps.cpp - a factorisation's steps, some of them in loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixSteps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// Compares this thread's index of a value with the index of a step.
static Value compare(IndexBuilder &index, arith::CmpIPredicate predicate,
                     MatrixSide &side, int64_t value, Value step) {
  Value position = index.constantI32(side.getFirst(value));
  if (side.getMask() != 0)
    position = index.builder.createOrFold<arith::IndexCastUIOp>(
        index.loc, index.builder.getI32Type(), side.getPosition(index, value));
  return index.builder.createOrFold<arith::CmpIOp>(index.loc, predicate,
                                                   position, step);
}

Value MatrixStep::isAt(IndexBuilder &index, MatrixSide &side,
                       int64_t value) const {
  if (!current)
    return side.isAt(index, value, first);
  return compare(index, arith::CmpIPredicate::eq, side, value, current);
}

Value MatrixStep::isBehind(IndexBuilder &index, MatrixSide &side,
                           int64_t value) const {
  if (side.getFirst(value) > last)
    return Value();
  if (!current)
    return side.isBehind(index, value, first);
  return compare(index, arith::CmpIPredicate::sgt, side, value, current);
}

Value MatrixStep::fromColumn(IndexBuilder &index, WarpMatrix &matrix,
                             Value value) const {
  if (!current)
    return matrix.fromColumn(value, first);
  return matrix.fromLanes(value, matrix.getColumns().getMask(),
                          matrix.getColumns().getLanes(index, current));
}

Value MatrixStep::fromRow(IndexBuilder &index, WarpMatrix &matrix,
                          Value value) const {
  if (!current)
    return matrix.fromRow(value, first);
  return matrix.fromLanes(value, matrix.getRows().getMask(),
                          matrix.getRows().getLanes(index, current));
}

Value MatrixStep::fromDiagonal(IndexBuilder &index, WarpMatrix &matrix,
                               Value value) const {
  if (!current)
    return matrix.fromElement(value, first, first);
  MatrixSide &rows = matrix.getRows(), &columns = matrix.getColumns();
  return matrix.fromLanes(value, rows.getMask() | columns.getMask(),
                          index.builder.createOrFold<arith::OrIOp>(
                              index.loc, rows.getLanes(index, current),
                              columns.getLanes(index, current)));
}

Value MatrixStep::fromColumnTransposed(WarpMatrix &matrix,
                                       ArrayRef<Value> ofRows,
                                       int64_t own) const {
  return current ? matrix.fromColumnTransposed(ofRows, own, current)
                 : matrix.fromColumnTransposed(ofRows, own, first);
}

SmallVector<MatrixStep> tile::groupSteps(const MatrixSide &columns,
                                         int64_t numColumns, int64_t numRows) {
  // The body of a loop processes all rows that any of its steps needs, with
  // masks for the rows of the current step.
  int64_t most = numRows <= 16 ? 1 : std::max<int64_t>(4, numRows / 8);
  SmallVector<MatrixStep> groups;
  for (int64_t column = 0; column < numColumns; ++column) {
    if (!groups.empty()) {
      MatrixStep &group = groups.back();
      if (column - group.first < most &&
          columns.getValue(column) == columns.getValue(group.first)) {
        group.last = column;
        continue;
      }
    }
    groups.push_back({column, column, Value()});
  }
  return groups;
}

static void assign(ArrayRef<Value *> state, ValueRange values) {
  for (auto [variable, value] : llvm::zip_equal(state, values))
    *variable = value;
}

void tile::emitLoop(IndexBuilder &index, int64_t trips, ArrayRef<Value *> state,
                    llvm::function_ref<void(Value trip)> body) {
  auto read = [&] {
    return llvm::map_to_vector(state,
                               [](Value *variable) { return *variable; });
  };
  auto loop = scf::ForOp::create(
      index.builder, index.loc, index.constantI32(0), index.constantI32(trips),
      index.constantI32(1), read(),
      [&](OpBuilder &builder, Location loc, Value trip, ValueRange values) {
        assign(state, values);
        body(trip);
        scf::YieldOp::create(builder, loc, read());
      });
  assign(state, loop.getResults());
}

void tile::emitSteps(
    IndexBuilder &index, ArrayRef<MatrixStep> groups, bool isReversed,
    llvm::function_ref<SmallVector<Value *>(MatrixStep)> getState,
    llvm::function_ref<void(MatrixStep)> body) {
  SmallVector<MatrixStep> ordered(groups);
  if (isReversed)
    std::reverse(ordered.begin(), ordered.end());
  for (MatrixStep group : ordered) {
    if (group.first == group.last) {
      body(group);
      continue;
    }
    emitLoop(
        index, group.last - group.first + 1, getState(group), [&](Value trip) {
          MatrixStep step = group;
          step.current =
              isReversed ? index.builder.createOrFold<arith::SubIOp>(
                               index.loc, index.constantI32(group.last), trip)
                         : index.builder.createOrFold<arith::AddIOp>(
                               index.loc, index.constantI32(group.first), trip);
          body(step);
        });
  }
}

namespace {
/// The columns from `first` on of which a lane holds `width` adjacent ones, the
/// next lane the next ones, and so on, as the same values.
struct LaneColumns {
  int64_t first, width, lanes;

  /// Returns the step for column `offset` of each lane's columns.
  MatrixStep getStep(int64_t offset) const {
    return {first + offset, first + offset + (lanes - 1) * width, Value()};
  }
};
} // namespace

/// Lists all columns, in ascending order.
static SmallVector<LaneColumns> listLaneColumns(const MatrixSide &columns,
                                                int64_t order) {
  auto isSame = [&](int64_t a, int64_t b) {
    return b < order && columns.getValue(a) == columns.getValue(b);
  };
  int64_t width = 1, lanes = 1;
  while (width < order && !isSame(0, width))
    ++width;
  while (isSame(0, lanes * width))
    ++lanes;
  SmallVector<LaneColumns> list;
  for (int64_t first = 0; first < order; first += lanes * width)
    list.push_back(
        {first, width,
         std::min<int64_t>(lanes, llvm::divideCeil(order - first, width))});
  return list;
}

void tile::emitStepsOfLanes(IndexBuilder &index, WarpMatrix &matrix,
                            int64_t order, ArrayRef<Value *> state,
                            llvm::function_ref<void(MatrixStep)> body) {
  SmallVector<LaneColumns> groups = listLaneColumns(matrix.getColumns(), order);
  for (LaneColumns group : llvm::reverse(groups))
    emitLoop(index, group.lanes, state, [&](Value trip) {
      Value back = index.builder.createOrFold<arith::MulIOp>(
          index.loc, trip, index.constantI32(group.width));
      for (int64_t offset = group.width; offset-- > 0;) {
        MatrixStep step = group.getStep(offset);
        step.current = index.builder.createOrFold<arith::SubIOp>(
            index.loc, index.constantI32(step.last), back);
        body(step);
      }
    });
}
