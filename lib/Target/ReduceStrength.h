// ReduceStrength.h - multiples of a loop's counter as loop-carried values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_REDUCESTRENGTH_H
#define TILE_TARGET_REDUCESTRENGTH_H

#include "llvm/IR/PassManager.h"

namespace tile {

/// Handles loops that issue wgmma and contain other loops. An address or
/// integer that is computed by a multiplication, and grows by the same run-time
/// step in each iteration, is replaced by a value that the loop carries, and to
/// which it adds the step. LLVM's loop strength reduction does this only in
/// innermost loops (LLVM 22, LoopStrengthReduce.cpp: "LSR skipping outer
/// loop").
struct ReduceStrengthPass : llvm::PassInfoMixin<ReduceStrengthPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

  static constexpr llvm::StringLiteral kName = "tile-carry-products";
};

} // namespace tile

#endif // TILE_TARGET_REDUCESTRENGTH_H
