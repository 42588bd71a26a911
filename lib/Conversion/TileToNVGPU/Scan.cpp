// Scan.cpp - combination of each element with those before it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread scans each of its runs of adjacent elements. The last results of
// the runs are scanned over the lanes (Hillis and Steele, "Data Parallel
// Algorithms", 1986). Finally the combination of all earlier lanes and warps is
// combined with each element. Chunks (Chunks.h) are scanned in the same way;
// the combination of all earlier chunks is also combined with each element. In
// a reverse scan, elements with larger coordinates are the earlier ones, but
// the operand with the lower coordinate is still the first operand.

#include "Combination.h"
#include "Memory/Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "Shuffle.h"

#include "tile/Layout/Chunks.h"

using namespace mlir;
using namespace tile;

namespace {
/// The scan of a thread's tuples along an axis.
class WarpScan {
public:
  WarpScan(CombiningOpInterface op, int64_t axis, bool isExclusive,
           bool isReverse, OpBuilder &builder)
      : type(cast<TileType>(op.getSources().front().getType())),
        layout(type.getRegister().getRegisterLayout()), axis(axis),
        isExclusive(isExclusive), isReverse(isReverse),
        combination(op, builder), index(builder, op.getLoc()) {}

  /// Scans the tuples. If there are carries, each run starts from its carry.
  SmallVector<ElementTuple> scan(SmallVector<ElementTuple> tuples,
                                 ArrayRef<ElementTuple> carries) {
    // Padding is at the end: only a reverse scan starts with it.
    if (isReverse)
      replacePadding(index, combination, type, axis, tuples);
    SmallVector<ElementTuple> results(tuples.size());
    for (auto [i, run] : llvm::enumerate(getRunsInOrder()))
      scanRun(tuples, run, carries.empty() ? nullptr : &carries[i], results);
    return results;
  }

  /// Returns, for each run, the combination of the totals of all chunks before
  /// its chunk and of the warps before this one; the runs are in the order of
  /// their chunks.
  /// @p totals are in the layout `of`, in which a thread has all totals of its
  /// rows.
  SmallVector<ElementTuple> getCarries(ArrayRef<ElementTuple> totals,
                                       const RegisterLayout &of) {
    int64_t chunks = getNumChunks(layout, axis);
    std::vector<std::vector<int64_t>> rows = getRuns(of, axis);
    SmallVector<ElementTuple> carries(chunks * rows.size());
    for (auto [i, row] : llvm::enumerate(rows)) {
      if (isReverse)
        std::reverse(row.begin(), row.end());
      ArrayRef<int64_t> left = row;
      ElementTuple carry = combination.createIdentity();
      for (int64_t met = 0; met < chunks; ++met) {
        int64_t chunk = isReverse ? chunks - 1 - met : met;
        ArrayRef<int64_t> warps = left.take_front(row.size() / chunks);
        carries[chunk * rows.size() + i] = addWarpsBefore(carry, totals, warps);
        if (met + 1 < chunks)
          for (int64_t warp : warps)
            carry = combine(carry, totals[warp]);
        left = left.drop_front(warps.size());
      }
    }
    return carries;
  }

private:
  /// Combines two tuples, of which the scan reaches `met` first. The first
  /// operand is the tuple with the lower coordinate.
  ElementTuple combine(ArrayRef<Value> met, ArrayRef<Value> next) {
    return isReverse ? combination.combine(next, met)
                     : combination.combine(met, next);
  }

  ElementTuple select(Value condition, ArrayRef<Value> a, ArrayRef<Value> b) {
    return selectTuple(index, condition, a, b);
  }

  /// Combines a carry with the totals of those warps of a chunk that the scan
  /// reaches before this warp.
  ElementTuple addWarpsBefore(ElementTuple carry, ArrayRef<ElementTuple> totals,
                              ArrayRef<int64_t> warps) {
    Value warp = getIndexAlong(index, layout, RegisterLayout::kWarp, axis);
    int64_t last = warps.size() - 1;
    for (int64_t before = 0; before < last; ++before) {
      // Warps are counted in the direction of the scan.
      Value isBehind = isReverse
                           ? index.less(warp, index.constant(last - before))
                           : index.less(index.constant(before), warp);
      carry = select(isBehind, combine(carry, totals[warps[before]]), carry);
    }
    return carry;
  }

  /// Returns the values of each run in the order of the scan, chunk by chunk.
  std::vector<std::vector<int64_t>> getRunsInOrder() {
    std::vector<std::vector<int64_t>> runs = getRunsByChunk(layout, axis);
    if (isReverse)
      for (std::vector<int64_t> &run : runs)
        std::reverse(run.begin(), run.end());
    return runs;
  }

