// ReduceStrength.cpp - multiples of a loop's counter as loop-carried values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a pipelined loop over K, each iteration copies the next boxes of the
// arrays, and their addresses advance by a multiple of a stride. A 64-bit
// multiplication is four instructions on the GPU, and waits for the stride from
// constant memory. In a loop that issues wgmma, these instructions cost 3 % of
// the time for each operand (f16, 4096 cubed, blocks of 128x128, sm_90). In
// other loops the registers for carried values would cost more.

#include "ReduceStrength.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace tile;

/// Whether the loop issues matmuls that execute concurrently with its other
/// instructions.
static bool issuesMatmuls(const llvm::Loop *loop) {
  return llvm::any_of(loop->blocks(), [](llvm::BasicBlock *block) {
    return llvm::any_of(*block, [](llvm::Instruction &instruction) {
      auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      return call && call->getIntrinsicID() ==
                         llvm::Intrinsic::nvvm_wgmma_commit_group_sync_aligned;
    });
  });
}

/// Returns the recurrence of `value` in `loop` if `value` grows by the same
/// step in each iteration and the step is known only at run time; otherwise
/// null.
static const llvm::SCEVAddRecExpr *getRecurrence(llvm::Value *value,
                                                 const llvm::Loop *loop,
                                                 llvm::ScalarEvolution &scev) {
  if (!scev.isSCEVable(value->getType()))
    return nullptr;
  auto *recurrence = llvm::dyn_cast<llvm::SCEVAddRecExpr>(scev.getSCEV(value));
  bool isCarried =
      recurrence && recurrence->getLoop() == loop && recurrence->isAffine() &&
      !llvm::isa<llvm::SCEVConstant>(recurrence->getStepRecurrence(scev));
  return isCarried ? recurrence : nullptr;
}

/// Follows the chain of instructions from `product` on, each of which is the
/// only user of the one before and grows by a run-time step as well. Returns
/// the last one, usually an address.
static llvm::Instruction *findEnd(llvm::Instruction *product,
                                  const llvm::Loop *loop,
                                  llvm::ScalarEvolution &scev) {
  llvm::Instruction *end = product;
  while (end->hasOneUse()) {
    auto *next = llvm::cast<llvm::Instruction>(*end->user_begin());
    if (llvm::isa<llvm::PHINode>(next) || !getRecurrence(next, loop, scev))
      break;
    end = next;
  }
  return end;
}

/// Returns the multiplications in `loop`, without nested loops, whose results
/// grow by a run-time step.
static llvm::SmallVector<llvm::Instruction *>
findMultiplications(llvm::Loop *loop, const llvm::LoopInfo &loops,
                    llvm::ScalarEvolution &scev) {
  llvm::SmallVector<llvm::Instruction *> products;
  for (llvm::BasicBlock *block : loop->blocks())
    if (loops.getLoopFor(block) == loop)
      for (llvm::Instruction &instruction : *block)
        if (instruction.getOpcode() == llvm::Instruction::Mul &&
            getRecurrence(&instruction, loop, scev))
          products.push_back(&instruction);
  return products;
}

/// Replaces the last value of each chain that starts at one of `products` by a
/// value that `loop` carries.
static void reduceStrength(llvm::ArrayRef<llvm::Instruction *> products,
                           const llvm::Loop *loop,
                           llvm::ScalarEvolution &scev) {
  llvm::SCEVExpander expander(scev, "carried");
  expander.disableCanonicalMode();
  llvm::SmallVector<llvm::WeakTrackingVH> replaced;
  for (llvm::Instruction *product : products) {
    llvm::Instruction *end = findEnd(product, loop, scev);
    end->replaceAllUsesWith(expander.expandCodeFor(
        getRecurrence(end, loop, scev), end->getType(), end->getIterator()));
    replaced.push_back(end);
  }
  expander.clear();
  llvm::RecursivelyDeleteTriviallyDeadInstructions(replaced);
}

llvm::PreservedAnalyses
ReduceStrengthPass::run(llvm::Function &function,
                        llvm::FunctionAnalysisManager &analyses) {
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  bool hasChanged = false;
  for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
    if (loop->isInnermost() || !issuesMatmuls(loop))
      continue;
    auto &scev = analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    auto products = findMultiplications(loop, loops, scev);
    if (products.empty())
      continue;
    auto &dominators =
        analyses.getResult<llvm::DominatorTreeAnalysis>(function);
    auto &assumptions = analyses.getResult<llvm::AssumptionAnalysis>(function);
    llvm::simplifyLoop(loop, &dominators, &loops, &scev, &assumptions,
                       /*MSSAU=*/nullptr, /*PreserveLCSSA=*/false);
    reduceStrength(products, loop, scev);
    hasChanged = true;
  }
  return hasChanged ? llvm::PreservedAnalyses::none()
                    : llvm::PreservedAnalyses::all();
}
