// MatrixSteps.cpp - a factorisation's steps, some of them in loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixSteps.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

static Value toNumber(IndexBuilder &index, Value place) {
  return index.builder.createOrFold<arith::IndexCastUIOp>(
      index.loc, index.builder.getI32Type(), place);
}

static Value number(IndexBuilder &index, int64_t value) {
  return arith::ConstantIntOp::create(index.builder, index.loc, value, 32);
}

static Value getPlace(IndexBuilder &index, MatrixSide &side, int64_t value) {
  if (side.getMask() == 0)
    return number(index, side.getFirst(value));
  return toNumber(index, side.getPlace(index, value));
}

Value MatrixStep::isAt(IndexBuilder &index, MatrixSide &side,
                       int64_t value) const {
  if (!number)
    return side.isPlace(index, value, first);
  return index.builder.createOrFold<arith::CmpIOp>(
      index.loc, arith::CmpIPredicate::eq, getPlace(index, side, value),
      number);
}

Value MatrixStep::isBehind(IndexBuilder &index, MatrixSide &side,
                           int64_t value) const {
  if (side.getFirst(value) > last)
    return Value();
  if (!number)
    return side.isBehind(index, value, first);
  return index.builder.createOrFold<arith::CmpIOp>(
      index.loc, arith::CmpIPredicate::sgt, getPlace(index, side, value),
      number);
}

Value MatrixStep::fromColumn(IndexBuilder &index, WarpMatrix &matrix,
                             Value value) const {
  if (!number)
    return matrix.fromColumn(value, first);
  return matrix.fromLanes(value, matrix.getColumns().getMask(),
                          matrix.getColumns().getLanes(index, number));
}

Value MatrixStep::fromRow(IndexBuilder &index, WarpMatrix &matrix,
                          Value value) const {
  if (!number)
    return matrix.fromRow(value, first);
  return matrix.fromLanes(value, matrix.getRows().getMask(),
                          matrix.getRows().getLanes(index, number));
}

SmallVector<MatrixStep> tile::groupSteps(const MatrixSide &columns,
                                         int64_t numColumns, int64_t numRows) {
  // Rows that a loop's steps may be of are masked in each of them.
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
    SmallVector<Value *> state = getState(group);
    auto read = [&] {
      return llvm::map_to_vector(state,
                                 [](Value *variable) { return *variable; });
    };
    auto loop = scf::ForOp::create(
        index.builder, index.loc, number(index, 0),
        number(index, group.last - group.first + 1), number(index, 1), read(),
        [&](OpBuilder &builder, Location loc, Value i, ValueRange values) {
          assign(state, values);
          MatrixStep step = group;
          step.number = isReversed ? builder.createOrFold<arith::SubIOp>(
                                         loc, number(index, group.last), i)
                                   : builder.createOrFold<arith::AddIOp>(
                                         loc, number(index, group.first), i);
          body(step);
          scf::YieldOp::create(builder, loc, read());
        });
    assign(state, loop.getResults());
  }
}
