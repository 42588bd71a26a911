// Assert.cpp - conditions that must hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread tests the elements of a tile that it holds. Only the threads that
// the kernel requests test a scalar.

#include "DriverCalls.h"
#include "IdleThreads.h"
#include "Patterns.h"
#include "RegisterTiles.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertAssert : OpConversionPattern<AssertOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(AssertOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    IndexBuilder index(rewriter, loc);
    Value holds = adaptor.getCondition().front();
    if (auto type = dyn_cast<TileType>(op.getCondition().getType()))
      holds = allHold(index, type, adaptor.getCondition());
    Value yes = arith::ConstantIntOp::create(rewriter, loc, 1, 1);
    OpBuilder::InsertionGuard guard(rewriter);
    Value fails = rewriter.createOrFold<arith::XOrIOp>(loc, holds, yes);
    if (!isa<TileType>(op.getCondition().getType()))
      fails =
          index.both(fails, isAskedFor(index, op->getParentOfType<KernelOp>()));
    index.enterIf(fails);
    emitAssertFail(rewriter, loc, op.getMessage());
    rewriter.eraseOp(op);
    return success();
  }

private:
  /// Whether all of this thread's elements hold; padding is skipped.
  static Value allHold(IndexBuilder &index, TileType type, ValueRange packs) {
    OpBuilder &builder = index.builder;
    ThreadCoordinates coordinates(index,
                                  type.getRegister().getRegisterLayout());
    Value yes = arith::ConstantIntOp::create(builder, index.loc, 1, 1);
    Value all = yes;
    for (auto [value, element] :
         llvm::enumerate(unpack(builder, index.loc, type, packs))) {
      Value inside = coordinates.isInside(value, type.getShape());
      Value holds = inside ? index.select(inside, element, yes) : element;
      all = builder.createOrFold<arith::AndIOp>(index.loc, all, holds);
    }
    return all;
  }
};
} // namespace

void tile::populateAssertPatterns(TypeConverter &types,
                                  RewritePatternSet &patterns) {
  patterns.add<ConvertAssert>(types, patterns.getContext());
}
