// Ldlt.cpp - A = L D L' of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "SymmetricFactor.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertLdlt : OpConversionPattern<LdltOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(LdltOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replaceWithPacks(
        rewriter, op,
        createSymmetricFactor(rewriter, op.getLoc(), op.getSource().getType(),
                              adaptor.getSource(), SymmetricForm::ldlt,
                              /*hasStatus=*/op.getStatus() != nullptr));
    return success();
  }
};
} // namespace

void tile::populateLdltPatterns(TypeConverter &types,
                                RewritePatternSet &patterns) {
  patterns.add<ConvertLdlt>(types, patterns.getContext());
}
