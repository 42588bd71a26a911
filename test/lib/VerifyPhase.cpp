// VerifyPhase.cpp - what each phase promises to those after it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -test-tile-verify-phase=phase=N holds a module to what the phases up to N
// leave (tile/Analysis/Postconditions.h), of which 9 leaves no kernel.

#include "tile/Analysis/Postconditions.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tile;

static LogicalResult verifyDialects(ModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (op == module ||
        isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect()))
      return WalkResult::advance();
    return op->emitError("expected an operation of the LLVM or NVVM dialect");
  });
  return failure(result.wasInterrupted());
}

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
      if (failed(verifyDialects(getOperation())))
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
