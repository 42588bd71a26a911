// Bufferize.cpp - conversion of shared tiles and scratch to buffers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile in shared memory is defined once and never changes, so it gets a
// buffer of its own; -tile-allocate-shared reuses the bytes of the buffer after
// its last reader. An operation that replaces elements of a tile writes to the
// tile's buffer if nothing reads the old tile later; otherwise it writes to a
// copy of the buffer.

#include "Exchanges.h"
#include "PassOrder.h"
#include "Pipelining/CopyMechanisms.h"
#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Buffers.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Builders.h"

namespace tile {
#define GEN_PASS_DEF_BUFFERIZE
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

/// Rewrites a kernel in program order.
class KernelBufferizer : public Bufferizer {
public:
  explicit KernelBufferizer(KernelOp kernel)
      : Bufferizer(kernel.getContext()), kernel(kernel) {}

  void run();
  Value storeToExchange(Location loc, Value tile, TileType to) override;
  Value load(CopyableOpInterface load) override;

private:
  bool canJoinFill(Operation *load);
  void createFill(Location loc, Value buffer);
  void addToFill(Value buffer);
  Value loadPadded(CopyableOpInterface load);
  void handOut(Operation *op);

  KernelOp kernel;
  /// The commit of the last copies, and the wait for them, on a channel of
  /// their own.
  tile_gpu::CommitOp lastCommit;
  tile_gpu::WaitOp lastWait;
  /// The operations after `lastWait` that finish the tiles of copies for which
  /// it waits.
  SmallVector<Operation *> lastFinishes;
};

} // namespace

/// Whether the copy of `load` can join the fill of the copy before it: no
/// operation between the wait for that fill and the load reads a copied tile or
/// writes memory.
bool KernelBufferizer::canJoinFill(Operation *load) {
  if (!lastWait || lastWait->getBlock() != load->getBlock())
    return false;
  for (Operation *op = lastWait->getNextNode(); op != load;
       op = op->getNextNode())
    if (!isa<memref::AllocOp, CopyableOpInterface>(op) &&
        !llvm::is_contained(lastFinishes, op) && !isMemoryEffectFree(op))
      return false;
  return true;
}

/// Loads a tile with a pad value to registers and stores it to a new buffer:
/// asynchronous copies can pad only with zeros.
Value KernelBufferizer::loadPadded(CopyableOpInterface load) {
  TileType type = load.getTileType();
  SmallVector<int64_t> box = type.getShared().getBox();
  auto registers = RegisterAttr::get(
      type.getContext(),
      RegisterLayout::blocked({box.begin(), box.end()}, 1,
                              getParticipants(load).numWarps));
  Operation *copy = builder.clone(*load);
  copy->getResult(0).setType(type.withStorage(registers));
  return storeToNew(load.getLoc(), copy->getResult(0), type);
}

/// Creates a channel for a single fill of a buffer, the commit, and the wait.
void KernelBufferizer::createFill(Location loc, Value buffer) {
  auto type = tile_gpu::ChannelType::get(kernel.getContext(), 1);
  Value fill = tile_gpu::CounterOp::create(
      builder, loc, tile_gpu::getCounterType(type), int64_t(0));
  auto channel = tile_gpu::ChannelOp::create(builder, loc, type, buffer);
  lastCommit = tile_gpu::CommitOp::create(builder, loc, channel, fill);
  lastWait = tile_gpu::WaitOp::create(builder, loc, channel, fill);
}

/// Adds a buffer to the last fill.
void KernelBufferizer::addToFill(Value buffer) {
  auto channel = lastWait.getChannel().getDefiningOp<tile_gpu::ChannelOp>();
  getAllocation(buffer)->moveBefore(channel);
  if (buffer.getDefiningOp() != getAllocation(buffer))
    buffer.getDefiningOp()->moveBefore(channel);
  channel.getBuffersMutable().append(buffer);
}

Value KernelBufferizer::load(CopyableOpInterface load) {
  if (load.getPad())
    return loadPadded(load);
  Location loc = load.getLoc();
  tile_gpu::CopyMechanismAttrInterface mechanism = chooseCopyMechanism(load);
  Value buffer = createBuffer(loc, load.getTileType()), extra;
  if (canJoinFill(load)) {
    addToFill(buffer);
  } else {
    createFill(loc, buffer);
    lastFinishes.clear();
  }
  if (mechanism.hasExtraBuffer()) {
    extra = memref::AllocOp::create(
        builder, loc, mechanism.getExtraBuffer(load.getTileType()));
    addToFill(extra);
  }
  Operation *copy = tile_gpu::CopyAsyncOp::create(
      builder, loc, load.getArray(), load.getOffsets(), buffer, extra,
      /*condition=*/Value(), mechanism, load.getInBounds());
  lastCommit->moveAfter(copy);
  lastWait->moveAfter(lastCommit);
  Operation *last = lastWait;
  for (Operation *finish : lastFinishes) {
    finish->moveAfter(last);
    last = finish;
  }
  mechanism.finish(builder, load, load.getOffsets(), buffer, extra);
  while ((last = last->getNextNode()) != load)
    lastFinishes.push_back(last);
  return buffer;
}

Value KernelBufferizer::storeToExchange(Location loc, Value value,
                                        TileType to) {
  auto from = cast<TileType>(value.getType());
  SharedAttr shared = getExchangeLayout(from, to);
  Value buffer = createBuffer(loc, from.withStorage(shared));
  store(loc, value, buffer);
  return buffer;
}

/// Distributes the result of an access that is made element by element. Among
/// the threads that hold an element, only one makes the access and gets the old
/// value of the array; the others receive it through shared memory.
void KernelBufferizer::handOut(Operation *op) {
  Value read = op->getResult(0);
  auto type = cast<TileType>(read.getType());
  RegisterLayout layout = type.getRegister().getRegisterLayout();
  if (read.use_empty() || (layout.getReplication(RegisterLayout::kLane) == 1 &&
                           layout.getReplication(RegisterLayout::kWarp) == 1))
    return;
  builder.setInsertionPointAfter(op);
  auto uses =
      llvm::map_to_vector(op->getUses(), [](OpOperand &use) { return &use; });
  Value handed = tile_gpu::LoadSharedOp::create(
      builder, op->getLoc(), type, storeToExchange(op->getLoc(), read, type));
  for (OpOperand *use : uses)
    use->set(handed);
}

void KernelBufferizer::run() {
  SmallVector<Operation *> operations;
  kernel.walk<WalkOrder::PreOrder>(
      [&](Operation *op) { operations.push_back(op); });
  for (Operation *op : operations) {
    builder.setInsertionPoint(op);
    auto access = dyn_cast<ArrayAccessOpInterface>(op);
    if (auto bufferizable = dyn_cast<BufferizeOpInterface>(op))
      bufferizable.bufferize(*this);
    else if (access && access.isPerElement() && op->getNumResults() == 1)
      handOut(op);
  }
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
}

namespace {
struct Bufferize : tile::impl::BufferizeBase<Bufferize> {
  using BufferizeBase::BufferizeBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    if (failed(verifyPassOrder(kernel, TilePass::kBufferize)))
      return signalPassFailure();
    KernelBufferizer(kernel).run();
  }
};
} // namespace
