// VerifySynchronization.cpp - check that conflicting accesses are ordered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The proof is in tile::findUnorderedAccesses. The program is not changed.

#include "tile/Analysis/Synchronization.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_VERIFYSYNCHRONIZATION
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct VerifySynchronization
    : tile::impl::VerifySynchronizationBase<VerifySynchronization> {
  using VerifySynchronizationBase::VerifySynchronizationBase;

  void runOnOperation() override {
    if (failed(emitFindings(findUnorderedAccesses(getOperation()))))
      return signalPassFailure();
    markAllAnalysesPreserved();
  }
};
} // namespace
