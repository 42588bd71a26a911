// RowElimination.cpp - elimination in matrices of which a lane has rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowElimination.h"

#include "FactorStatus.h"
#include "RegisterTiles.h"

using namespace mlir;
using namespace tile;

RowElimination::RowElimination(ConversionPatternRewriter &rewriter,
                               Location loc, TileType type, ValueRange source,
                               Value scratch, bool hasStatus)
    : RealArithmetic(rewriter, loc, type.getElementType()), type(type),
      thread(index, type.getRegister().getRegisterLayout()),
      matrix(index, thread, unpack(rewriter, loc, type, source)),
      lanes(rows().getMask() + 1),
      ranks(index, rows(), getOrder(), lanes, getNumMatrices()),
      scratch(index, rewriter, scratch, lanes), hasStatus(hasStatus),
      statuses(getNumMatrices()) {}

Value RowElimination::isInside(int64_t row) {
  return rows().getLast(row) < getOrder()
             ? Value()
             : rows().isBefore(index, row, getOrder());
}

/// Of padding the last one.
Value RowElimination::clamp(int64_t row, Value place) {
  if (rows().getLast(row) < getOrder())
    return place;
  return arith::MinUIOp::create(index.builder, index.loc, place,
                                number(getOrder() - 1));
}

Value RowElimination::getPlace(int64_t row) {
  return clamp(row, arith::IndexCastUIOp::create(index.builder, index.loc,
                                                 index.builder.getI32Type(),
                                                 rows().getPlace(index, row)));
}

Value RowElimination::getRank(int64_t i, int64_t row) {
  return clamp(row, ranks.getNumber(i, row));
}

//===----------------------------------------------------------------------===//
// The search for a pivot
//===----------------------------------------------------------------------===//

/// The bits of a number without its sign as words, the high one first.
SmallVector<Value> RowElimination::splitSize(Value value) {
  Value size = getSizeBits(value);
  if (size.getType().isInteger(32))
    return {size};
  Value half =
      arith::ConstantIntOp::create(index.builder, index.loc, 32, /*width=*/64);
  Type i32 = index.builder.getI32Type();
  return {create<arith::TruncIOp>(i32, create<arith::ShRUIOp>(size, half)),
          create<arith::TruncIOp>(i32, size)};
}

/// Of the rows that are left, that of the largest element of a column.
Value RowElimination::findRank(int64_t i, int64_t step) {
  SmallVector<Value> isCandidate(getNumRows());
  SmallVector<SmallVector<Value>> sizes;
  for (int64_t row = 0; row < getNumRows(); ++row)
    sizes.push_back(splitSize(matrix.get(i, row, step)));
  for (size_t word = 0; word < sizes.front().size(); ++word) {
    Value largest;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value &size = sizes[row][word];
      size = ranks.keepLeft(i, row, step, size);
      size = index.select(isCandidate[row], size, number(0));
      largest = largest ? index.builder.createOrFold<arith::MaxUIOp>(
                              index.loc, largest, size)
                        : size;
    }
    largest = ranks.findLargest(largest);
    for (int64_t row = 0; row < getNumRows(); ++row)
      isCandidate[row] = index.both(
          isCandidate[row], arith::CmpIOp::create(index.builder, index.loc,
                                                  arith::CmpIPredicate::eq,
                                                  sizes[row][word], largest));
  }
  return ranks.findLeast(i, step, isCandidate);
}

RowElimination::Pivot RowElimination::findPivot(int64_t i, int64_t step,
                                                int64_t begin, RowOf ofRow) {
  Pivot pivot;
  if (step + 1 < getOrder())
    pivot.isRow = ranks.exchange(i, step, findRank(i, step));
  else
    for (int64_t row = 0; row < getNumRows(); ++row)
      pivot.isRow.push_back(ranks.isRank(i, row, step));
  int64_t count = 0;
  for (auto [row, isRow] : llvm::enumerate(pivot.isRow)) {
    SmallVector<Value> elements = ofRow(row);
    count = elements.size();
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(isRow);
    scratch.writeRow(step, begin, elements);
  }
  scratch.synchronize();
  pivot.row = scratch.readRow(step, begin, begin + count);
  pivot.value = pivot.row[step - begin];
  pivot.isUsable =
      arith::CmpFOp::create(index.builder, index.loc, arith::CmpFPredicate::UNE,
                            pivot.value, real(0));
  if (hasStatus)
    noteStatus(index, statuses[i], step, pivot.isUsable);
  return pivot;
}

SmallVector<Value> RowElimination::getElements(int64_t i, int64_t row) {
  SmallVector<Value> elements;
  for (int64_t column = 0; column < getOrder(); ++column)
    elements.push_back(matrix.get(i, row, column));
  return elements;
}

int64_t RowElimination::listRows(int64_t i) {
  int64_t list = getOrder();
  for (int64_t row = 0; row < getNumRows(); ++row) {
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(isInside(row));
    scratch.write(list, ranks.getNumber(i, row), getPlace(row));
  }
  scratch.synchronize();
  return list;
}
