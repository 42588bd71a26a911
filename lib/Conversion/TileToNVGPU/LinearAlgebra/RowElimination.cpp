// RowElimination.cpp - elimination in matrices of which a lane has rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RowElimination.h"

#include "../RegisterTiles.h"
#include "FactorStatus.h"
#include "MatrixSteps.h"

using namespace mlir;
using namespace tile;

RowElimination::RowElimination(ConversionPatternRewriter &rewriter,
                               Location loc, TileType type, ValueRange source,
                               Value scratch, bool hasStatus)
    : ElementArithmetic(rewriter, loc, type.getElementType()), type(type),
      thread(index, type.getRegister().getRegisterLayout()),
      matrix(index, thread, unpack(rewriter, loc, type, source)),
      lanes(rows().getMask() + 1),
      ranks(index, rows(), getOrder(), lanes, getNumMatrices()),
      scratch(index, rewriter, scratch, lanes * rows().getNumWarps()),
      hasStatus(hasStatus), statuses(getNumMatrices()) {}

Value RowElimination::isInside(int64_t row) {
  return rows().getLast(row) < getOrder()
             ? Value()
             : rows().isBefore(index, row, getOrder());
}

/// Limits the index of a padding row to that of the last row.
Value RowElimination::clamp(int64_t row, Value rowIndex) {
  if (rows().getLast(row) < getOrder())
    return rowIndex;
  return arith::MinUIOp::create(index.builder, index.loc, rowIndex,
                                constantI32(getOrder() - 1));
}

Value RowElimination::getRowIndex(int64_t row) {
  return clamp(row, arith::IndexCastUIOp::create(
                        index.builder, index.loc, index.builder.getI32Type(),
                        rows().getPosition(index, row)));
}

Value RowElimination::getRank(int64_t i, int64_t row) {
  return clamp(row, ranks.getRank(i, row));
}

//===----------------------------------------------------------------------===//
// The search for a pivot
//===----------------------------------------------------------------------===//

/// Returns the bits of a value without its sign as words, the high word first.
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

/// Returns the rank of the row with the largest element of a column, among the
/// rows that are left.
Value RowElimination::findRank(int64_t i, const Step &step) {
  SmallVector<Value> isCandidate(getNumRows());
  SmallVector<SmallVector<Value>> sizes;
  SmallVector<Value> ofWarp;
  for (const SmallVector<Value> &row : left)
    sizes.push_back(splitSize(row[step.column]));
  for (size_t word = 0; word < sizes.front().size(); ++word) {
    Value largest;
    for (int64_t row = 0; row < getNumRows(); ++row) {
      Value &size = sizes[row][word];
      size = ranks.keepLeft(i, row, step.index, size);
      size = index.select(isCandidate[row], size, constantI32(0));
      largest = largest ? index.builder.createOrFold<arith::MaxUIOp>(
                              index.loc, largest, size)
                        : size;
    }
    largest = ranks.findLargest(largest);
    ofWarp.push_back(largest);
    for (int64_t row = 0; row < getNumRows(); ++row)
      isCandidate[row] = index.both(
          isCandidate[row], arith::CmpIOp::create(index.builder, index.loc,
                                                  arith::CmpIPredicate::eq,
                                                  sizes[row][word], largest));
  }
  Value rank = ranks.findLeast(i, step.index, isCandidate);
  return rows().getNumWarps() == 1 ? rank : findRankOfWarps(ofWarp, rank);
}

/// Returns the rank of the largest element over all warps that hold a matrix.
/// Each warp distributes its largest absolute value and the least rank with
/// that value. The row of the buffer for row indices is free for this until the
/// last step.
Value RowElimination::findRankOfWarps(ArrayRef<Value> largest, Value rank) {
  int64_t numWarps = rows().getNumWarps();
  SmallVector<Value> own(largest);
  own.push_back(rank);
  Value threadIndex = getThreadIndex(index);
  auto mask = [&](int64_t bits) {
    return create<arith::AndIOp>(threadIndex, constantI32(bits));
  };
  {
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                        mask(kWarpSize - 1), constantI32(0)));
    Value warp = create<arith::ShRUIOp>(mask(kWarpSize * (numWarps - 1)),
                                        constantI32(llvm::Log2_64(kWarpSize)));
    scratch.writeWords(getOrder(), warp, own);
  }
  scratch.synchronize();
  SmallVector<Value> best =
      scratch.readWords(getOrder(), constantI32(0), own.size());
  for (int64_t warp = 1; warp < numWarps; ++warp) {
    SmallVector<Value> other =
        scratch.readWords(getOrder(), constantI32(warp), own.size());
    // A smaller rank is better.
    Value isBetter = create<arith::CmpIOp>(arith::CmpIPredicate::ult,
                                           other.back(), best.back());
    for (size_t word = largest.size(); word-- > 0;) {
      Value isEqual = create<arith::CmpIOp>(arith::CmpIPredicate::eq,
                                            other[word], best[word]);
      Value isLarger = create<arith::CmpIOp>(arith::CmpIPredicate::ugt,
                                             other[word], best[word]);
      isBetter = create<arith::OrIOp>(isLarger,
                                      create<arith::AndIOp>(isEqual, isBetter));
    }
    for (auto [a, b] : llvm::zip_equal(best, other))
      a = index.select(isBetter, b, a);
  }
  return best.back();
}

