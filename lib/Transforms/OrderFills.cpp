// OrderFills.cpp - acquires before copies, releases after reads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fill is acquired before its first copy. A loop moves the base of a channel
// by one fill in each iteration (ChannelPositions.h), and no later iteration
// reads the fill at the base: the loop releases this fill at its end. If an
// asynchronous MMA still reads the fill then, that of the iteration before has
// ended, and the loop releases the fill before it.
//
// Channels whose fills are not used in such a loop, as those of single copies,
// need no releases: no other fill of theirs is in the same stage.

#include "tile/Analysis/ChannelPositions.h"
#include "tile/Transforms/Passes.h"

#include "mlir/IR/Builders.h"

namespace tile {
#define GEN_PASS_DEF_ORDERFILLS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

namespace {
class FillOrderer {
public:
  explicit FillOrderer(KernelOp kernel) : kernel(kernel), positions(kernel) {}

  void acquireFills();
  void releaseFills();

private:
  template <typename Effect>
  bool accesses(Operation *op, ChannelOp channel) const;
  bool usesFill(Operation *op, ChannelOp channel) const;
  void releaseFill(ChannelOp channel, scf::ForOp loop);

  KernelOp kernel;
  ChannelPositions positions;
};
} // namespace

/// Whether an operation, or one in its regions, has an effect on a buffer of a
/// channel.
template <typename Effect>
bool FillOrderer::accesses(Operation *op, ChannelOp channel) const {
  auto isAccess = [&](Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return isSharedBuffer(operand.getType()) &&
             positions.getChannel(operand) == channel &&
             hasEffect<Effect>(op, operand);
    });
  };
  return op
      ->walk([&](Operation *inner) {
        return isAccess(inner) ? WalkResult::interrupt()
                               : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Whether an operation, or one in its regions, commits a fill of a channel.
static bool commits(Operation *op, ChannelOp channel) {
  return llvm::any_of(channel->getUsers(), [&](Operation *user) {
    return isa<CommitOp>(user) && op->isAncestor(user);
  });
}

/// Adds an acquire before the first copy of each fill: the copies since the
/// channel's commit before it.
void FillOrderer::acquireFills() {
  kernel.walk([&](CommitOp commit) {
    ChannelOp channel = getChannelOf(commit);
    Operation *first = commit;
    for (Operation *op = commit->getPrevNode(); op && !commits(op, channel);
         op = op->getPrevNode())
      if (accesses<MemoryEffects::Write>(op, channel))
        first = op;
    OpBuilder builder(first);
    AcquireOp::create(builder, commit.getLoc(), channel, commit.getCounter());
  });
}

/// Whether an operation, or one in its regions, reads a buffer of a channel or
/// waits for a fill.
bool FillOrderer::usesFill(Operation *op, ChannelOp channel) const {
  bool waits = llvm::any_of(channel->getUsers(), [&](Operation *user) {
    return isa<WaitOp>(user) && op->isAncestor(user);
  });
  return waits || accesses<MemoryEffects::Read>(op, channel);
}

/// Whether an asynchronous MMA is still in flight at the end of its block.
static bool staysInFlight(Operation *mma) {
  return llvm::any_of(mma->getResults(), [](Value result) {
    return isa<MmaTokenType>(result.getType()) &&
           llvm::any_of(result.getUsers(), [](Operation *user) {
             return user->hasTrait<OpTrait::IsTerminator>();
           });
  });
}

/// Whether an operation uses a counter for a channel.
static bool usesFor(Operation *user, ChannelOp channel) {
  if (auto stage = dyn_cast<StageOp>(user))
    return llvm::is_contained(channel.getBuffers(), stage.getSource());
  return llvm::is_contained(user->getOperands(), channel.getChannel());
}

/// Returns the value that a loop carries as the counter of the channel's oldest
/// fill; null if there is none.
static Value findOldest(const ChannelPositions &positions, ChannelOp channel,
                        scf::ForOp loop) {
  Value oldest;
  for (Value carried : loop.getRegionIterArgs())
    if (isa<CounterType>(carried.getType()) &&
        llvm::any_of(carried.getUsers(),
                     [&](Operation *user) { return usesFor(user, channel); }) &&
        (!oldest || positions.getPosition(channel, carried) <
                        positions.getPosition(channel, oldest)))
      oldest = carried;
  return oldest;
}

/// Adds the release to a loop that moves the base of the channel.
void FillOrderer::releaseFill(ChannelOp channel, scf::ForOp loop) {
  bool isUsed = false, isInFlight = false;
  for (Operation &op : *loop.getBody()) {
    if (!usesFill(&op, channel))
      continue;
    isUsed = true;
    isInFlight |= isAsyncMatmul(&op) && staysInFlight(&op);
  }
  Value oldest = findOldest(positions, channel, loop);
  if (!isUsed || !oldest)
    return;
  OpBuilder builder(loop.getBody()->getTerminator());
  ReleaseOp::create(builder, channel.getLoc(), channel, oldest,
                    *positions.getPosition(channel, oldest) + isInFlight);
}

void FillOrderer::releaseFills() {
  kernel.walk([&](scf::ForOp loop) {
    kernel.walk([&](ChannelOp channel) {
      if (commits(kernel, channel) && positions.getAdvance(channel, loop) == 1)
        releaseFill(channel, loop);
    });
  });
}

namespace {
struct OrderFills : tile::impl::OrderFillsBase<OrderFills> {
  using OrderFillsBase::OrderFillsBase;

  void runOnOperation() override {
    if (failed(verifyChannels(getOperation())))
      return signalPassFailure();
    FillOrderer orderer(getOperation());
    orderer.releaseFills();
    orderer.acquireFills();
  }
};
} // namespace
