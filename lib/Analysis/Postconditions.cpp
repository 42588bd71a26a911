// Postconditions.cpp - postconditions of the phases
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Postconditions.h"

#include "tile/IR/ConvertLayout.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/StorageInvariants.h"
#include "tile/Analysis/Synchronization.h"
#include "tile/Analysis/Tiling.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace tile;

/// Returns the types of tiles among an operation's operands and results, and
/// among its regions' arguments.
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

/// Whether `verify` holds for each operation of the kernel.
static LogicalResult
verifyAll(KernelOp kernel, function_ref<LogicalResult(Operation *)> verify) {
  WalkResult result =
      kernel.walk([&](Operation *op) { return WalkResult(verify(op)); });
  return failure(result.wasInterrupted());
}

//===----------------------------------------------------------------------===//
// 1. Canonical form
//===----------------------------------------------------------------------===//

static bool assumesAlignment(KernelOp kernel) {
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i)
    if (kernel.getArgAttr(i, kAssumedAlignmentAttr) ||
        kernel.getArgAttr(i, kAssumedStrideAlignmentAttr))
      return true;
  return false;
}

static LogicalResult verifyGenericVariant(KernelOp kernel,
                                          SymbolTableCollection &symbols) {
  auto name = kernel->getAttrOfType<StringAttr>(kGeneralOfAttr);
  if (!name)
    return success();
  auto promised =
      symbols.lookupNearestSymbolFrom<KernelOp>(kernel->getParentOp(), name);
  if (!promised || !assumesAlignment(promised) ||
      promised.getArgumentTypes() != kernel.getArgumentTypes())
    return kernel.emitError(
               "expected a specialized variant of the same arguments "
               "called ")
           << name;
  if (assumesAlignment(kernel))
    return kernel.emitError("expected a generic variant without assumptions");
  return success();
}

LogicalResult tile::verifyBodies(ModuleOp module) {
  SymbolTableCollection symbols;
  for (KernelOp kernel : module.getOps<KernelOp>())
    if (failed(verifyGenericVariant(kernel, symbols)))
      return failure();
  return success();
}

LogicalResult tile::verifyNotComposite(Operation *op) {
  if (!isComposite(op))
    return success();
  return op->emitError("expected no composite operation (run -tile-decompose "
                       "before), got '")
         << op->getName() << "'";
}

static LogicalResult verifyCanonical(KernelOp kernel) {
  return verifyAll(kernel, [](Operation *op) -> LogicalResult {
    if (isa<CallOpInterface>(op))
      return op->emitError("expected no call in a kernel");
    return verifyNotComposite(op);
  });
}

//===----------------------------------------------------------------------===//
// 2. Warp tiling
//===----------------------------------------------------------------------===//

static LogicalResult verifyTiling(KernelOp kernel) {
  if (!kernel.getBlock())
    return kernel.emitError("expected a block size");
  return verifyAll(kernel, [](Operation *op) -> LogicalResult {
    auto matmul = dyn_cast<MatmulOpInterface>(op);
    if (matmul && !hasCompleteTiling(matmul))
      return op->emitError("expected a complete tiling");
    return success();
  });
}

//===----------------------------------------------------------------------===//
// 3. Storage
//===----------------------------------------------------------------------===//

static bool crossesRegion(Operation *op) {
  return op->hasTrait<OpTrait::IsTerminator>() ||
         (op->getNumRegions() && !isa<KernelOp, CombiningOpInterface>(op));
}

static LogicalResult verifyStorage(KernelOp kernel) {
  if (!kernel->hasAttr(kStorageAttr))
    return kernel.emitError("expected a list of the tiles' storage");
  return verifyAll(kernel, [](Operation *op) -> LogicalResult {
    bool needsRegisters =
        op->hasTrait<OpTrait::Elementwise>() || crossesRegion(op);
    for (TileType tile : getTiles(op)) {
      if (!tile.getStorage())
        return op->emitError("expected a tile with a storage, got ") << tile;
      if (needsRegisters && !tile.getRegister())
        return op->emitError("expected a tile in registers, got ") << tile;
    }
    return success();
  });
}

//===----------------------------------------------------------------------===//
// 4. Layouts
//===----------------------------------------------------------------------===//