RowElimination::Pivot RowElimination::findPivot(int64_t i, const Step &step) {
  Pivot pivot;
  if (!step.isLast)
    pivot.isRow = ranks.exchange(i, step.index, findRank(i, step));
  else
    for (int64_t row = 0; row < getNumRows(); ++row)
      pivot.isRow.push_back(ranks.isRank(i, row, step.index));
  for (auto [row, isRow] : llvm::enumerate(pivot.isRow)) {
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(isRow);
    scratch.writePart(step.index, left[row]);
  }
  scratch.synchronize();
  pivot.row = scratch.readPart(step.index, left.front().size());
  pivot.value = pivot.row[step.column];
  pivot.isUsable = isNotZero(pivot.value);
  if (hasStatus)
    noteStatus(index, statuses[i], step.index, pivot.isUsable);
  return pivot;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

namespace {
/// A loop of `trips` iterations of `count` steps each; with several iterations,
/// `count` is kSteps.
struct StepLoop {
  int64_t first, count, trips;
};
} // namespace

static SmallVector<StepLoop> getLoops(int64_t order, int64_t mostTrips) {
  SmallVector<StepLoop> loops;
  for (int64_t first = 0; first < order;) {
    int64_t count = std::min(WarpScratch::kSteps, order - first);
    int64_t trips = std::clamp<int64_t>((order - first) / count, 1, mostTrips);
    loops.push_back({first, count, trips});
    first += count * trips;
  }
  return loops;
}

/// Returns the values that the steps of matrix `i` change.
SmallVector<Value *> RowElimination::getState(int64_t i) {
  SmallVector<Value *> state;
  for (SmallVector<Value> &row : left)
    for (Value &element : row)
      state.push_back(&element);
  for (Value &rank : ranks.getState(i))
    state.push_back(&rank);
  if (hasStatus) {
    if (!statuses[i])
      statuses[i] = constantI32(0);
    state.push_back(&statuses[i]);
  }
  return state;
}

void RowElimination::begin(int64_t i) {
  left.assign(getNumRows(), {});
  for (auto [row, elements] : llvm::enumerate(left))
    for (int64_t column = 0; column < getOrder(); ++column)
      elements.push_back(matrix.get(i, row, column));
}

void RowElimination::eliminate(
    int64_t i, int64_t mostTrips,
    llvm::function_ref<void(const Step &)> eliminateColumn,
    llvm::function_ref<void(int64_t count)> retire) {
  for (const StepLoop &loop : getLoops(getOrder(), mostTrips)) {
    auto runTrip = [&](Value trip) {
      Value first = constantI32(loop.first);
      if (trip)
        first = create<arith::AddIOp>(
            first, create<arith::MulIOp>(trip, constantI32(loop.count)));
      for (int64_t step = 0; step < loop.count; ++step)
        eliminateColumn({create<arith::AddIOp>(first, constantI32(step)), step,
                         !trip && loop.first + step + 1 == getOrder(), trip,
                         loop.trips});
      for (SmallVector<Value> &row : left)
        std::rotate(row.begin(), row.begin() + loop.count, row.end());
    };
    if (loop.trips == 1)
      runTrip(Value());
    else
      emitLoop(index, loop.trips, getState(i), runTrip);
    retire(loop.trips * loop.count);
  }
}

Value RowElimination::isLeft(const Step &step, int64_t column) {
  int64_t behind = left.front().size() - column;
  int64_t trips = llvm::divideCeil(behind, WarpScratch::kSteps);
  if (!step.trip || trips >= step.trips)
    return Value();
  return create<arith::CmpIOp>(arith::CmpIPredicate::ult, step.trip,
                               constantI32(trips));
}

void RowElimination::writeBelow(int64_t row, Value bufferRow, int64_t begin,
                                ArrayRef<Value> columns) {
  Value end = scratch.getFirstColumn(bufferRow);
  int64_t numColumns = columns.size();
  for (int64_t column = begin; column + WarpScratch::kSteps < numColumns;
       column += WarpScratch::kSteps) {
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(index.both(isInside(row),
                             create<arith::CmpIOp>(arith::CmpIPredicate::slt,
                                                   constantI32(column), end)));
    scratch.writeColumns(bufferRow, column,
                         columns.slice(column, WarpScratch::kSteps));
  }
}

int64_t RowElimination::listRows(int64_t i) {
  int64_t list = getOrder();
  for (int64_t row = 0; row < getNumRows(); ++row) {
    OpBuilder::InsertionGuard guard(index.builder);
    index.enterIf(isInside(row));
    scratch.write(list, ranks.getRank(i, row), getRowIndex(row));
  }
  scratch.synchronize();
  return list;
}
