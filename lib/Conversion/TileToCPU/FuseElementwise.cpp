// FuseElementwise.cpp - fusion of elementwise loops without recomputation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/Passes.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace tile {
#define GEN_PASS_DEF_FUSEELEMENTWISE
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Whether the loop that computes `operand` may be fused into the loop that
/// reads it.
static bool isWorthFusing(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::GenericOp>();
  auto consumer = dyn_cast<linalg::GenericOp>(operand->getOwner());
  if (!producer || !consumer)
    return false;
  if (producer.getNumDpsInputs() == 0)
    return true;
  return producer->hasOneUse() &&
         consumer.getNumParallelLoops() == consumer.getNumLoops() &&
         consumer.getMatchingIndexingMap(operand).isPermutation();
}

namespace {
struct FuseElementwise : tile::impl::FuseElementwiseBase<FuseElementwise> {
  using FuseElementwiseBase::FuseElementwiseBase;

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, isWorthFusing);
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace
