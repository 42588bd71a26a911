// ThreadCode.cpp - operations that specify the work of each thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Patterns.h"
#include "RegisterTiles.h"

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertThreadCode : OpInterfaceConversionPattern<ThreadOpInterface> {
  using OpInterfaceConversionPattern::OpInterfaceConversionPattern;

  LogicalResult
  matchAndRewrite(ThreadOpInterface op, ArrayRef<ValueRange> operands,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    SmallVector<SmallVector<Value>> elements;
    for (auto [operand, values] :
         llvm::zip_equal(op->getOperands(), operands)) {
      auto tile = dyn_cast<TileType>(operand.getType());
      elements.push_back(tile ? unpack(rewriter, loc, tile, values)
                              : SmallVector<Value>(values));
    }
    SmallVector<SmallVector<Value>> results =
        op.createThreadCode(rewriter, elements);
    for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes()))
      if (auto tile = dyn_cast<TileType>(type))
        result = pack(rewriter, loc, tile, result);
    replaceWithPacks(rewriter, op, results);
    return success();
  }
};
} // namespace

void tile::populateThreadCodePatterns(TypeConverter &types,
                                      RewritePatternSet &patterns) {
  patterns.add<ConvertThreadCode>(types, patterns.getContext());
}
