// SetTarget.cpp - the architecture for which the module is compiled
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Architecture.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_SETTARGET
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace tile;

namespace {
struct SetTarget : tile::impl::SetTargetBase<SetTarget> {
  using SetTargetBase::SetTargetBase;

  void runOnOperation() override {
    if (!setTargetArchitecture(getOperation(), arch))
      signalPassFailure();
  }
};
} // namespace
