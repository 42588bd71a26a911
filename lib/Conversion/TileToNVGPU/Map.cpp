// Map.cpp - elements that a region computes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/IR/ElementRegion.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertMap : OpConversionPattern<MapOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(MapOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<SmallVector<Value>> inputs;
    for (auto [input, packs] :
         llvm::zip_equal(op.getInputs(), adaptor.getInputs()))
      inputs.push_back(
          unpack(rewriter, loc, cast<TileType>(input.getType()), packs));
    SmallVector<SmallVector<Value>> results(op.getNumResults());
    for (size_t value = 0; value < inputs.front().size(); ++value) {
      auto elements = llvm::map_to_vector(
          inputs, [&](ArrayRef<Value> input) { return input[value]; });
      for (auto [result, element] : llvm::zip_equal(
               results, inlineElementRegion(rewriter, op.getBody(), elements)))
        result.push_back(element);
    }
    for (auto [result, type] : llvm::zip_equal(results, op.getResultTypes()))
      result = pack(rewriter, loc, cast<TileType>(type), result);
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateMapPatterns(TypeConverter &types,
                               RewritePatternSet &patterns) {
  patterns.add<ConvertMap>(types, patterns.getContext());
}
