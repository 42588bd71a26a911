// FindPaddedReductions.cpp - warnings about reductions that include padding
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/PaddedReductions.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_FINDPADDEDREDUCTIONS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct FindPaddedReductions
    : tile::impl::FindPaddedReductionsBase<FindPaddedReductions> {
  using FindPaddedReductionsBase::FindPaddedReductionsBase;

  void runOnOperation() override {
    for (const PaddedReduction &found : findPaddedReductions(getOperation()))
      warn(found);
    markAllAnalysesPreserved();
  }
};
} // namespace
