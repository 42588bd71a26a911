// MemoryAccesses.cpp - the bytes that an operation reads and writes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemoryAccesses.h"

#include "tile/Analysis/Buffers.h"

#include "tile/Analysis/WarpScope.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

bool MemoryRegion::overlaps(const MemoryRegion &other) const {
  if (value || other.value)
    return value == other.value;
  if (isShared != other.isShared)
    return false;
  if (isShared)
    return begin < other.end && other.begin < end;
  return !array || !other.array || array == other.array;
}

std::string MemoryRegion::print() const {
  if (value)
    return "accumulators";
  if (!isShared)
    return "an array";
  if (!isExact())
    return "shared memory";
  return "shared bytes [" + std::to_string(begin) + ", " + std::to_string(end) +
         ")";
}

static SharedAttr getShared(Value memref) {
  auto type = cast<BaseMemRefType>(memref.getType());
  return dyn_cast_or_null<SharedAttr>(type.getMemorySpace());
}

/// Bound on offsets that exceeds any GPU's shared memory and keeps sums of
/// bytes from overflowing.
static constexpr int64_t kMaxOffset = int64_t(1) << 31;
static constexpr int64_t kMaxNumStages = 1 << 20;

static int64_t getNumStages(MemRefType type, int64_t layoutRank) {
  return type.getRank() > layoutRank ? type.getDimSize(0) : 1;
}

/// Returns the bytes that accesses through the layout may touch: the swizzle
/// exchanges bytes within aligned blocks of 2^(base + bits).
static int64_t getSpan(SharedAttr shared, int64_t elementBytes) {
  int64_t span = shared.getLayout().getValue().cosize() * elementBytes;
  if (SwizzleAttr swizzle = shared.getSwizzle())
    span = llvm::alignTo(span, int64_t(1)
                                   << (swizzle.getBase() + swizzle.getBits()));
  return span;
}

/// Whether the bytes of an allocation are known: it has an offset in shared
/// memory, and a static shape that has the rank of its layout or one dimension
/// more, for stages.
static bool isPlaced(memref::AllocOp allocation) {
  MemRefType type = allocation.getType();
  if (!isSharedBuffer(type))
    return false;
  auto offset = allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
  int64_t rank = getShared(allocation).getBox().size();
  return offset && 0 <= offset.getInt() && offset.getInt() < kMaxOffset &&
         type.getRank() <= rank + 1 && getNumStages(type, rank) < kMaxNumStages;
}

/// Returns the bytes of `count` stages of an allocation, from stage `first` on.
/// Stages follow each other, each aligned; an allocation without a dimension
/// for stages is one stage.
/// @pre isPlaced(allocation), and it has the stages.
static MemoryRegion getStages(memref::AllocOp allocation, int64_t first,
                              int64_t count) {
  SharedAttr shared = getShared(allocation);
  const Layout &layout = shared.getLayout().getValue();
  int64_t elementBytes = getElementBytes(allocation.getType().getElementType());
  int64_t pitch =
      llvm::alignTo(layout.cosize() * elementBytes, shared.getAlignment());
  int64_t offset =
      allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr).getInt();
  MemoryRegion region{true, Value()};
  region.begin = offset + first * pitch;
  region.end =
      region.begin + (count - 1) * pitch + getSpan(shared, elementBytes);
  region.isInjective = layout.isInjective();
  return region;
}

/// Returns the bytes of a buffer in shared memory: all bytes of the stage that
/// it is a view of, even if the view is smaller; all stages if the stage is not
/// known.
static MemoryRegion getSharedRegion(Value buffer, const StageIndices &indices) {
  KnownIndex stage;
  Operation *op = buffer.getDefiningOp();
  while (isa_and_nonnull<memref::SubViewOp, memref::TransposeOp, memref::CastOp,
                         tile_gpu::StageOp>(op)) {
    if (auto view = dyn_cast<tile_gpu::StageOp>(op))
      stage = indices.get(view.getCounter());
    op = op->getOperand(0).getDefiningOp();
  }
  auto allocation = dyn_cast_or_null<memref::AllocOp>(op);
  if (!allocation || !isPlaced(allocation)) // such as a choice between buffers
    return {true, Value()};
  int64_t rank = getShared(allocation).getBox().size();
  int64_t numStages = getNumStages(allocation.getType(), rank);
  return stage ? getStages(allocation, *stage, 1)
               : getStages(allocation, 0, numStages);
}

/// Returns the whole array that a memref is a view of.
static MemoryRegion getArrayRegion(Value memref) {
  while (Value viewed = getViewed(memref))
    memref = viewed;
  auto argument = dyn_cast<BlockArgument>(memref);
  bool isArgument =
      argument && isa<KernelOp>(argument.getOwner()->getParentOp());
  return {false, isArgument ? memref : Value()};
}

