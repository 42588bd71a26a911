// VerifyPhase.cpp - what each phase promises to those after it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -test-tile-verify-phase=phase=N holds a module to the invariants of the
// phases up to N (docs/Pipeline.md). What one phase leaves the next ones keep,
// down to phase 9, which leaves other dialects only.

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Synchronization.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tile;

/// The types of tiles among an operation's operands and results, and of its
/// regions' arguments.
static SmallVector<TileType> getTiles(Operation *op) {
  SmallVector<TileType> tiles;
  auto add = [&](TypeRange types) {
    for (Type type : types)
      if (auto tile = dyn_cast<TileType>(type))
        tiles.push_back(tile);
  };
  add(op->getOperandTypes());
  add(op->getResultTypes());
  for (Region &region : op->getRegions())
    add(region.getArgumentTypes());
  return tiles;
}

//===----------------------------------------------------------------------===//
// 1. Canonical form
//===----------------------------------------------------------------------===//

static bool hasPromise(KernelOp kernel) {
  for (unsigned i = 0; i < kernel.getArgumentTypes().size(); ++i)
    if (kernel.getArgAttr(i, kAlignmentAttr))
      return true;
  return false;
}

/// A general body stands beside the body whose promise it does without.
static LogicalResult verifyBodies(KernelOp kernel) {
  auto name = kernel->getAttrOfType<StringAttr>(kGeneralOfAttr);
  if (!name)
    return success();
  auto promised = SymbolTable::lookupNearestSymbolFrom<KernelOp>(
      kernel->getParentOp(), name);
  if (!promised || !hasPromise(promised) ||
      promised.getArgumentTypes() != kernel.getArgumentTypes())
    return kernel.emitError("expected a promised body of the same arguments "
                            "called ")
           << name;
  if (hasPromise(kernel))
    return kernel.emitError("expected a general body without promises");
  return success();
}

static LogicalResult verifyCanonical(KernelOp kernel) {
  WalkResult result = kernel.walk([](CallOpInterface call) -> WalkResult {
    return call.emitError("expected no call in a kernel");
  });
  return failure(result.wasInterrupted() || failed(verifyBodies(kernel)));
}

//===----------------------------------------------------------------------===//
// 2. Warp tiling
//===----------------------------------------------------------------------===//

static bool isComplete(TilingAttr tiling) {
  if (!tiling || !tiling.getWarps() || !tiling.getSub() || !tiling.getAtom())
    return false;
  return tiling.getAtom() != "fma" || tiling.getThread();
}

static LogicalResult verifyTiling(KernelOp kernel) {
  if (!kernel.getBlock())
    return kernel.emitError("expected a block size");
  WalkResult result = kernel.walk([](MatmulOp op) -> WalkResult {
    if (isComplete(op.getTiling().value_or(TilingAttr())))
      return WalkResult::advance();
    return op.emitError("expected a complete tiling");
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 3. Storage
//===----------------------------------------------------------------------===//

static bool crossesRegion(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         (op->getNumRegions() &&
          !isa<KernelOp, MapOp, CombiningOpInterface>(op));
}

static LogicalResult verifyStorage(KernelOp kernel) {
  if (!kernel->getAttrOfType<ArrayAttr>(kStorageAttr))
    return kernel.emitError("expected a list of the tiles' storage");
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    bool needsRegisters =
        OpTrait::hasElementwiseMappableTraits(op) || crossesRegion(op);
    for (TileType tile : getTiles(op)) {
      if (!tile.getStorage())
        return op->emitError("expected a tile with a storage, got ") << tile;
      if (needsRegisters && !tile.getRegister())
        return op->emitError("expected a tile in registers, got ") << tile;
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 4. Layouts
//===----------------------------------------------------------------------===//

static bool isResolved(TileType tile) {
  if (RegisterAttr registers = tile.getRegister())
    return registers.isResolved();
  return tile.getShared() && tile.getShared().isResolved();
}

static LogicalResult verifyLayout(Operation *op) {
  SmallVector<TileType> tiles = getTiles(op);
  for (TileType tile : tiles) {
    if (!isResolved(tile))
      return op->emitError("expected a tile with a layout, got ") << tile;
    if (OpTrait::hasElementwiseMappableTraits(op) &&
        tile.getStorage() != tiles.front().getStorage())
      return op->emitError("expected operands of one layout, got ")
             << tiles.front() << " and " << tile;
  }
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || tiles.front().getRank() == 0)
    return success();
  RegisterLayout layout = tiles.front().getRegister().getRegisterLayout();
  if (!reduce.getAxis() ||
      layout.getExtent(RegisterLayout::kWarp, *reduce.getAxis()) != 1)
    return op->emitError("expected a reduction within warps, along an axis");
  return success();
}

static LogicalResult verifyLayouts(KernelOp kernel) {
  WalkResult result =
      kernel.walk([](Operation *op) -> WalkResult { return verifyLayout(op); });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 5. Pipelining
//===----------------------------------------------------------------------===//

static LogicalResult verifyNoMarks(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    if (op->hasAttr(kNumStagesAttr) || op->hasAttr(kStageAttr))
      return op->emitError("expected no mark of a stage");
    auto ring = dyn_cast<memref::AllocOp>(op);
    if (ring && !isSharedBuffer(ring.getType()))
      return ring.emitError("expected a buffer in shared memory");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 6. Buffers
//===----------------------------------------------------------------------===//

static LogicalResult verifyBuffers(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    for (TileType tile : getTiles(op))
      if (tile.getShared())
        return op->emitError("expected a buffer for a shared tile, got ")
               << tile;
    auto convert = dyn_cast<ConvertLayoutOp>(op);
    if (!convert)
      return WalkResult::advance();
    RegisterAttr from = convert.getSource().getType().getRegister();
    RegisterAttr to = convert.getType().getRegister();
    if (from.getRegisterLayout().isEquivalent(to.getRegisterLayout()))
      return WalkResult::advance();
    return op->emitError("expected a renaming of registers");
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 7. Allocation
//===----------------------------------------------------------------------===//

static LogicalResult verifyAllocation(KernelOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
  if (!bytes)
    return kernel.emitError("expected the bytes of shared memory");
  WalkResult result = kernel.walk([&](memref::AllocOp op) -> WalkResult {
    auto offset = op->getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
    if (!offset || offset.getInt() < 0 || offset.getInt() >= bytes.getInt())
      return op.emitError("expected an offset within ")
             << bytes.getInt() << " bytes";
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 8. Synchronization, 9. NVVM
//===----------------------------------------------------------------------===//

static LogicalResult verifyOrder(KernelOp kernel) {
  auto findings = findUnorderedAccesses(kernel);
  for (const SynchronizationFinding &finding : findings)
    finding.emit();
  return success(findings.empty());
}

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
    using Verify = LogicalResult (*)(KernelOp);
    constexpr Verify kInvariants[] = {
        verifyCanonical, verifyTiling,  verifyStorage,    verifyLayouts,
        verifyNoMarks,   verifyBuffers, verifyAllocation, verifyOrder};
    constexpr int64_t kLast = std::size(kInvariants) + 1;
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
    for (KernelOp kernel : getOperation().getOps<KernelOp>())
      for (Verify verify : ArrayRef(kInvariants).take_front(phase))
        if (failed(verify(kernel)))
          return signalPassFailure();
  }

  Option<int64_t> phase{*this, "phase",
                        llvm::cl::desc("the last phase that has run")};
};
} // namespace

namespace tile::test {
void registerVerifyPhase() { PassRegistration<VerifyPhase>(); }
} // namespace tile::test
