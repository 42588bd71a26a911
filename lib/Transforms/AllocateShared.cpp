// AllocateShared.cpp - offsets of buffers in shared memory, by live range
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations are numbered in program order. A buffer lives from its first
// access to its last. An access inside a loop that does not contain the
// allocation keeps the buffer alive for the whole loop. The buffers of a
// channel live until the last wait for its copies. A buffer that a matmul in
// flight reads lives until the waits for its token. Buffers are placed largest
// first, each at the lowest offset that no buffer with an overlapping live
// range occupies.
//
// Small buffers, through which warps exchange a few values, are reserved for
// longer, so that exchanges that follow each other have different bytes. One
// barrier for each, between its write and its read, is then enough:
//
//   write A, barrier, read A, write B, barrier, read B, write A, ...

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/MatmulWaits.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/ProgramOrder.h"
#include "tile/IR/Decisions.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include <tuple>

namespace tile {
#define GEN_PASS_DEF_ALLOCATESHARED
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct Buffer {
  memref::AllocOp op;
  int64_t bytes, alignment;
  int64_t first = -1, last = -1;              // the live range, both inclusive
  int64_t reservedFrom = -1, reservedTo = -1; // contains the live range
  int64_t offset = -1;

  void extend(int64_t begin, int64_t end) {
    first = first < 0 ? begin : std::min(first, begin);
    last = std::max(last, end);
  }
  void reserve(int64_t begin, int64_t end) {
    reservedFrom = std::min(begin, first);
    reservedTo = std::max(end, last);
  }
  bool isReservedWith(const Buffer &other) const {
    return reservedFrom <= other.reservedTo && other.reservedFrom <= reservedTo;
  }
};
} // namespace

/// Extends the live range of `buffer` to `access`, an operation that accesses
/// the buffer or a wait for the end of an access. If `access` is inside a loop
/// or branch of the allocation's block, the range contains that whole
/// operation; if it is outside the block, the range extends to the end of the
/// block.
static void extendBy(Buffer &buffer, Operation *access,
                     const ProgramOrder &order) {
  // `around` is the operation of the allocation's block that contains the
  // access.
  Operation *around = access;
  while (around && around->getBlock() != buffer.op->getBlock())
    around = around->getParentOp();
  // A wait may be outside the allocation's block.
  if (!around)
    around = access = buffer.op->getBlock()->getTerminator();
  if (around == access)
    buffer.extend(order.begin.at(access), order.begin.at(access));
  else
    buffer.extend(order.begin.at(around), order.end.at(around));
}

/// Extends the live range by every access to the buffer or a view of it, and by
/// every wait of its channel.
static void extendByUses(Buffer &buffer, Value value,
                         const ProgramOrder &order) {
  for (Operation *user : value.getUsers()) {
    if (isa<memref::SubViewOp, memref::TransposeOp, memref::CastOp,
            tile_gpu::StageOp, tile_gpu::ChannelOp>(user)) {
      extendByUses(buffer, user->getResult(0), order);
      continue;
    }
    extendBy(buffer, user, order);
    for (Operation *wait : findWaits(user))
      extendBy(buffer, wait, order);
  }
}

static SmallVector<Buffer> collectBuffers(KernelOp kernel,
                                          const ProgramOrder &order) {
  SmallVector<Buffer> buffers;
  kernel.walk<WalkOrder::PreOrder>([&](memref::AllocOp op) {
    auto shared = dyn_cast_or_null<SharedAttr>(op.getType().getMemorySpace());
    if (!shared)
      return;
    Buffer buffer{op, getAllocationBytes(op), shared.getAlignment()};
    extendByUses(buffer, op.getResult(), order);
    buffer.reserve(buffer.first, buffer.last);
    if (buffer.first >= 0)
      buffers.push_back(buffer);
    else
      buffer.op->setAttr(kSharedOffsetAttr,
                         Builder(op.getContext()).getI64IntegerAttr(0));
  });
  return buffers;
}

