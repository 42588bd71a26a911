// ReduceStrength.cpp - multiples of a loop's counter as loop-carried values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In a pipelined loop over K, each iteration copies the next boxes of the
// arrays, whose addresses advance by a multiple of a stride. A multiplication
// of 64 bits is four instructions on the GPU, and waits for the stride from
// constant memory. In a loop that issues wgmma, these instructions cost 3 % of
// the time for each operand (f16, 4096 cubed, blocks of 128x128, sm_90); in
// other loops the registers of the carried values cost more.

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

/// Returns the recurrence of `value` in the iterations of `loop`, if it grows
/// by one step that is known only at run time.
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

/// Returns the end of the chain of values that grow with `product`, each
/// computed only from the value before it; the end is usually an address.
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

/// Returns the multiplications of the loop itself, not of loops in it.
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

/// Makes `loop` carry the ends of the chains that start at `products`.
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
