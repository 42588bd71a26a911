// SimplifyGradient.cpp - simplifies the transposed program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimplifyGradient.h"

#include "ArgumentRoles.h"

#include "tile/Gradient/ValueBuilder.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tile;

/// Replaces a cast back to a narrower type by the value before.
static void removeRoundTrips(KernelOp kernel) {
  kernel.walk([](CastOp op) {
    ValueBuilder b(op.getLoc(), op.getContext());
    b.setInsertionPoint(op);
    auto first = op.getSource().getDefiningOp<CastOp>();
    if (first && first.getSource().getType() == op.getType() &&
        b.cast(op.getSource(), getElementType(op.getType())) ==
            first.getSource())
      op.getResult().replaceAllUsesWith(first.getSource());
  });
}

/// Moves a load of an array that the kernel only reads to the first position in
/// its block where its operands are known.
static void raise(LoadOp load) {
  auto array = dyn_cast<BlockArgument>(load.getSource());
  if (!array || getArrayAccess(array).writes)
    return;
  Block *block = load->getBlock();
  Operation *last = nullptr;
  for (Value operand : load->getOperands()) {
    Operation *op = operand.getDefiningOp();
    if (op && op->getBlock() == block && (!last || last->isBeforeInBlock(op)))
      last = op;
  }
  if (last)
    load->moveAfter(last);
  else
    load->moveBefore(block, block->begin());
}

void tile::eraseWrites(Value array, const llvm::DenseSet<Operation *> &kept) {
  for (Operation *user : llvm::make_early_inc_range(array.getUsers()))
    if (user->use_empty() && !isMemoryEffectFree(user) && !kept.contains(user))
      user->erase();
}

/// Whether a loop carries a value only to compute the same value of the next
/// iteration.
static bool isDeadCarry(scf::ForOp loop, unsigned index) {
  if (!loop.getResult(index).use_empty())
    return false;
  SetVector<Operation *> users;
  getForwardSlice(loop.getRegionIterArgs()[index], &users);
  Operation *yield = loop.getBody()->getTerminator();
  return llvm::all_of(users, [&](Operation *op) {
    if (op != yield)
      return isMemoryEffectFree(op) && op->getBlock() == loop.getBody();
    return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
      Operation *source = operand.get().getDefiningOp();
      return operand.getOperandNumber() == index ||
             (operand.get() != loop.getRegionIterArgs()[index] &&
              (!source || !users.contains(source)));
    });
  });
}

/// Makes loops carry dead values without a change, so that they can be removed.
/// Returns whether there are any.
static bool detachDeadCarries(KernelOp kernel) {
  bool isChanged = false;
  kernel.walk([&](scf::ForOp loop) {
    Operation *yield = loop.getBody()->getTerminator();
    for (unsigned index = 0; index < loop.getNumResults(); ++index)
      if (isDeadCarry(loop, index)) {
        yield->setOperand(index, loop.getRegionIterArgs()[index]);
        isChanged = true;
      }
  });
  return isChanged;
}

/// Removes values that loops carry without a change.
static void removeCarries(KernelOp kernel) {
  RewritePatternSet patterns(kernel.getContext());
  scf::ForOp::getCanonicalizationPatterns(patterns, kernel.getContext());
  (void)applyPatternsGreedily(kernel, std::move(patterns));
}

void tile::eraseDeadOperations(KernelOp kernel) {
  IRRewriter rewriter(kernel.getContext());
  (void)runRegionDCE(rewriter, kernel->getRegions());
  if (!detachDeadCarries(kernel))
    return;
  removeCarries(kernel);
  (void)runRegionDCE(rewriter, kernel->getRegions());
}

void tile::simplifyGradient(KernelOp kernel) {
  removeCarries(kernel);
  removeRoundTrips(kernel);
  eraseDeadOperations(kernel);
  SmallVector<LoadOp> loads;
  kernel.walk([&](LoadOp load) { loads.push_back(load); });
  // The reverse order keeps the order of loads that move to one position.
  for (LoadOp load : llvm::reverse(loads))
    raise(load);
}
