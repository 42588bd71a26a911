// WarpScope.cpp - which accesses to shared memory meet within a warp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/WarpScope.h"

#include "tile/Analysis/StorageInvariants.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

bool tile::isOneWarp(KernelOp kernel) {
  return kernel.getBlock() && getParticipants(kernel).numWarps == 1;
}

namespace {
/// An access that reads a whole tile from a buffer to registers, or writes a
/// whole tile from registers to a buffer.
struct WholeAccess {
  Value buffer;
  TileType tile;
};
} // namespace

/// Returns the access of an operation; nothing if the operation may access
/// other bytes, as a store does that also zeros the padding of its buffer.
static std::optional<WholeAccess> getWholeAccess(Operation *op) {
  if (auto load = dyn_cast<tile_gpu::LoadSharedOp>(op))
    return WholeAccess{load.getSource(), load.getType()};
  auto store = dyn_cast<tile_gpu::StoreSharedOp>(op);
  if (store && !store.getZeroPadding())
    return WholeAccess{store.getDest(), store.getValue().getType()};
  return std::nullopt;
}

/// Whether the bytes of each element are accessed only by the warp that holds
/// it. For this, each element must have its own bytes, at a known position in
/// the buffer. If several warps held an element, one warp could write it and
/// another one read it. If a layout has values beyond the tile, these read
/// elements of other warps (PaddedValues.h).
bool tile::areWarpsKnown(Operation *op) {
  std::optional<WholeAccess> access = getWholeAccess(op);
  if (!access || !isResolved(access->tile) || !access->tile.getRegister() ||
      !access->buffer.getDefiningOp<memref::AllocOp>())
    return false;
  auto buffer = cast<MemRefType>(access->buffer.getType());
  auto shared = cast<SharedAttr>(buffer.getMemorySpace());
  RegisterLayout layout = access->tile.getRegister().getRegisterLayout();
  ArrayRef<int64_t> shape = access->tile.getShape();
  return buffer.getShape() == shape && shape.equals(layout.getBox()) &&
         layout.getReplication(RegisterLayout::kWarp) == 1 &&
         shared.getLayout().getValue().isInjective();
}

/// Whether each warp has the same elements in both layouts. Since modes of a
/// dimension are digits of a coordinate, warps have the same elements if their
/// first elements are the same.
static bool haveSameWarps(const RegisterLayout &a, const RegisterLayout &b) {
  if (a.getNumWarps() != b.getNumWarps())
    return false;
  for (int64_t warp = 0; warp < a.getNumWarps(); ++warp)
    if (a.coordinate(0, warp, 0) != b.coordinate(0, warp, 0))
      return false;
  return true;
}

/// Whether each element has the same bytes in both buffers. They are the same
/// buffer, or two buffers of one type at the same offset, such as the buffers
/// of two successive exchanges.
static bool haveSameBytes(Value a, Value b) {
  if (a == b)
    return true;
  auto getOffset = [](Value buffer) {
    return buffer.getDefiningOp()->getAttr(kSharedOffsetAttr);
  };
  return a.getType() == b.getType() && getOffset(a) &&
         getOffset(a) == getOffset(b);
}

bool tile::meetWithinWarps(Operation *first, Operation *second) {
  if (!areWarpsKnown(first) || !areWarpsKnown(second))
    return false;
  std::optional<WholeAccess> a = getWholeAccess(first);
  std::optional<WholeAccess> b = getWholeAccess(second);
  return haveSameBytes(a->buffer, b->buffer) &&
         haveSameWarps(a->tile.getRegister().getRegisterLayout(),
                       b->tile.getRegister().getRegisterLayout());
}

/// Mask of all lanes (PTX ISA, "bar.warp.sync").
static constexpr int32_t kAllLanes = -1;

bool tile::isWarpBarrier(Operation *op) {
  auto barrier = dyn_cast<NVVM::SyncWarpOp>(op);
  APInt mask;
  return barrier && matchPattern(barrier.getMask(), m_ConstantInt(&mask)) &&
         mask.isAllOnes();
}

/// Whether all threads of the block meet at the operation; false for null.
static bool isBlockBarrier(Operation *op) {
  return op &&
         (isa<gpu::BarrierOp>(op) ||
          (isWarpBarrier(op) && isOneWarp(op->getParentOfType<KernelOp>())));
}

bool tile::meetDirectlyBefore(Operation *op) {
  Operation *before = op->getPrevNode();
  while (before && isMemoryEffectFree(before))
    before = before->getPrevNode();
  return isBlockBarrier(before);
}

bool tile::meetDirectlyAfter(Operation *op) {
  Operation *after = op->getNextNode();
  while (after && isMemoryEffectFree(after))
    after = after->getNextNode();
  return isBlockBarrier(after);
}

Operation *tile::createWarpBarrier(OpBuilder &builder, Location loc) {
  Value mask = arith::ConstantIntOp::create(builder, loc, kAllLanes, 32);
  return NVVM::SyncWarpOp::create(builder, loc, mask);
}