static MemoryRegion getRegion(Value memref, const StageIndices &indices) {
  return getShared(memref) ? getSharedRegion(memref, indices)
                           : getArrayRegion(memref);
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Calls `access` for each access that an operation's effects state. If it
/// states none, each memref operand counts as read and written. An effect
/// without a value of an operation of this dialect, such as printing, is no
/// access. If an operation reads and writes the same value, only the write is
/// reported: the operation itself orders the two.
static void readByEffects(Operation *op,
                          function_ref<void(Value, bool)> access) {
  if (isMemoryEffectFree(op) || isa<memref::AllocOp>(op))
    return;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> instances;
  if (effects)
    effects.getEffects(instances);
  if (effects && isTileOperation(op))
    llvm::erase_if(instances, [](const auto &i) { return !i.getValue(); });
  bool isPrecise = effects && llvm::all_of(instances, [](const auto &instance) {
                     return static_cast<bool>(instance.getValue());
                   });
  if (!isPrecise) {
    for (Value operand : op->getOperands())
      access(operand, /*isWrite=*/true);
    return;
  }
  llvm::SmallSetVector<Value, 4> written;
  for (const MemoryEffects::EffectInstance &instance : instances)
    if (!isa<MemoryEffects::Read>(instance.getEffect()))
      written.insert(instance.getValue());
  for (const MemoryEffects::EffectInstance &instance : instances) {
    bool isWrite = !isa<MemoryEffects::Read>(instance.getEffect());
    if (isWrite || !written.contains(instance.getValue()))
      access(instance.getValue(), isWrite);
  }
}

void tile::readAccesses(Operation *op, const StageIndices &indices,
                        SmallVectorImpl<MemoryAccess> &accesses) {
  AccessMaker maker = op->hasTrait<AsyncCopy>() ? AccessMaker::kCopy
                      : isAsyncMatmul(op)       ? AccessMaker::kMatmul
                                                : AccessMaker::kThreads;
  auto add = [&](Value memref, bool isWrite) {
    if (isa<BaseMemRefType>(memref.getType()))
      accesses.push_back({op, getRegion(memref, indices), isWrite, maker});
  };
  if (!op->hasTrait<ThreadRegion>())
    readByEffects(op, add);
  else // Accesses in a thread region count as accesses of `op`, in any order.
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) { readByEffects(inner, add); });
  if (maker == AccessMaker::kMatmul)
    for (Value result : op->getResults()) {
      MemoryRegion region{false, Value()};
      region.value = result;
      accesses.push_back({op, region, true, maker});
    }
}

//===----------------------------------------------------------------------===//
// Limits
//===----------------------------------------------------------------------===//

/// Whether a memref is a buffer in shared memory or an array in global memory.
static bool isKnownMemory(Type type) {
  if (isa<LLVM::LLVMPointerType>(type))
    return false;
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref || !memref.getMemorySpace())
    return true;
  auto space = dyn_cast<gpu::AddressSpaceAttr>(memref.getMemorySpace());
  return isSharedBuffer(type) ||
         (space && space.getValue() == gpu::AddressSpace::Global);
}

static bool isKnownOfHardware(Operation *op) {
  return isWarpBarrier(op) ||
         isa<gpu::BarrierOp, gpu::PrintfOp, NVVM::CpAsyncCommitGroupOp,
             NVVM::CpAsyncWaitGroupOp, NVVM::FenceProxyOp>(op);
}

/// Whether an operation of the dialect states its effects on each of its
/// buffers in shared memory.
static bool declaresBuffers(Operation *op) {
  SmallVector<MemoryEffects::EffectInstance> instances;
  if (auto effects = dyn_cast<MemoryEffectOpInterface>(op))
    effects.getEffects(instances);
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return !isSharedBuffer(operand.getType()) ||
           llvm::any_of(instances, [&](const auto &instance) {
             return instance.getValue() == operand;
           });
  });
}

std::string tile::findUnknown(Operation *op) {
  auto allocation = dyn_cast<memref::AllocOp>(op);
  if (allocation && getShared(allocation) && !isPlaced(allocation))
    return "expected a buffer with a place in shared memory "
           "(tile.shared_offset, "
           "from -tile-allocate-shared), got none";
  if (isa<tile_gpu::ChannelOp>(op))
    return "expected groups of copies instead of channels (from "
           "-tile-count-groups), got '" +
           op->getName().getStringRef().str() + "'";
  if (isTileOperation(op) && !isa<ViewLikeOpInterface>(op) &&
      !declaresBuffers(op))
    return "expected an operation that declares its effects on each of its "
           "buffers, got '" +
           op->getName().getStringRef().str() + "'";
  StringRef dialect = op->getName().getDialectNamespace();
  bool isOfHardware =
      llvm::is_contained({"gpu", "nvgpu", "nvvm", "llvm"}, dialect);
  bool isKnown = !isa<CallOpInterface>(op) &&
                 !op->hasTrait<OpTrait::HasParallelRegion>() &&
                 (!isOfHardware || isKnownOfHardware(op)) &&
                 llvm::all_of(op->getResultTypes(), isKnownMemory) &&
                 llvm::all_of(op->getOperandTypes(), isKnownMemory);
  if (!isKnown)
    return "expected an operation that the proof of synchronization knows, got "
           "'" +
           op->getName().getStringRef().str() + "'";
  for (Region &region : op->getRegions())
    if (!region.empty() && !region.hasOneBlock())
      return "expected structured control flow, got a region of several blocks";
  return "";
}
