// Sort.cpp - steps of a bitonic sort within a warp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step compares elements whose coordinates along the axis differ in one bit.
// If the bit is part of the value index, the thread has both elements and puts
// them in order. If it is part of the lane index, each of two lanes gets the
// other's element and keeps one of the two. Whether the order is ascending or
// descending depends on another bit of the coordinate, which is in the value's
// part, and then known at compile time, or in the thread's part.

#include "Combination.h"
#include "Memory/Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "Shuffle.h"

using namespace mlir;
using namespace tile;

namespace {
/// The elements of a thread, which the steps change one after the other.
class WarpSort {
public:
  WarpSort(PartialSortOp op, SmallVector<ElementTuple> tuples,
           OpBuilder &builder)
      : layout(cast<TileType>(op.getSources().front().getType())
                   .getRegister()
                   .getRegisterLayout()),
        axis(op.getAxis()), index(builder, op.getLoc()),
        coordinates(index, layout), tuples(std::move(tuples)) {}

  void step(int64_t orderBit, int64_t bit) {
    if (int64_t stride = getStride(RegisterLayout::kValue, bit))
      stepInValues(orderBit, stride);
    else
      stepInLanes(orderBit, bit, getStride(RegisterLayout::kLane, bit));
  }

  ArrayRef<ElementTuple> getTuples() { return tuples; }

private:
  /// Returns the difference of the value indices, or lane indices, of two
  /// elements whose coordinates differ in one bit; zero if the bit is not part
  /// of that index.
  int64_t getStride(RegisterLayout::Level level, int64_t bit) {
    int64_t prefix = 1, distance = int64_t(1) << bit;
    for (const RegisterMode &mode : layout.getModes(level)) {
      if (mode.dim == axis && mode.step <= distance &&
          distance < mode.step * mode.extent)
        return prefix * (distance / mode.step);
      prefix *= mode.extent;
    }
    return 0;
  }

  /// Whether a bit of a value's coordinate is set: true if it is set in the
  /// value's part, otherwise a condition on the thread's part, null for never.
  std::pair<bool, Value> getBit(int64_t value, int64_t bit) {
    int64_t mask = int64_t(1) << bit;
    bool isSet = layout.valueOffset(value)[axis] & mask;
    return {isSet, isSet ? Value() : getThreadBit(bit)};
  }

  /// Whether a bit of the thread's part of a coordinate is set; null for never.
  Value getThreadBit(int64_t bit) {
    int64_t mask = int64_t(1) << bit;
    if (!(coordinates.getBaseBits(axis) & mask))
      return Value();
    Value &condition = threadBits[bit];
    if (!condition) {
      Value rest = index.builder.createOrFold<arith::AndIOp>(
          index.loc, coordinates.getBase(axis), index.constant(mask));
      condition = index.builder.createOrFold<arith::CmpIOp>(
          index.loc, arith::CmpIPredicate::ne, rest, index.constant(0));
    }
    return condition;
  }

  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(index.builder, index.loc, predicate, a, b);
  }

  /// Whether `a` comes before `b` in ascending order.
  Value isLess(ArrayRef<Value> a, ArrayRef<Value> b) {
    Value less = compare(arith::CmpIPredicate::ult, a.back(), b.back());
    for (auto [x, y] :
         llvm::reverse(llvm::zip_equal(a.drop_back(), b.drop_back()))) {
      Value isEqual = compare(arith::CmpIPredicate::eq, x, y);
      less =
          index.select(isEqual, less, compare(arith::CmpIPredicate::ult, x, y));
    }
    return less;
  }

  /// Returns the exclusive or of two conditions; a null condition is false.
  Value differ(Value a, Value b) {
    if (!a || !b)
      return a ? a : b;
    return index.builder.createOrFold<arith::XOrIOp>(index.loc, a, b);
  }

  void stepInValues(int64_t orderBit, int64_t stride) {
    for (size_t low = 0; low < tuples.size(); ++low) {
      if (low / stride % 2 != 0)
        continue;
      ElementTuple first = tuples[low], second = tuples[low + stride];
      auto [isDescending, order] = getBit(low, orderBit);
      Value isSwapped = differ(
          isDescending ? isLess(first, second) : isLess(second, first), order);
      tuples[low] = selectTuple(index, isSwapped, second, first);
      tuples[low + stride] = selectTuple(index, isSwapped, first, second);
    }
  }

  void stepInLanes(int64_t orderBit, int64_t bit, int64_t stride) {
    Value isSecond = getThreadBit(bit);
    Value always = index.builder.createOrFold<arith::ConstantIntOp>(
        index.loc, /*value=*/1, /*width=*/1);
    for (auto [value, own] : llvm::enumerate(tuples)) {
      ElementTuple other;
      for (Value element : own)
        other.push_back(shuffle(index.builder, index.loc, element,
                                gpu::ShuffleMode::XOR, stride));
      auto [isDescending, order] = getBit(value, orderBit);
      Value keepsGreater =
          differ(differ(isSecond, order), isDescending ? always : Value());
      // For equal elements it does not matter which one is kept.
      Value takesOther = differ(isLess(other, own), keepsGreater);
      own = selectTuple(index, takesOther, other, own);
    }
  }

  RegisterLayout layout;
  int64_t axis;
  IndexBuilder index;
  ThreadCoordinates coordinates;
  SmallVector<ElementTuple> tuples;
  llvm::DenseMap<int64_t, Value> threadBits;
};

struct ConvertPartialSort : OpConversionPattern<PartialSortOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PartialSortOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    WarpSort sort(
        op, unpackTuples(rewriter, op, op.getSources(), adaptor.getSources()),
        rewriter);
    ArrayRef<int64_t> steps = op.getSteps();
    for (size_t step = 0; step < steps.size(); step += 2)
      sort.step(steps[step], steps[step + 1]);
    replaceWithPacks(rewriter, op, packTuples(rewriter, op, sort.getTuples()));
    return success();
  }
};
} // namespace

void tile::populateSortPatterns(TypeConverter &types,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertPartialSort>(types, patterns.getContext());
}
