// VerifyLevel.cpp - verification that a kernel is at a level
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass sets the level of the kernel and calls tile::verifyLevel.

#include "tile/Analysis/Levels.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_VERIFYLEVEL
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct VerifyLevel : tile::impl::VerifyLevelBase<VerifyLevel> {
  using VerifyLevelBase::VerifyLevelBase;

  void runOnOperation() override {
    setLevel(getOperation(), level);
    if (failed(verifyLevel(getOperation())))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