static LogicalResult verifyLayout(Operation *op) {
  SmallVector<TileType> tiles = getTiles(op);
  for (TileType tile : tiles) {
    if (!isResolved(tile))
      return op->emitError("expected a tile with a layout, got ") << tile;
    if (op->hasTrait<OpTrait::Elementwise>() &&
        tile.getStorage() != tiles.front().getStorage())
      return op->emitError("expected operands of one layout, got ")
             << tiles.front() << " and " << tile;
  }
  auto reduce = dyn_cast<ReduceOp>(op);
  if (!reduce || tiles.front().getRank() == 0)
    return success();
  if (!tiles.front().getRegister())
    return op->emitError("expected a tile in registers, got ") << tiles.front();
  RegisterLayout layout = tiles.front().getRegister().getRegisterLayout();
  if (!reduce.getAxis() ||
      layout.getExtent(RegisterLayout::kWarp, *reduce.getAxis()) != 1)
    return op->emitError("expected a reduction within warps, along an axis");
  return success();
}

static LogicalResult verifyLayouts(KernelOp kernel) {
  return verifyAll(kernel, [&](Operation *op) -> LogicalResult {
    std::string problem = findStorageProblem(op, getParticipants(op).numWarps);
    return problem.empty() ? verifyLayout(op) : op->emitError(problem);
  });
}

//===----------------------------------------------------------------------===//
// 5. Pipelining
//===----------------------------------------------------------------------===//

static LogicalResult verifyNoMarks(KernelOp kernel) {
  return verifyAll(kernel, [](Operation *op) -> LogicalResult {
    if (op->hasAttr(kNumStagesAttr) || op->hasAttr(kCopyAttr))
      return op->emitError("expected no mark of a loop with stages");
    auto buffer = dyn_cast<memref::AllocOp>(op);
    if (buffer && !isSharedBuffer(buffer.getType()))
      return buffer.emitError("expected a buffer in shared memory");
    return success();
  });
}

//===----------------------------------------------------------------------===//
// 6. Buffers
//===----------------------------------------------------------------------===//

static LogicalResult verifyBuffers(KernelOp kernel) {
  return verifyAll(kernel, [](Operation *op) -> LogicalResult {
    for (TileType tile : getTiles(op))
      if (tile.getShared())
        return op->emitError("expected a buffer for a shared tile, got ")
               << tile;
    auto convert = dyn_cast<ConvertLayoutOp>(op);
    if (!convert)
      return success();
    if (getRegisterMove(convert.getSource().getType(), convert.getType()) !=
        RegisterMove::exchange)
      return success();
    return op->emitError("expected each warp to keep its elements");
  });
}

//===----------------------------------------------------------------------===//
// 7. Allocation
//===----------------------------------------------------------------------===//

static LogicalResult verifyAllocation(KernelOp kernel) {
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
  if (!bytes)
    return kernel.emitError("expected the bytes of shared memory");
  const Architecture *architecture = getTargetArchitecture(kernel);
  if (!architecture)
    return failure();
  int64_t limit = getSharedBytesLimit(kernel, *architecture);
  if (bytes.getInt() > limit)
    return kernel.emitError("expected at most ")
           << limit << " bytes of shared memory on " << architecture->name
           << ", got " << bytes.getInt();
  return verifyAll(kernel, [&](Operation *op) -> LogicalResult {
    auto allocation = dyn_cast<memref::AllocOp>(op);
    if (!allocation)
      return success();
    auto offset = op->getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
    int64_t room = bytes.getInt() - getAllocationBytes(allocation);
    if (!offset || offset.getInt() < 0 || offset.getInt() > room)
      return op->emitError("expected an offset of ")
             << getAllocationBytes(allocation) << " bytes within "
             << bytes.getInt();
    return success();
  });
}

//===----------------------------------------------------------------------===//
// 8. Synchronization, access plans
//===----------------------------------------------------------------------===//

static LogicalResult verifyOrder(KernelOp kernel) {
  return emitFindings(findUnorderedAccesses(kernel));
}

static LogicalResult verifyAccesses(KernelOp kernel) {
  return verifyAll(kernel, verifyAccess);
}

static LogicalResult verifySynchronization(KernelOp kernel) {
  return success(succeeded(verifyOrder(kernel)) &&
                 succeeded(verifyAccesses(kernel)));
}

LogicalResult tile::verifyPostconditions(KernelOp kernel, int phase) {
  using Verify = LogicalResult (*)(KernelOp);
  constexpr Verify kPostconditions[kLastKernelPhase] = {
      verifyCanonical, verifyTiling,  verifyStorage,    verifyLayouts,
      verifyNoMarks,   verifyBuffers, verifyAllocation, verifySynchronization};
  for (Verify verify : ArrayRef(kPostconditions).take_front(phase))
    if (failed(verify(kernel)))
      return failure();
  return success();
}