/// Reserves the small buffers of a block, which are in program order: in a loop
/// for the whole body, up to `kMostBytes` in all, elsewhere until the last
/// access of the next one.
static void reserveExchanges(Block *block, ArrayRef<Buffer *> exchanges,
                             const ProgramOrder &order) {
  constexpr int64_t kMostBytes = 1024;
  Operation *around = block->getParentOp();
  bool isLoop = isa<LoopLikeOpInterface>(around);
  int64_t bytes = 0;
  for (auto [index, buffer] : llvm::enumerate(exchanges)) {
    bytes += llvm::alignTo(buffer->bytes, buffer->alignment);
    if (isLoop && bytes <= kMostBytes)
      buffer->reserve(order.begin.at(around), order.end.at(around));
    else if (index + 1 < exchanges.size())
      buffer->reserve(buffer->first, exchanges[index + 1]->last);
  }
}

/// Reserves all small buffers, which warps exchange values through.
static void reserveExchanges(MutableArrayRef<Buffer> buffers,
                             const ProgramOrder &order) {
  llvm::MapVector<Block *, SmallVector<Buffer *>> exchanges;
  for (Buffer &buffer : buffers)
    if (isExchangeBuffer(buffer.op))
      exchanges[buffer.op->getBlock()].push_back(&buffer);
  for (const auto &[block, some] : exchanges)
    reserveExchanges(block, some, order);
}

/// Places a buffer by first fit among the buffers that live at the same time.
static void place(Buffer &buffer, ArrayRef<Buffer *> placed) {
  SmallVector<const Buffer *> inTheWay;
  for (Buffer *other : placed)
    if (other->isReservedWith(buffer))
      inTheWay.push_back(other);
  llvm::sort(inTheWay, [](const Buffer *a, const Buffer *b) {
    return a->offset < b->offset;
  });
  int64_t offset = 0;
  for (const Buffer *other : inTheWay) {
    if (offset + buffer.bytes <= other->offset)
      break;
    offset = std::max<int64_t>(
        offset, llvm::alignTo(other->offset + other->bytes, buffer.alignment));
  }
  buffer.offset = offset;
}

/// Places all buffers, and returns the bytes that they take.
static int64_t placeAll(MutableArrayRef<Buffer> buffers) {
  SmallVector<Buffer *> bySize;
  for (Buffer &buffer : buffers)
    bySize.push_back(&buffer);
  llvm::sort(bySize, [](const Buffer *a, const Buffer *b) {
    return std::tie(b->bytes, a->first) < std::tie(a->bytes, b->first);
  });
  int64_t bytes = 0;
  for (auto [index, buffer] : llvm::enumerate(bySize)) {
    place(*buffer, ArrayRef(bySize).take_front(index));
    bytes = std::max(bytes, buffer->offset + buffer->bytes);
  }
  return bytes;
}

/// Returns the number of blocks on a multiprocessor, as far as `bytes` of
/// shared memory limit it.
static int64_t countBlocks(KernelOp kernel, const Architecture &architecture,
                           int64_t bytes) {
  constexpr int64_t kFewRegisters = 32;
  return getOccupancy(architecture, kernel.getLaunchedThreads(), kFewRegisters,
                      bytes)
      .blocks;
}

/// Places all buffers, with reserved exchanges unless the shared memory that
/// this takes leaves room for fewer blocks. Returns the bytes.
static int64_t placeBuffers(KernelOp kernel, const Architecture &architecture,
                            SmallVector<Buffer> &buffers,
                            const ProgramOrder &order) {
  int64_t bytes = placeAll(buffers);
  if (!kernel.getBlock())
    return bytes;
  SmallVector<Buffer> reserved(buffers);
  reserveExchanges(reserved, order);
  int64_t reservedBytes = placeAll(reserved);
  bool fits = reservedBytes <= getSharedBytesLimit(kernel, architecture) &&
              countBlocks(kernel, architecture, reservedBytes) ==
                  countBlocks(kernel, architecture, bytes);
  if (!fits)
    return bytes;
  buffers = std::move(reserved);
  return reservedBytes;
}

