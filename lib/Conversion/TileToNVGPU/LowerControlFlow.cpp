// LowerControlFlow.cpp - loops and conditions into blocks and branches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LowerControlFlow.h"

#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"

using namespace mlir;

/// Returns the scf operations inside `root`, in an order in which each comes
/// after the operations that enclose it or follow it in the code. The rest of
/// its block is then short when the block is split.
static SmallVector<Operation *> collectStructured(Operation *root) {
  SmallVector<Operation *> structured;
  root->walk<WalkOrder::PreOrder, ReverseIterator>([&](Operation *op) {
    if (isa_and_present<scf::SCFDialect>(op->getDialect()) &&
        op->getNumRegions() != 0)
      structured.push_back(op);
  });
  return structured;
}

void tile::lowerControlFlow(Operation *root) {
  RewritePatternSet set(root->getContext());
  populateSCFToControlFlowConversionPatterns(set);
  FrozenRewritePatternSet patterns(std::move(set));
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  PatternRewriter rewriter(root->getContext());
  for (Operation *op : collectStructured(root)) {
    rewriter.setInsertionPoint(op);
    (void)applicator.matchAndRewrite(op, rewriter);
  }
}
