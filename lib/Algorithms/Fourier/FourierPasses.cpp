// FourierPasses.cpp - Fourier transforms as passes in registers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pass of radix r treats a row of n elements as a matrix of r rows and n / r
// columns, and transforms each column. Let s be the earlier radices multiplied
// together. Element q of column c s + a, where a < s, becomes element
// (c r + q) s + a of the row for the next pass (Stockham's order). For n = 64
// by radices 8 and 8:
//
//   %a = tile.reshape %x : ... to !tile.tile<Bx8x8x...>
//   %b = tile.partial_fft %a places 1 threads 8
//   %c = tile.reshape %b : ... to !tile.tile<Bx8x8x1x...>
//   %d = tile.transpose %c [0, 2, 1, 3]
//   %e = tile.reshape %d : ... to !tile.tile<Bx8x8x...>
//   %f = tile.partial_fft %e places 8 threads 8
//   %y = tile.reshape %f : ... to the rows
//
// Reshapes and transposes only rename the digits of layouts, so that the
// operations between two passes become one change of layout. If columns are
// padded to the number of lanes, their layout has no such digits. Then columns
// pass through shared memory between two passes, by tile.order_fft, and loads
// and stores access the rows of arrays as tiles of columns.

#include "FftLayouts.h"
#include "FourierExpansion.h"

#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Columns in arrays
//===----------------------------------------------------------------------===//

/// Changes an access to whole rows into one that accesses each row as a matrix
/// with the two extents `columns`, by expanding the last dimension of the array
/// into two. Returns whether this is possible.
static bool splitRows(OpBuilder &builder, ArrayAccessOpInterface access,
                      MutableOperandRange array, MutableOperandRange offsets,
                      ArrayRef<int64_t> columns) {
  auto type = cast<MemRefType>(access.getArray().getType());
  auto tile = cast<TileType>(access.getAccessedTile().getType());
  int64_t last = type.getRank() - 1;
  // The tile of columns has three dimensions.
  if (access.getMask() || type.getRank() < 2 || tile.getRank() > 2 ||
      getContiguousDimension(type) != last ||
      type.getDimSize(last) != columns[0] * columns[1] ||
      getConstantIntValue(access.getOffsets().back()) != 0 ||
      (tile.getRegister() && tile.getRegister().isResolved()))
    return false;
  SmallVector<ReassociationIndices> groups;
  SmallVector<int64_t> shape(type.getShape().drop_back());
  for (int64_t dim = 0; dim < last; ++dim)
    groups.push_back({dim});
  groups.push_back({last, last + 1});
  llvm::append_range(shape, columns);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(access.getArray());
  SmallVector<Value> newOffsets(access.getOffsets());
  newOffsets.push_back(newOffsets.back());
  array.assign(memref::ExpandShapeOp::create(builder, access.getLoc(), shape,
                                             access.getArray(), groups)
                   .getResult());
  offsets.assign(newOffsets);
  return true;
}

/// Loads whole rows as columns. Returns whether this is possible.
bool FourierExpansion::loadColumns(LoadOp load, ArrayRef<int64_t> shape) {
  if (!load->hasOneUse() || load.getPad() ||
      !splitRows(builder, cast<ArrayAccessOpInterface>(*load),
                 load.getSourceMutable(), load.getOffsetsMutable(),
                 shape.take_back(2)))
    return false;
  load.getResult().setType(getType(shape, getComplex()));
  return true;
}

