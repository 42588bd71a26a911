// Cholesky.cpp - A = L L' of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Patterns.h"
#include "../RegisterTiles.h"
#include "SymmetricFactor.h"

using namespace mlir;
using namespace tile;

namespace {
struct ConvertCholesky : OpConversionPattern<CholeskyOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(CholeskyOp op, OneToNOpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    replaceWithPacks(
        rewriter, op,
        createSymmetricFactor(rewriter, op.getLoc(), op.getSource().getType(),
                              adaptor.getSource(), SymmetricForm::cholesky,
                              /*hasStatus=*/op.getStatus() != nullptr));
    return success();
  }
};
} // namespace

void tile::populateCholeskyPatterns(TypeConverter &types,
                                    RewritePatternSet &patterns) {
  patterns.add<ConvertCholesky>(types, patterns.getContext());
}
