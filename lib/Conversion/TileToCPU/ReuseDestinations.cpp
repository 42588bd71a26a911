// ReuseDestinations.cpp - boxes that are computed where they are inserted
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's elimination of `tensor.empty` lets a loop write into a tensor from
// outside, which the next iteration then reads: its analysis takes the offsets
// of all iterations for the same box. Such insertions are left out here.

#include "tile/Conversion/Passes.h"

#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotModuleBufferize.h"
#include "mlir/Dialect/Bufferization/Transforms/Transforms.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace tile {
#define GEN_PASS_DEF_REUSEDESTINATIONS
#include "tile/Conversion/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Returns the box in which the inserted tensor is computed; null if it must
/// not be reused.
static Value findBox(RewriterBase &rewriter,
                     SubsetInsertionOpInterface insertion,
                     tensor::EmptyOp empty, Operation *user) {
  auto loop = insertion->getParentOfType<LoopLikeOpInterface>();
  Value destination = insertion.getDestinationOperand().get();
  if (loop && loop.isDefinedOutsideOfLoop(destination))
    return {};
  return bufferization::buildSubsetExtraction(rewriter, insertion, empty, user);
}

namespace {
struct ReuseDestinations
    : tile::impl::ReuseDestinationsBase<ReuseDestinations> {
  using ReuseDestinationsBase::ReuseDestinationsBase;

  void runOnOperation() override {
    bufferization::OneShotBufferizationOptions options;
    options.allowReturnAllocsFromLoops = true;
    options.bufferizeFunctionBoundaries = true;
    bufferization::OneShotAnalysisState state(getOperation(), options);
    IRRewriter rewriter(&getContext());
    if (failed(bufferization::analyzeModuleOp(getOperation(), state)) ||
        failed(bufferization::eliminateEmptyTensors(rewriter, getOperation(),
                                                    state, findBox)))
      signalPassFailure();
  }
};
} // namespace
