// PerThread.cpp - a region that every thread runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread holds its elements as values (-tile-assign-layouts sees to it): they
// are the region's arguments, one by one or as a vector.

#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/IR/ElementRegion.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tile;

/// What the thread holds of a tile, as the region has it.
static Value join(OpBuilder &builder, Location loc, TileType tile,
                  ValueRange packs) {
  SmallVector<Value> elements = unpack(builder, loc, tile, packs);
  auto vector = dyn_cast<VectorType>(getThreadType(tile));
  if (!vector)
    return elements.front();
  return vector::FromElementsOp::create(builder, loc, vector, elements);
}

static SmallVector<Value> split(OpBuilder &builder, Location loc, TileType tile,
                                Value held) {
  if (!isa<VectorType>(held.getType()))
    return pack(builder, loc, tile, held);
  return pack(builder, loc, tile,
              vector::ToElementsOp::create(builder, loc, held).getResults());
}

namespace {
struct ConvertPerThread : OpConversionPattern<PerThreadOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(PerThreadOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<Value> arguments = {
        gpu::ThreadIdOp::create(rewriter, loc, gpu::Dimension::x)};
    for (auto [input, packs] :
         llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
      arguments.push_back(
          join(rewriter, loc, cast<TileType>(input.getType()), packs));
    SmallVector<Value> yielded =
        inlineElementRegion(rewriter, op.getBody(), arguments);
    SmallVector<SmallVector<Value>> results;
    for (auto [type, held] : llvm::zip_equal(op.getResultTypes(), yielded))
      results.push_back(split(rewriter, loc, cast<TileType>(type), held));
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populatePerThreadPatterns(TypeConverter &types,
                                     RewritePatternSet &patterns) {
  patterns.add<ConvertPerThread>(types, patterns.getContext());
}
