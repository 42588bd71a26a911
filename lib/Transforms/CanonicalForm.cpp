// CanonicalForm.cpp - phase 1: one kernel, no calls, nothing said twice
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on tiles exist to be inlined: a tile has no calling convention.
// Upstream's inliner, canonicalizer and CSE do the work; this pass is their
// order, and the check that no call is left. Operations that are others put
// together are expanded on the way.

#include "Expansions.h"

#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#define DEBUG_TYPE "tile-canonical-form"

namespace tile {
#define GEN_PASS_DEF_CANONICALFORM
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Fails at the first call that is left in a kernel.
static LogicalResult verifyNoCalls(ModuleOp module) {
  WalkResult result = module.walk([](KernelOp kernel) {
    return kernel.walk([](CallOpInterface call) {
      InFlightDiagnostic error = call.emitError(
          "expected a call that can be inlined (a function whose body is one "
          "block, not recursive)");
      auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
      if (callee)
        error << ", got " << callee;
      return WalkResult::interrupt();
    });
  });
  return failure(result.wasInterrupted());
}

/// Fails at memory that a kernel takes: its arrays are arguments, its shared
/// memory is tiles.
static LogicalResult verifyNoAllocations(ModuleOp module) {
  WalkResult result = module.walk([](KernelOp kernel) {
    return kernel.walk([](Operation *op) -> WalkResult {
      if (!isa<memref::AllocOp, memref::AllocaOp>(op))
        return WalkResult::advance();
      return op->emitError("expected a kernel without allocations (an array is "
                           "an argument, a tile may be in #tile.shared), got '")
             << op->getName() << "'";
    });
  });
  return failure(result.wasInterrupted());
}

/// Whether an operation of another dialect writes an array.
static bool writesArray(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<TileDialect>(op->getDialect()))
    return false;
  SmallVector<MemoryEffects::EffectInstance> writes;
  effects.getEffects<MemoryEffects::Write>(writes);
  return llvm::any_of(writes, [](const MemoryEffects::EffectInstance &write) {
    Value written = write.getValue();
    return written && isa<BaseMemRefType>(written.getType());
  });
}

/// Fails at what one thread would do and a block cannot.
static LogicalResult verifyUniform(ModuleOp module) {
  WalkResult result = module.walk([](KernelOp kernel) {
    return kernel.walk([](Operation *op) -> WalkResult {
      if (isa<cf::AssertOp>(op))
        return op->emitError("expected 'tile.assert', got 'cf.assert' (which "
                             "ends the host's process)");
      if (!writesArray(op) || op->getParentOfType<PerThreadOp>())
        return WalkResult::advance();
      return op->emitError(
                 "expected an array to be written by an operation on tiles or "
                 "in 'tile.per_thread' (all threads of the block would do "
                 "this), got '")
             << op->getName() << "'";
    });
  });
  return failure(result.wasInterrupted());
}

namespace {
struct CanonicalForm : tile::impl::CanonicalFormBase<CanonicalForm> {
  using CanonicalFormBase::CanonicalFormBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<complex::ComplexDialect, math::MathDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    // Only kernels are entry points; what they call is removed once inlined.
    getOperation().walk([](func::FuncOp function) { function.setPrivate(); });
    OpPassManager passes(ModuleOp::getOperationName());
    passes.addPass(createInlinerPass());
    expandOperations();
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    if (failed(runPipeline(passes, getOperation())) ||
        failed(verifyNoCalls(getOperation())) ||
        failed(verifyNoAllocations(getOperation())) ||
        failed(verifyUniform(getOperation())) || failed(expandOrderedUpdates()))
      return signalPassFailure();
    OpPassManager cleanup(ModuleOp::getOperationName());
    cleanup.addPass(createSymbolDCEPass());
    if (failed(runPipeline(cleanup, getOperation())))
      signalPassFailure();
  }

private:
  /// Where functions are inlined: a kernel counts its blocks.
  LogicalResult expandOrderedUpdates() {
    SmallVector<AtomicRMWOp> updates;
    getOperation().walk([&](AtomicRMWOp op) { updates.push_back(op); });
    for (AtomicRMWOp op : updates)
      if (failed(expandOrdered(op)))
        return failure();
    return success();
  }

  /// What an expansion makes is expanded by those behind it.
  void expandOperations() {
    getOperation().walk(expandHistogram);
    getOperation().walk(expandPush);
    getOperation().walk(expandPop);
    getOperation().walk(expandArgReduce);
    getOperation().walk(expandExtract);
    getOperation().walk(expandTopK);
    getOperation().walk(expandView);
    getOperation().walk(expandMaskedLoad);
    getOperation().walk(expandMaskedStore);
    getOperation().walk(expandIota);
    getOperation().walk(expandRandom);
  }
};
} // namespace
