// GlobalAccessReport.cpp - traffic of the accesses to global memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Types and offsets determine where a tile's elements are in the array and
// which thread holds which elements, except for accesses at indices and by
// atomic operations. For these, bytes are reported, but no sectors.

#include "GlobalAccessReport.h"

#include "CopySource.h"
#include "ReportLocation.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/BufferView.h"
#include "tile/Analysis/Executions.h"
#include "tile/Analysis/GlobalAccess.h"
#include "tile/Analysis/SharedWidth.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

using namespace mlir;
using namespace tile;

/// Returns the index of the kernel argument that `memref` is or is a view of;
/// -1 for another memref.
static int64_t getArgument(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<ViewLikeOpInterface, memref::TransposeOp>(op))
      break;
    memref = op->getOperand(0);
  }
  auto argument = dyn_cast<BlockArgument>(memref);
  bool isOfKernel =
      argument && isa<KernelOp>(argument.getOwner()->getParentOp());
  return isOfKernel ? argument.getArgNumber() : -1;
}

/// Describes an access without its sectors, which is possible for any access.
static GlobalAccessReport describe(Operation *op, Value array,
                                   ArrayRef<int64_t> shape) {
  GlobalAccessReport report;
  report.place = getReportLocation(op->getLoc());
  report.operation = op->getName().getStringRef().str();
  report.argument = getArgument(array);
  // A copy writes to shared memory, not to the array.
  bool isWrite =
      hasEffect<MemoryEffects::Write>(op) && !isa<tile_gpu::CopyAsyncOp>(op);
  report.direction = !isWrite                             ? "read"
                     : hasEffect<MemoryEffects::Read>(op) ? "update"
                                                          : "write";
  auto type = cast<MemRefType>(array.getType());
  report.bytes =
      llvm::product_of(shape) * getElementBytes(type.getElementType());
  report.executions = countExecutions(op);
  return report;
}

/// Returns the number of elements that one instruction accesses: the planned
/// vector or, if elements are guarded one by one, the vector of a masked
/// access.
static int64_t getWidth(ArrayAccessOpInterface op, TileType tile) {
  AccessAttr access = getAccess(op);
  auto array = cast<MemRefType>(op.getArray().getType());
  bool isTested = access.getGuard() == AccessGuard::element;
  if (!isTested || !isVectorElement(tile.getElementType()) ||
      !getContiguousDimension(array, tile.getRank()))
    return access.getVector();
  return narrowToLayout(
      tile, array, kMaxAccessBytes / getElementBytes(tile.getElementType()));
}

static void setSectors(GlobalAccessReport &report, Sectors sectors,
                       bool isInside) {
  report.sectors = sectors.actual;
  report.minimalSectors = sectors.minimal;
  report.assumes = isInside ? "whole lines" : "whole lines, inside";
}

/// Describes a load to registers or a store from registers.
static GlobalAccessReport describeBox(ArrayAccessOpInterface op,
                                      const Architecture &architecture) {
  auto tile = cast<TileType>(op.getAccessedTile().getType());
  GlobalAccessReport report = describe(op, op.getArray(), tile.getShape());
  if (!isa<LoadOp, StoreOp>(*op) || !tile.getRegister())
    return report;
  auto array = cast<MemRefType>(op.getArray().getType());
  AccessPlan plan{tile.getRegister().getRegisterLayout(),
                  isa<StoreOp>(*op) ? AccessKind::kStore : AccessKind::kLoad,
                  getWidth(op, tile), /*dim=*/0};
  bool isMasked = getAccess(op).getGuard() == AccessGuard::element;
  setSectors(report,
             countSectors(plan,
                          getBoxSource(array, op.getOffsets(), tile.getShape()),
                          getElementBytes(tile.getElementType()),
                          architecture.sectorBytes, isMasked),
             op.getInBounds());
  return report;
}

/// Describes a copy to shared memory. The location of chunks that cover
/// unaligned rows is known only at run time.
static GlobalAccessReport describeCopy(tile_gpu::CopyAsyncOp op,
                                       const Architecture &architecture) {
  GlobalAccessReport report =
      describe(op, op.getSource(), getTileShape(op.getDest().getType()));
  std::optional<BufferView> view = getBufferView(op.getDest());
  if (!view || op.getCopyMechanism().coversRows())
    return report;
  AccessPlan plan =
      getCopyPlan(view->getBox(), getContiguousDimension(view->shared),
                  getAccess(op).getVector(), getParticipants(op).numWarps);
  Type element = cast<MemRefType>(op.getSource().getType()).getElementType();
  setSectors(report,
             countSectors(plan, getCopySource(op), getElementBytes(element),
                          architecture.sectorBytes, /*isMasked=*/true),
             op.getInBounds());
  return report;
}

std::vector<GlobalAccessReport>
tile::reportGlobalAccesses(KernelOp kernel, const Architecture &architecture) {
  std::vector<GlobalAccessReport> accesses;
  kernel.walk([&](Operation *op) {
    if (auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(op))
      accesses.push_back(describeCopy(copy, architecture));
    else if (auto access = dyn_cast<ArrayAccessOpInterface>(op))
      accesses.push_back(describeBox(access, architecture));
  });
  return accesses;
}
