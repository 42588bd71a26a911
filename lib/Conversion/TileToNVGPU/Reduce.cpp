// Reduce.cpp - combination of the elements that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread first combines its values, in several parallel chains. Butterfly
// shuffles then combine the lanes: in the step of bit d, each lane combines its
// value with that of the lane whose index differs in bit d. The tree depends
// only on the layout, so the bits are the same from run to run. Padding counts
// as the identity. If the operation is not commutative, the layout has the
// elements in order, and the value of the lane with the lower index is the
// first operand.

#include "Combination.h"
#include "Memory/Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "Shuffle.h"

#include "tile/Layout/Chunks.h"

using namespace mlir;
using namespace tile;

/// Number of chains of dependent combinations in a thread: an instruction's
/// latency is about four times its issue time.
static constexpr size_t kParts = 4;

namespace {
/// The reduction of a thread's tuples along an axis.
class WarpReduction {
public:
  WarpReduction(CombiningOpInterface op, int64_t axis, OpBuilder &builder)
      : type(cast<TileType>(op.getSources().front().getType())),
        layout(type.getRegister().getRegisterLayout()), axis(axis),
        combination(op, builder), index(builder, op.getLoc()) {}

  /// Returns one tuple for each run of values.
  SmallVector<ElementTuple> reduce(SmallVector<ElementTuple> tuples,
                                   ArrayRef<std::vector<int64_t>> runs) {
    replacePadding(index, combination, type, axis, tuples);
    SmallVector<ElementTuple> results;
    for (ArrayRef<int64_t> run : runs)
      results.push_back(combineRun(tuples, run));
    combineLanes(results);
    return results;
  }

private:
  /// Combines the values of a run. Since each combination waits for the one
  /// before it, parts of the run are combined in parallel, and then with each
  /// other in order.
  ElementTuple combineRun(ArrayRef<ElementTuple> tuples,
                          ArrayRef<int64_t> run) {
    size_t length = llvm::divideCeil(run.size(), kParts);
    if (length == 1)
      length = run.size();
    SmallVector<ElementTuple> parts;
    for (size_t i = 0; i < length; ++i)
      for (size_t part = 0; part * length + i < run.size(); ++part) {
        const ElementTuple &tuple = tuples[run[part * length + i]];
        if (i == 0)
          parts.push_back(tuple);
        else
          parts[part] = combination.combine(parts[part], tuple);
      }
    ElementTuple result = parts.front();
    for (const ElementTuple &part : ArrayRef(parts).drop_front())
      result = combination.combine(result, part);
    return result;
  }

  void combineLanes(SmallVector<ElementTuple> &results) {
    int64_t prefix = 1;
    for (const RegisterMode &mode : layout.getModes(RegisterLayout::kLane)) {
      if (mode.dim == axis)
        for (int64_t step = 1; step < mode.extent; step *= 2) {
          Value isLater;
          if (!combination.isCommutative())
            isLater = hasBit(step);
          for (ElementTuple &result : results)
            result = combineWith(result, prefix * step, isLater);
        }
      prefix *= mode.extent;
    }
  }

  /// Whether a bit of the lane's index along the axis is set.
  Value hasBit(int64_t bit) {
    Value lane = getIndexAlong(index, layout, RegisterLayout::kLane, axis);
    Value half = index.rem(index.div(lane, bit), 2);
    return index.builder.createOrFold<arith::CmpIOp>(
        index.loc, arith::CmpIPredicate::ne, half, index.constant(0));
  }

  /// Combines a tuple with that of the lane whose index differs in the bit
  /// `distance`. The other lane's tuple is the first operand if `isLater`
  /// holds; `isLater` is null for a commutative operation.
  ElementTuple combineWith(const ElementTuple &own, int64_t distance,
                           Value isLater) {
    ElementTuple other;
    for (Value element : own)
      other.push_back(shuffle(index.builder, index.loc, element,
                              gpu::ShuffleMode::XOR, distance));
    if (!isLater)
      return combination.combine(own, other);
    return combination.combine(selectTuple(index, isLater, other, own),
                               selectTuple(index, isLater, own, other));
  }

  TileType type;
  RegisterLayout layout;
  int64_t axis;
  Combination combination;
  IndexBuilder index;
};

/// Replaces an operation by the combination of all elements of each warp or, if
/// `isByChunk`, of the elements of each chunk in each warp.
LogicalResult replaceByReduction(CombiningOpInterface op, int64_t axis,
                                 bool isByChunk, ArrayRef<ValueRange> sources,
                                 ConversionPatternRewriter &rewriter) {
  auto type = cast<TileType>(op.getSources().front().getType());
  RegisterLayout layout = type.getRegister().getRegisterLayout();
  if (!op.isCommutative() && !isByChunk && !layout.isOrdered(axis))
    return op.emitError("expected elements in order along the axis (run "
                        "-tile-assign-layouts before), got ")
           << type;
  WarpReduction reduction(op, axis, rewriter);
  SmallVector<ElementTuple> results = reduction.reduce(
      unpackTuples(rewriter, op, op.getSources(), sources),
      isByChunk ? getRunsByChunk(layout, axis) : getRuns(layout, axis));
  replaceWithPacks(rewriter, op, packTuples(rewriter, op, results));
  return success();
}

struct ConvertReduce : OpConversionPattern<ReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<TileType>(op.getSources().front().getType());
    if (!op.getAxis() || op.getKeep() ||
        type.getRegister().getRegisterLayout().getExtent(RegisterLayout::kWarp,
                                                         *op.getAxis()) != 1)
      return op.emitError("expected a reduction within warps (run "
                          "-tile-assign-layouts before)");
    return replaceByReduction(op, *op.getAxis(), /*isByChunk=*/false,
                              adaptor.getSources(), rewriter);
  }
};

struct ConvertPartialReduce : OpConversionPattern<PartialReduceOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PartialReduceOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto source = cast<TileType>(op.getSources().front().getType());
    auto result = cast<TileType>(op.getResultTypes().front());
    bool isByChunk = result.getDimSize(op.getAxis()) !=
                     source.getRegister().getRegisterLayout().getExtent(
                         RegisterLayout::kWarp, op.getAxis());
    return replaceByReduction(op, op.getAxis(), isByChunk, adaptor.getSources(),
                              rewriter);
  }
};

} // namespace

void tile::populateReducePatterns(TypeConverter &types,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertReduce, ConvertPartialReduce>(types,
                                                    patterns.getContext());
}
