// VerifyPhase.cpp - checks the postconditions of the phases
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -test-tile-verify-phase=phase=N verifies the postconditions of phases 1 to N
// (tile/Analysis/Postconditions.h). After phase 9, no kernel may be left.

#include "tile/Analysis/Levels.h"
#include "tile/Analysis/Postconditions.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tile;

namespace {
struct VerifyPhase : PassWrapper<VerifyPhase, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(VerifyPhase)

  VerifyPhase() = default;
  VerifyPhase(const VerifyPhase &other) : PassWrapper(other) {}

  StringRef getArgument() const final { return "test-tile-verify-phase"; }
  StringRef getDescription() const final {
    return "hold a module to the invariants of the phases up to one";
  }

  void runOnOperation() final {
    constexpr int64_t kLast = kLastKernelPhase + 1;
    if (phase < 1 || phase > kLast) {
      emitError(getOperation().getLoc(), "expected a phase from 1 to ")
          << kLast << ", got " << phase.getValue();
      return signalPassFailure();
    }
    if (phase == kLast) {
      if (failed(verifyThreadLevel(getOperation())))
        signalPassFailure();
      return;
    }
    if (failed(verifyBodies(getOperation())))
      return signalPassFailure();
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      if (failed(verifyPostconditions(kernel, phase)))
        return signalPassFailure();
  }

  Option<int64_t> phase{*this, "phase",
                        llvm::cl::desc("the last phase that has run")};
};
} // namespace

namespace tile::test {
void registerVerifyPhase() { PassRegistration<VerifyPhase>(); }
} // namespace tile::test
