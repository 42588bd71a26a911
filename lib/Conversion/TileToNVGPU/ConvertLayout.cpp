// ConvertLayout.cpp - layout conversions within threads and warps
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -tile-bufferize has already converted the layout conversions that go through
// shared memory.

#include "Memory/Addresses.h"
#include "Patterns.h"
#include "RegisterTiles.h"
#include "Shuffle.h"

#include "tile/IR/ConvertLayout.h"
#include "tile/Layout/LaneExchange.h"

using namespace mlir;
using namespace tile;

/// Reorders the elements of a thread, and returns the packs of the result.
/// Packs are moved as a whole if the order keeps their elements together.
static SmallVector<Value> reorder(OpBuilder &builder, ConvertLayoutOp op,
                                  ValueRange packs, ArrayRef<int64_t> values) {
  TileType from = op.getSource().getType(), to = op.getType();
  int64_t width = getPackWidth(to);
  bool areWhole = getPackWidth(from) == width;
  SmallVector<Value> moved;
  for (size_t first = 0; areWhole && first < values.size(); first += width) {
    areWhole = values[first] % width == 0;
    for (int64_t i = 1; i < width; ++i)
      areWhole &= values[first + i] == values[first] + i;
    moved.push_back(packs[values[first] / width]);
  }
  if (areWhole)
    return moved;
  SmallVector<Value> elements = unpack(builder, op.getLoc(), from, packs);
  return pack(builder, op.getLoc(), to,
              llvm::map_to_vector(
                  values, [&](int64_t value) { return elements[value]; }));
}

namespace {
/// Emits the shuffles of a plan.
class LaneReader {
public:
  LaneReader(OpBuilder &builder, Location loc) : builder(builder), loc(loc) {
    thread = arith::IndexCastUIOp::create(builder, loc, builder.getI32Type(),
                                          IndexBuilder(builder, loc).thread());
  }

  Value read(const LaneRead &read, ArrayRef<Value> elements) {
    Value lane = apply(read.lane), result, chosen;
    if (read.values.size() > 1)
      chosen = apply(read.value);
    for (int64_t value : read.values) {
      Value element = readLane(builder, loc, elements[value], lane);
      if (!result) {
        result = element;
        continue;
      }
      Value isChosen = arith::CmpIOp::create(
          builder, loc, arith::CmpIPredicate::eq, chosen, constant(value));
      result = arith::SelectOp::create(builder, loc, isChosen, element, result);
    }
    return result;
  }

private:
  Value constant(int64_t value) {
    return arith::ConstantIntOp::create(builder, loc, value, /*width=*/32);
  }

  /// Applies `function` to this thread's id. Bits that move by the same
  /// distance are moved together.
  Value apply(const BitFunction &function) {
    int64_t size = function.columns.size();
    std::map<int64_t, int64_t> masks;
    for (int64_t from = 0; from < size; ++from)
      for (int64_t to = 0; to < 32; ++to)
        if (function.columns[from] >> to & 1)
          masks[to - from] |= int64_t(1) << from;
    Value result = constant(function.base);
    for (auto [distance, mask] : masks) {
      Value bits = arith::AndIOp::create(builder, loc, thread, constant(mask));
      if (distance > 0)
        bits = arith::ShLIOp::create(builder, loc, bits, constant(distance));
      if (distance < 0)
        bits = arith::ShRUIOp::create(builder, loc, bits, constant(-distance));
      result = arith::XOrIOp::create(builder, loc, result, bits);
    }
    return result;
  }

  OpBuilder &builder;
  Location loc;
  Value thread;
};

/// Lowers the layout conversions that verifySupported accepts.
struct ConvertConvertLayout : OpConversionPattern<ConvertLayoutOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(ConvertLayoutOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    TileType from = op.getSource().getType(), to = op.getType();
    RegisterLayout source = from.getRegister().getRegisterLayout();
    RegisterLayout dest = to.getRegister().getRegisterLayout();
    if (std::optional<std::vector<int64_t>> values = source.findValues(dest)) {
      replaceWithPacks(rewriter, op,
                       {reorder(rewriter, op, adaptor.getSource(), *values)});
      return success();
    }
    SmallVector<Value> elements =
        unpack(rewriter, op.getLoc(), from, adaptor.getSource());
    LaneReader reader(rewriter, op.getLoc());
    SmallVector<Value> results;
    LaneExchange exchange = *planLaneExchange(source, dest);
    for (const LaneRead &read : exchange.reads)
      results.push_back(reader.read(read, elements));
    replaceWithPacks(rewriter, op, {pack(rewriter, op.getLoc(), to, results)});
    return success();
  }
};
} // namespace

void tile::populateConvertLayoutPatterns(TypeConverter &types,
                                         RewritePatternSet &patterns) {
  patterns.add<ConvertConvertLayout>(types, patterns.getContext());
}
