// VerifyBuffered.cpp - a kernel is at level buffered, or an error
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is verified is that of tile::verifyLevel, for the claim that the kernel
// makes from here on.

#include "tile/Analysis/Levels.h"
#include "tile/Transforms/Passes.h"

#define DEBUG_TYPE "tile-verify-buffered"

namespace tile {
#define GEN_PASS_DEF_VERIFYBUFFERED
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct VerifyBuffered : tile::impl::VerifyBufferedBase<VerifyBuffered> {
  using VerifyBufferedBase::VerifyBufferedBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    kernel->setAttr(kLevelAttr, LevelAttr::get(&getContext(), Level::buffered));
    if (failed(verifyLevel(kernel)))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