  void scanRun(ArrayRef<ElementTuple> tuples, ArrayRef<int64_t> run,
               const ElementTuple *carry,
               SmallVectorImpl<ElementTuple> &results) {
    SmallVector<ElementTuple> sums;
    for (int64_t value : run)
      sums.push_back(sums.empty() ? tuples[value]
                                  : combine(sums.back(), tuples[value]));
    // The combination of the elements before the run; empty if there are none.
    ElementTuple before = scanLanes(sums.back());
    if (carry)
      before = before.empty() ? *carry : combine(*carry, before);
    if (isExclusive)
      sums.insert(sums.begin(), ElementTuple());
    for (auto [value, sum] : llvm::zip(run, sums)) {
      if (sum.empty())
        results[value] = before.empty() ? combination.createIdentity() : before;
      else
        results[value] = before.empty() ? sum : combine(before, sum);
    }
  }

  /// Returns the combination of the tuples of the lanes before this one; empty
  /// if there is only one lane along the axis.
  ElementTuple scanLanes(ElementTuple sum) {
    int64_t distance = 1;
    for (const RegisterMode &mode : layout.getModes(RegisterLayout::kLane)) {
      if (mode.dim == axis)
        return scanLanes(std::move(sum), mode.extent, distance);
      distance *= mode.extent;
    }
    return {};
  }

  ElementTuple scanLanes(ElementTuple sum, int64_t numLanes, int64_t distance) {
    Value lane = getIndexAlong(index, layout, RegisterLayout::kLane, axis);
    // The tuple of the lane that is `steps` before this one in the order of the
    // scan, and whether there is such a lane.
    auto fetch = [&](int64_t steps) {
      ElementTuple other;
      for (Value element : sum)
        other.push_back(
            shuffle(index.builder, index.loc, element,
                    isReverse ? gpu::ShuffleMode::DOWN : gpu::ShuffleMode::UP,
                    steps * distance));
      return other;
    };
    auto exists = [&](int64_t steps) {
      return isReverse ? index.less(lane, index.constant(numLanes - steps))
                       : index.atMost(index.constant(steps), lane);
    };
    for (int64_t steps = 1; steps < numLanes; steps *= 2)
      sum = select(exists(steps), combine(fetch(steps), sum), sum);
    return select(exists(1), fetch(1), combination.createIdentity());
  }

  TileType type;
  RegisterLayout layout;
  int64_t axis;
  bool isExclusive, isReverse;
  Combination combination;
  IndexBuilder index;
};

/// Replaces an operation by the scan of its sources, with carries.
void replaceByScan(CombiningOpInterface op, WarpScan &scan,
                   ArrayRef<ValueRange> sources, ArrayRef<ElementTuple> carries,
                   ConversionPatternRewriter &rewriter) {
  SmallVector<ElementTuple> results =
      scan.scan(unpackTuples(rewriter, op, op.getSources(), sources), carries);
  replaceWithPacks(rewriter, op, packTuples(rewriter, op, results));
}

struct ConvertScan : OpConversionPattern<ScanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ScanOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto type = cast<TileType>(op.getSources().front().getType());
    RegisterLayout layout = type.getRegister().getRegisterLayout();
    if (!op.getAxis() || !layout.isOrdered(*op.getAxis()) ||
        layout.getExtent(RegisterLayout::kWarp, *op.getAxis()) != 1)
      return op.emitError("expected a scan within warps, of elements in order "
                          "(run -tile-assign-layouts before)");
    WarpScan scan(op, *op.getAxis(), op.getExclusive(), op.getReverse(),
                  rewriter);
    replaceByScan(op, scan, adaptor.getSources(), /*carries=*/{}, rewriter);
    return success();
  }
};

struct ConvertPartialScan : OpConversionPattern<PartialScanOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PartialScanOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    auto total = cast<TileType>(op.getTotals().front().getType());
    WarpScan scan(op, op.getAxis(), op.getExclusive(), op.getReverse(),
                  rewriter);
    SmallVector<ElementTuple> carries = scan.getCarries(
        unpackTuples(rewriter, op, op.getTotals(), adaptor.getTotals()),
        total.getRegister().getRegisterLayout());
    replaceByScan(op, scan, adaptor.getSources(), carries, rewriter);
    return success();
  }
};
} // namespace

void tile::populateScanPatterns(TypeConverter &types,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertScan, ConvertPartialScan>(types, patterns.getContext());
}