/// Stores the result of the last pass as columns, if its rows are whole rows of
/// an array. Returns whether it did.
bool FourierExpansion::storeColumns(Value tile) {
  auto reshaped = tile.getDefiningOp<ReshapeOp>();
  auto store = dyn_cast<StoreOp>(*op->getResult(0).user_begin());
  if (!reshaped || !store || !op->getResult(0).hasOneUse())
    return false;
  Value columns = reshaped.getSource();
  ArrayRef<int64_t> shape = getTileShape(columns.getType());
  if (!columns.getDefiningOp<PartialFftOp>() || !isPadded(shape) ||
      !splitRows(builder, cast<ArrayAccessOpInterface>(*store),
                 store.getDestMutable(), store.getOffsetsMutable(),
                 shape.take_back(2)))
    return false;
  store.getValueMutable().assign(columns);
  reshaped.erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

/// Whether the layout of a pass pads the columns of a tile of this shape.
bool FourierExpansion::isPadded(ArrayRef<int64_t> shape) {
  return getPassLayout(shape, plan.threads, getParticipants(op).numWarps)
             .getBox()
             .back() != shape.back();
}

SmallVector<int64_t> FourierExpansion::getColumnShape(int64_t radix) {
  return {rows, radix, plan.length / radix};
}

/// Returns the rows `x` as columns of a radix.
Value FourierExpansion::toColumns(Value x, int64_t radix) {
  SmallVector<int64_t> shape = getColumnShape(radix);
  auto load = x.getDefiningOp<LoadOp>();
  if (load && isPadded(shape) && loadColumns(load, shape))
    return x;
  return reshape(x, shape);
}

/// Reorders the columns of a pass to those of the next one.
Value FourierExpansion::reorder(Value x, int64_t stride, int64_t nextRadix) {
  SmallVector<int64_t> shape(getTileShape(x.getType()));
  int64_t radix = shape[1], blocks = shape[2] / stride;
  SmallVector<int64_t> next = getColumnShape(nextRadix);
  if (isPadded(shape) || (plan.threads >= 8 && isPadded(next))) {
    TileType columns = getType(next, getComplex());
    Value ordered = OrderFftOp::create(
        builder, op->getLoc(),
        columns.withStorage(getAnyShared(op->getContext())), x, stride);
    return convertTo(builder, op->getLoc(), ordered, columns.getStorage());
  }
  x = reshape(x, {rows, radix, blocks, stride});
  SmallVector<int64_t> swapped = {rows, blocks, radix, stride};
  x = TransposeOp::create(builder, op->getLoc(), getType(swapped, getComplex()),
                          x, ArrayRef<int64_t>{0, 2, 1, 3});
  return reshape(x, next);
}

/// Returns how many of the last digits keep their positions when the first
/// digit moves after the digits that are still to be transformed. With twiddle
/// factors these are all transformed digits, which gives Stockham's order.
/// Without twiddle factors, the count with the fewest bank conflicts is chosen.
int64_t FourierExpansion::chooseFastest(ArrayRef<int64_t> digits,
                                        int64_t transformed) {
  SmallVector<int64_t> shape = getColumnShape(digits[0]);
  if (plan.hasTwiddles)
    return transformed;
  if (!isPadded(shape) && !isPadded(getColumnShape(digits[1])))
    return 0;
  auto count = [&](int64_t fastest) {
    ColumnOrder order = {digits[0], shape[2],
                         llvm::product_of(digits.take_back(fastest)), digits[1],
                         static_cast<int64_t>(getElementBytes(getComplex()))};
    return order.countWavefronts(order.choosePitch());
  };
  int64_t best = 0;
  for (int64_t fastest = 1; fastest <= transformed; ++fastest)
    if (count(fastest) < count(best))
      best = fastest;
  return best;
}

Value FourierExpansion::runPasses(Value columns, SmallVector<int64_t> &digits,
                                  bool isInverse, long double scale) {
  FactorParts factor = splitFactor(scale, part.isF64());
  int64_t count = digits.size();
  for (int64_t pass = 0; pass < count; ++pass) {
    bool isLast = pass + 1 == count;
    int64_t stride = plan.hasTwiddles
                         ? llvm::product_of(ArrayRef(digits).take_back(pass))
                         : 1;
    columns = PartialFftOp::create(
        builder, op->getLoc(), columns, stride, plan.threads, isInverse,
        isLast && scale != 1
            ? builder.getDenseF64ArrayAttr({factor.high, factor.rest})
            : DenseF64ArrayAttr());
    if (isLast)
      break;
    int64_t fastest = chooseFastest(digits, pass);
    columns =
        reorder(columns, llvm::product_of(ArrayRef(digits).take_back(fastest)),
                digits[1]);
    std::rotate(digits.begin(), digits.begin() + 1, digits.end() - fastest);
  }
  return columns;
}

Value FourierExpansion::transformByPasses(Value x, bool isInverse,
                                          long double scale) {
  SmallVector<int64_t> digits = plan.radices;
  if (!digits.empty())
    return reshape(
        runPasses(toColumns(x, digits.front()), digits, isInverse, scale),
        {rows, plan.length});
  if (scale == 1)
    return x;
  FactorParts factor = splitFactor(scale, part.isF64());
  return map(getComplex(), x, [&](ElementBuilder &b, ValueRange x) {
    return b.make(b.scale(b.parts(x[0]), factor));
  });
}
