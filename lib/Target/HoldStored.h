// HoldStored.h - keep the computation of stored values before barriers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_HOLDSTORED_H
#define TILE_TARGET_HOLDSTORED_H

#include "llvm/IR/PassManager.h"

namespace tile {

/// Adds a use, an `llvm.fake.use`, of each value that another block stores, at
/// the end of the block that computes it. Other passes then leave the
/// computation there. Otherwise they move it into the block of a guarded store,
/// which may be after a barrier, and all operands that were loaded before the
/// barrier stay in registers.
struct HoldStoredPass : llvm::PassInfoMixin<HoldStoredPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses);

  static constexpr llvm::StringLiteral kName = "tile-hold-stored";
};

} // namespace tile

#endif // TILE_TARGET_HOLDSTORED_H