/// Reports an overflow and the buffers that are live at the point where live
/// buffers take most bytes.
static void reportOverflow(KernelOp kernel, ArrayRef<Buffer> buffers,
                           int64_t needed, int64_t limit,
                           const Architecture &architecture) {
  const Buffer *worst = &buffers.front();
  int64_t most = 0;
  for (const Buffer &at : buffers) {
    int64_t live = 0;
    for (const Buffer &buffer : buffers)
      if (buffer.first <= at.first && at.first <= buffer.last)
        live += buffer.bytes;
    if (live > most) {
      most = live;
      worst = &at;
    }
  }
  InFlightDiagnostic error = kernel.emitError("expected at most ")
                             << limit << " bytes of shared memory on "
                             << architecture.name;
  if (std::optional<int64_t> blocks = getBlocksPerProcessor(kernel))
    error << " (" << *blocks << " block" << (*blocks == 1 ? "" : "s")
          << " a multiprocessor)";
  error << ", got " << needed;
  for (const Buffer &buffer : buffers)
    if (buffer.first <= worst->first && worst->first <= buffer.last) {
      memref::AllocOp op = buffer.op;
      error.attachNote(op.getLoc())
          << "live at the worst point: " << buffer.bytes << " bytes, "
          << getNumStages(op) << " stage" << (getNumStages(op) == 1 ? "" : "s")
          << " of " << getStageBytes(op);
    }
}

/// Records the offset of a buffer, and the first and last operation of its live
/// range in program order.
static void recordOffset(const Buffer &buffer) {
  Builder builder(buffer.op->getContext());
  NamedAttrList fields;
  fields.set("first", builder.getI64IntegerAttr(buffer.first));
  fields.set("last", builder.getI64IntegerAttr(buffer.last));
  fields.set("offset", builder.getI64IntegerAttr(buffer.offset));
  recordDecision(buffer.op, "buffer",
                 Twine(buffer.offset) + " + " + Twine(buffer.bytes),
                 "the lowest place beside those that live at the same time, of "
                 "operations " +
                     Twine(buffer.first) + " to " + Twine(buffer.last),
                 fields);
}

namespace {
struct AllocateShared : tile::impl::AllocateSharedBase<AllocateShared> {
  using AllocateSharedBase::AllocateSharedBase;

  /// Verifies the number of blocks that share a multiprocessor and its memory,
  /// if the kernel requests one.
  static LogicalResult verifyBlocks(KernelOp kernel,
                                    const Architecture &architecture) {
    if (!kernel->hasAttr(kBlocksPerProcessorAttr))
      return success();
    if (!kernel.getBlock())
      return kernel.emitError(
          "expected a block size (run -tile-warp-tiling before)");
    return verifyOccupancy(kernel, architecture);
  }

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    const Architecture *architecture = getTargetArchitecture(kernel);
    if (!architecture || failed(verifyBlocks(kernel, *architecture)))
      return signalPassFailure();
    ProgramOrder order(kernel);
    SmallVector<Buffer> buffers = collectBuffers(kernel, order);
    int64_t needed = placeBuffers(kernel, *architecture, buffers, order);
    Builder builder(&getContext());
    for (const Buffer &buffer : buffers) {
      memref::AllocOp op = buffer.op;
      op->setAttr(kSharedOffsetAttr, builder.getI64IntegerAttr(buffer.offset));
      recordOffset(buffer);
    }
    kernel->setAttr(kSharedBytesAttr, builder.getI64IntegerAttr(needed));
    int64_t limit = getSharedBytesLimit(kernel, *architecture);
    if (needed > limit) {
      reportOverflow(kernel, buffers, needed, limit, *architecture);
      signalPassFailure();
    }
  }
};
} // namespace
