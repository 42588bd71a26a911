// RowRanks.cpp - ranks of rows that stay in place where LU would exchange them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowRanks.h"

#include "../Shuffle.h"

#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

template <typename Op>
Value RowRanks::create(Value a, Value b) {
  return index.builder.createOrFold<Op>(index.loc, a, b);
}

Value RowRanks::compare(arith::CmpIPredicate predicate, Value a, Value b) {
  return index.builder.createOrFold<arith::CmpIOp>(index.loc, predicate, a, b);
}

RowRanks::RowRanks(IndexBuilder &index, MatrixSide &rows, int64_t order,
                   int64_t lanes, int64_t numMatrices)
    : index(index), lanes(lanes), numRows(rows.getNumValues()) {
  Type i32 = index.builder.getI32Type();
  first = create<arith::AndIOp>(getThreadIndex(index),
                                index.constantI32(kWarpSize - lanes));
  SmallVector<Value> own;
  for (int64_t row = 0; row < numRows; ++row) {
    Value rank = arith::IndexCastUIOp::create(index.builder, index.loc, i32,
                                              rows.getPosition(index, row));
    if (areBits())
      rank = create<arith::ShLIOp>(index.constantI32(1),
                                   create<arith::AddIOp>(rank, first));
    // Padding rows are done from the start.
    if (rows.getLast(row) >= order)
      rank = index.select(rows.isBefore(index, row, order), rank,
                          index.constantI32(areBits() ? 0 : -1));
    own.push_back(rank);
  }
  for (int64_t i = 0; i < numMatrices; ++i)
    ranks.append(own);
}

Value RowRanks::encode(Value step) {
  if (!areBits())
    return step;
  return create<arith::ShLIOp>(
      create<arith::ShLIOp>(index.constantI32(1), step), first);
}

Value RowRanks::isRank(int64_t i, int64_t row, Value step) {
  return compare(arith::CmpIPredicate::eq, get(i, row), encode(step));
}

Value RowRanks::keepLeft(int64_t i, int64_t row, Value step, Value word) {
  if (areBits())
    return index.select(
        compare(arith::CmpIPredicate::uge, get(i, row), encode(step)), word,
        index.constantI32(0));
  Value isDone = create<arith::ShRSIOp>(get(i, row), index.constantI32(31));
  return create<arith::AndIOp>(
      word, create<arith::XOrIOp>(isDone, index.constantI32(-1)));
}

Value RowRanks::getRank(int64_t i, int64_t row) {
  Value rank = get(i, row);
  if (!areBits())
    return create<arith::AndIOp>(rank, index.constantI32(kDone - 1));
  return create<arith::SubIOp>(
      math::CountTrailingZerosOp::create(index.builder, index.loc, rank),
      first);
}

/// Reduces the values of 32 lanes by one instruction.
static Value reduceWarp(IndexBuilder &index, NVVM::ReduxKind kind,
                        Value value) {
  Value all = arith::ConstantIntOp::create(index.builder, index.loc, -1, 32);
  return NVVM::ReduxOp::create(index.builder, index.loc, value.getType(), value,
                               kind, all);
}

template <typename Op>
Value RowRanks::reduce(Value value, NVVM::ReduxKind kind) {
  if (lanes == kWarpSize)
    return reduceWarp(index, kind, value);
  for (int64_t bit = 1; bit < lanes; bit *= 2)
    value = create<Op>(value, shuffle(index.builder, index.loc, value,
                                      gpu::ShuffleMode::XOR, bit));
  return value;
}

Value RowRanks::findLargest(Value value) {
  return reduce<arith::MaxUIOp>(value, NVVM::ReduxKind::UMAX);
}

Value RowRanks::findLeast(int64_t i, Value step, ArrayRef<Value> isCandidate) {
  Value least;
  for (auto [row, is] : llvm::enumerate(isCandidate)) {
    Value rank =
        index.select(is, get(i, row), index.constantI32(areBits() ? 0 : -1));
    least = least ? create<arith::MinUIOp>(least, rank) : rank;
  }
  // The ranks of finished rows are large as unsigned integers.
  if (!areBits())
    return reduce<arith::MinUIOp>(least, NVVM::ReduxKind::UMIN);
  Value left =
      create<arith::SubIOp>(index.constantI32(int64_t(1) << lanes),
                            create<arith::ShLIOp>(index.constantI32(1), step));
  Value bits =
      create<arith::AndIOp>(reduceWarp(index, NVVM::ReduxKind::OR, least),
                            create<arith::ShLIOp>(left, first));
  return create<arith::AndIOp>(
      bits, create<arith::SubIOp>(index.constantI32(0), bits));
}

SmallVector<Value> RowRanks::exchange(int64_t i, Value step, Value rank) {
  SmallVector<Value> isRow;
  for (int64_t row = 0; row < numRows; ++row) {
    Value &own = get(i, row);
    isRow.push_back(compare(arith::CmpIPredicate::eq, own, rank));
    Value isStep = isRank(i, row, step);
    own = index.select(
        isRow.back(),
        areBits() ? encode(step)
                  : create<arith::SubIOp>(step, index.constantI32(kDone)),
        index.select(isStep, rank, own));
  }
  return isRow;
}
