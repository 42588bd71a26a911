// VerifyChannels.cpp - check that channels are filled and read in order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The check is tile::findWrongFills. The program is not changed.

#include "tile/Analysis/ChannelFills.h"
#include "tile/Analysis/ChannelPositions.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_VERIFYCHANNELS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct VerifyChannels : tile::impl::VerifyChannelsBase<VerifyChannels> {
  using VerifyChannelsBase::VerifyChannelsBase;

  void runOnOperation() override {
    if (failed(verifyChannels(getOperation())) ||
        failed(emitFindings(findWrongFills(getOperation()))))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
