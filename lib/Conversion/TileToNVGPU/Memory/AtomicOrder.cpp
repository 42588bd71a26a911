// AtomicOrder.cpp - order and scope of atomic accesses and fences
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AtomicOrder.h"

#include "../Patterns.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
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

bool tile::isRelease(AtomicOrder order) {
  return order == AtomicOrder::release || order == AtomicOrder::acq_rel;
}

bool tile::isAcquire(AtomicOrder order) {
  return order == AtomicOrder::acquire || order == AtomicOrder::acq_rel;
}

static void emitFence(OpBuilder &builder, Location loc, AtomicScope scope) {
  LLVM::FenceOp::create(builder, loc, LLVM::AtomicOrdering::acq_rel,
                        getScopeName(scope));
}

void tile::emitRelease(OpBuilder &builder, Location loc, AtomicOrder order,
                       AtomicScope scope) {
  if (!isRelease(order))
    return;
  gpu::BarrierOp::create(builder, loc);
  emitFence(builder, loc, scope);
}

void tile::emitAcquire(OpBuilder &builder, Location loc, AtomicOrder order,
                       AtomicScope scope) {
  if (!isAcquire(order))
    return;
  emitFence(builder, loc, scope);
  gpu::BarrierOp::create(builder, loc);
}

namespace {
struct ConvertFence : OpConversionPattern<FenceOp> {
  using OpConversionPattern::OpConversionPattern;

  /// Emits one fence, which serves as a release and as an acquire.
  LogicalResult
  matchAndRewrite(FenceOp op, OneToNOpAdaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (isRelease(op.getOrder()))
      gpu::BarrierOp::create(rewriter, op.getLoc());
    emitFence(rewriter, op.getLoc(), op.getScope());
    if (isAcquire(op.getOrder()))
      gpu::BarrierOp::create(rewriter, op.getLoc());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void tile::populateFencePatterns(TypeConverter &types,
                                 RewritePatternSet &patterns) {
  patterns.add<ConvertFence>(types, patterns.getContext());
}
