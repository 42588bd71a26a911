// CanonicalForm.cpp - phase 1: one kernel, no calls, no common subexpressions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on tiles exist only to be inlined: a tile has no calling
// convention. The pass runs MLIR's inliner, canonicalizer and CSE in this
// order, and checks that no call is left. Composite operations stay as they
// are.

#include "InlinedSize.h"

#include "tile/Analysis/HostCode.h"
#include "tile/Analysis/Levels.h"
#include "tile/Analysis/Parameters.h"
#include "tile/IR/DiscardableAttrs.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_CANONICALFORM
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Fails at a call, since all calls must have been inlined.
static LogicalResult verifyNoCall(Operation *op) {
  auto call = dyn_cast<CallOpInterface>(op);
  if (!call)
    return success();
  InFlightDiagnostic error = call.emitError(
      "expected a call that can be inlined (a function whose body is one "
      "block, not recursive)");
  auto callee = dyn_cast<SymbolRefAttr>(call.getCallableForCallee());
  if (callee)
    error << ", got " << callee;
  return error;
}

/// Fails at an allocation in a kernel: its arrays are arguments, and its shared
/// memory holds tiles.
static LogicalResult verifyNoAllocation(Operation *op) {
  if (!isa<memref::AllocOp, memref::AllocaOp>(op))
    return success();
  return op->emitError("expected a kernel without allocations (an array is "
                       "an argument, a tile may be in #tile.shared), got '")
         << op->getName() << "'";
}

/// Whether an operation, not of the tile dialect, writes an array.
static bool writesArray(Operation *op) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isTileOperation(op))
    return false;
  SmallVector<MemoryEffects::EffectInstance> writes;
  effects.getEffects<MemoryEffects::Write>(writes);
  return llvm::any_of(writes, [](const MemoryEffects::EffectInstance &write) {
    Value written = write.getValue();
    return written && isa<BaseMemRefType>(written.getType());
  });
}

/// Fails at an operation that all threads of a block would execute, but that is
/// only valid in one thread: cf.assert, or a write to an array.
static LogicalResult verifyUniform(Operation *op) {
  if (isa<cf::AssertOp>(op))
    return op->emitError("expected 'tile.assert', got 'cf.assert' (which "
                         "ends the host's process)");
  if (!writesArray(op) || op->getParentWithTrait<ThreadRegion>())
    return success();
  return op->emitError("expected an array to be written by an operation on "
                       "tiles or in 'tile.per_thread' (all threads of the "
                       "block would do this), got '")
         << op->getName() << "'";
}

/// Fails at a kernel that later phases have already changed, and at a kernel
/// with too many arguments.
static LogicalResult verifySource(ModuleOp module) {
  for (KernelOp kernel : module.getOps<KernelOp>())
    if (failed(verifyLevel(kernel, Level::source)) ||
        failed(verifyParameters(kernel)))
      return failure();
  return success();
}

static bool hasCalls(ModuleOp module) {
  return module.walk([](CallOpInterface) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Whether a function works on tiles, so that it is inlined into kernels. Other
/// functions may be host code, which launches kernels.
static bool worksOnTiles(func::FuncOp function) {
  if (llvm::any_of(function.getArgumentTypes(), llvm::IsaPred<TileType>) ||
      llvm::any_of(function.getResultTypes(), llvm::IsaPred<TileType>))
    return true;
  return function
      .walk([](Operation *op) {
        return isTileOperation(op) && !op->hasTrait<HostOperation>()
                   ? WalkResult::interrupt()
                   : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether an operation calls a function whose author states its derivatives.
static bool isCustomCall(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  auto function = call ? SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
                             call, call.getCalleeAttr())
                       : func::FuncOp();
  return function && hasCustomDerivative(function);
}

/// Fails at the first operation that is not allowed in a kernel.
static LogicalResult verifyKernels(ModuleOp module, bool keepsCustom) {
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    WalkResult result = kernel.walk([&](Operation *op) {
      bool isKept = keepsCustom && isCustomCall(op);
      return WalkResult(failure((!isKept && failed(verifyNoCall(op))) ||
                                failed(verifyNoAllocation(op)) ||
                                failed(verifyUniform(op))));
    });
    if (result.wasInterrupted())
      return failure();
  }
  return success();
}

namespace {
struct CanonicalForm : tile::impl::CanonicalFormBase<CanonicalForm> {
  using CanonicalFormBase::CanonicalFormBase;

  /// Keeps calls of functions with custom derivatives from being inlined, if
  /// this is requested. Returns these functions.
  SmallVector<func::FuncOp> keepFunctions() {
    SmallVector<func::FuncOp> kept;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (keepsCustom && hasCustomDerivative(function) &&
          !function.getNoInline()) {
        function.setNoInline(true);
        kept.push_back(function);
      }
    return kept;
  }

  void runOnOperation() override {
    if (failed(verifyHasKernels(getOperation())) ||
        failed(verifySource(getOperation())) ||
        failed(verifyInlinedSize(getOperation())))
      return signalPassFailure();
    SmallVector<func::FuncOp> kept = keepFunctions();
    OpPassManager passes(ModuleOp::getOperationName());
    if (hasCalls(getOperation())) // Most programs have none.
      passes.addPass(createInlinerPass());
    passes.addPass(createCanonicalizerPass());
    passes.addPass(createCSEPass());
    if (failed(runPipeline(passes, getOperation())) ||
        failed(verifyKernels(getOperation(), keepsCustom)))
      return signalPassFailure();
    for (func::FuncOp function : kept)
      function.setNoInline(false);
    // Functions on tiles are no longer called. SymbolDCE removes them once they
    // are private.
    getOperation().walk([](func::FuncOp function) {
      if (worksOnTiles(function))
        function.setPrivate();
    });
    OpPassManager cleanup(ModuleOp::getOperationName());
    cleanup.addPass(createSymbolDCEPass());
    if (failed(runPipeline(cleanup, getOperation())))
      signalPassFailure();
  }
};
} // namespace
