// AtomicOrder.cpp - order and scope of atomic accesses and fences
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AtomicOrder.h"

#include "../Patterns.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;
using namespace tile;

StringRef tile::getScopeName(AtomicScope scope) {
  switch (scope) {
  case AtomicScope::block:
    return "block";
  case AtomicScope::gpu:
    return "device";
  case AtomicScope::system:
    return "";
  }
  llvm_unreachable("all scopes are listed");
}

static void emitFence(OpBuilder &builder, Location loc, AtomicScope scope) {
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel,
                        getScopeName(scope));
}

void tile::emitRelease(OpBuilder &builder, OrderedAccessOpInterface op,
                       AtomicScope scope) {
  if (op.isRelease())
    emitFence(builder, op.getLoc(), scope);
}

void tile::emitAcquire(OpBuilder &builder, OrderedAccessOpInterface op,
                       AtomicScope scope) {
  if (op.isAcquire())
    emitFence(builder, op.getLoc(), scope);
}

namespace {
struct ConvertFence : OpConversionPattern<FenceOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Emits one fence, which serves as a release and as an acquire.
  LogicalResult
  matchAndRewrite(FenceOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    emitFence(rewriter, op.getLoc(), op.getScope());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void tile::populateFencePatterns(TypeConverter &types,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertFence>(types, patterns.getContext());
}
