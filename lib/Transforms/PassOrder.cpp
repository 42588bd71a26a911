// PassOrder.cpp - preconditions of the passes of phases 3 to 8
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PassOrder.h"

#include "tile/Analysis/StorageInvariants.h"
#include "tile/Analysis/Tiling.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tile;

static StringRef getArgument(TilePass pass) {
  switch (pass) {
  case TilePass::kAssignStorage:
    return "-tile-assign-storage";
  case TilePass::kAssignLayouts:
    return "-tile-assign-layouts";
  case TilePass::kAssignStages:
    return "-tile-assign-stages";
  case TilePass::kExpandPipeline:
    return "-tile-expand-pipeline";
  case TilePass::kBufferize:
    return "-tile-bufferize";
  case TilePass::kPlanAccesses:
    return "-tile-plan-accesses";
  }
  llvm_unreachable("a pass");
}

static LogicalResult verifyNotMadeYet(Operation *op, TilePass pass) {
  std::optional<TilePass> maker = getMaker(op);
  if (!maker || *maker < pass)
    return success();
  return op->emitError("expected a kernel from before ")
         << getArgument(*maker) << ", got an operation that it makes";
}

/// Whether a pass requires the storage of all tiles in shared memory to be
/// valid.
static bool readsShared(TilePass pass) {
  return pass == TilePass::kAssignLayouts || pass == TilePass::kBufferize;
}

/// Whether a pass reads the layouts of all tiles. -tile-expand-pipeline reads
/// only the layouts of the marked loads, which it verifies itself.
static bool readsLayouts(TilePass pass) {
  return pass == TilePass::kAssignStages || pass == TilePass::kBufferize ||
         pass == TilePass::kPlanAccesses;
}

/// Verifies the storage and layouts that -tile-assign-storage and
/// -tile-assign-layouts give to an operation's tiles.
static LogicalResult verifyTiles(Operation *op, TilePass pass) {
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types) {
      auto tile = dyn_cast<TileType>(type);
      if (!tile)
        continue;
      if (pass == TilePass::kAssignLayouts && !tile.getStorage())
        return op->emitError("expected a tile with a storage (run "
                             "-tile-assign-storage before)");
      if (readsLayouts(pass) && !isResolved(tile))
        return op->emitError("expected a tile with a layout (run "
                             "-tile-assign-layouts before), got ")
               << type;
    }
  return success();
}

static bool isShared(Type type) {
  auto tile = dyn_cast<TileType>(type);
  return tile && tile.getShared();
}

/// Verifies that only operations that support tiles in shared memory have them,
/// and that an alias has the storage of its source, as -tile-assign-storage
/// leaves them.
static LogicalResult verifyShared(Operation *op) {
  auto bufferize = dyn_cast<BufferizeOpInterface>(op);
  for (TypeRange types :
       {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isShared(type) && !bufferize)
        return op->emitError("expected tiles in registers (run "
                             "-tile-assign-storage before), got ")
               << type;
  if (!bufferize || !bufferize.keepsStorage())
    return success();
  Type source = op->getOperand(0).getType(),
       result = op->getResult(0).getType();
  if (isShared(source) != isShared(result))
    return op->emitError("expected a source and a result of one storage (run "
                         "-tile-assign-storage before), got ")
           << source << " and " << result;
  if (getPlacement(op->getOpOperand(0)) == Placement::shared &&
      !isShared(source))
    return op->emitError("expected a view of a tile in shared memory (run "
                         "-tile-assign-storage before), got ")
           << source;
  return success();
}

LogicalResult tile::verifyPassOrder(KernelOp kernel, TilePass pass) {
  if (pass > TilePass::kAssignStorage && !kernel.getBlock())
    return kernel.emitError(
        "expected a block size (run -tile-warp-tiling before)");
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    auto matmul = dyn_cast<MatmulOpInterface>(op);
    if (matmul && pass > TilePass::kAssignStorage && !hasCompleteTiling(matmul))
      return op->emitError("expected a complete tiling (run -tile-warp-tiling "
                           "before)");
    return failure(failed(verifyNotMadeYet(op, pass)) ||
                   failed(verifyTiles(op, pass)) ||
                   (readsShared(pass) && failed(verifyShared(op))));
  });
  return failure(result.wasInterrupted());
}
