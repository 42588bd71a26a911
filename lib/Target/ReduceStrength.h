// ReduceStrength.h - multiples of a loop's counter as loop-carried values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_REDUCESTRENGTH_H
#define TILE_TARGET_REDUCESTRENGTH_H

#include "llvm/IR/PassManager.h"

namespace tile {

/// Replaces, in a loop that contains loops and issues wgmma, an address or
/// integer that grows by the same run-time step each iteration, and is made by
/// multiplication, with one that the loop carries and adds the step to. LLVM's
/// loop strength reduction does so only for innermost loops (LLVM 22,
/// LoopStrengthReduce.cpp: "LSR skipping outer loop").
struct ReduceStrengthPass : llvm::PassInfoMixin<ReduceStrengthPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

  static constexpr llvm::StringLiteral kName = "tile-carry-products";
};

} // namespace tile

#endif // TILE_TARGET_REDUCESTRENGTH_H
