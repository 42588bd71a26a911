// ChannelPositions.cpp - the positions of counters relative to each other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ChannelPositions.h"

#include "tile/Analysis/Buffers.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using tile_gpu::ChannelOp;

LogicalResult tile::verifyChannels(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    for (Value operand : op->getOperands())
      if (isa<tile_gpu::ChannelType>(operand.getType()) &&
          !operand.getDefiningOp<ChannelOp>())
        return op->emitError("expected the result of a tile_gpu.channel, got a "
                             "value that may be one of several channels");
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// Returns the fill of a counter, relative to the channel's frame: its fill
/// where the outermost loop that carries it starts.
std::optional<int64_t> ChannelPositions::getOffset(Value counter) const {
  if (auto argument = dyn_cast<BlockArgument>(counter)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop ? getOffset(loop.getTiedLoopInit(argument)->get())
                : std::nullopt;
  }
  Operation *op = counter.getDefiningOp();
  unsigned index = cast<OpResult>(counter).getResultNumber();
  if (auto constant = dyn_cast<tile_gpu::CounterOp>(op))
    return constant.getValue();
  if (auto next = dyn_cast<tile_gpu::NextOp>(op)) {
    std::optional<int64_t> offset = getOffset(next.getSource());
    return offset ? std::optional(*offset + 1) : std::nullopt;
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return getOffset(loop.getInits()[index]);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    auto offset = getOffset(branch.thenYield().getOperand(index));
    bool isSame = offset == getOffset(branch.elseYield().getOperand(index));
    return isSame ? offset : std::nullopt;
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The loops that carry the counters of a channel
//===----------------------------------------------------------------------===//

/// Follows the counters of a channel to where they come from.
class ChannelPositions::Tracer {
public:
  Tracer(const ChannelPositions &positions, ChannelOp channel,
         const llvm::DenseMap<Operation *, int64_t> &order)
      : positions(positions), channel(channel), order(order) {}

  /// Returns the loops that carry the counters; none if the positions are not
  /// known.
  std::optional<Advances> run();

private:
  void collectUses();
  bool trace(OpOperand &use);
  bool addLoop(scf::ForOp loop, unsigned index);
  bool isUsedBefore(Operation *constantUse, scf::ForOp loop) const;

  const ChannelPositions &positions;
  ChannelOp channel;
  const llvm::DenseMap<Operation *, int64_t> &order; ///< program order
  llvm::SetVector<OpOperand *> work; ///< the uses of counters to follow
  llvm::SetVector<Operation *> constantUses;
  Advances advances;
};

/// Collects the uses of counters on the channel and on its buffers.
void ChannelPositions::Tracer::collectUses() {
  for (Operation *user : channel->getUsers())
    for (OpOperand &operand : user->getOpOperands())
      if (isa<tile_gpu::CounterType>(operand.get().getType()))
        work.insert(&operand);
  for (Value buffer : channel.getBuffers())
    for (Operation *user : buffer.getUsers())
      if (auto stage = dyn_cast<tile_gpu::StageOp>(user))
        work.insert(&stage.getCounterMutable());
}

/// Adds a loop that carries a counter as its argument `index`, and the values
/// from which it carries it.
bool ChannelPositions::Tracer::addLoop(scf::ForOp loop, unsigned index) {
  OpOperand &init = loop.getInitsMutable()[index];
  OpOperand &yielded =
      *loop.getTiedLoopYieldedValue(loop.getRegionIterArg(index));
  auto begin = positions.getOffset(init.get());
  auto end = positions.getOffset(yielded.get());
  bool isAfterChannel =
      order.at(channel) < order.at(loop) && !loop->isAncestor(channel);
  if (!begin || !end || !isAfterChannel)
    return false;
  work.insert(&init);
  work.insert(&yielded);
  return advances.try_emplace(loop, *end - *begin).first->second ==
         *end - *begin;
}

/// Follows a counter one step. Returns false if its position is not known.
bool ChannelPositions::Tracer::trace(OpOperand &use) {
  Value counter = use.get();
  if (auto argument = dyn_cast<BlockArgument>(counter)) {
    auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
    return loop && addLoop(loop, argument.getArgNumber() - 1);
  }
  Operation *op = counter.getDefiningOp();
  unsigned index = cast<OpResult>(counter).getResultNumber();
  if (isa<tile_gpu::CounterOp>(op))
    return constantUses.insert(use.getOwner()), true;
  if (auto next = dyn_cast<tile_gpu::NextOp>(op))
    return work.insert(&next.getSourceMutable()), true;
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addLoop(loop, index);
  auto branch = dyn_cast<scf::IfOp>(op);
  if (!branch || !positions.getOffset(counter))
    return false;
  work.insert(&branch.thenYield()->getOpOperand(index));
  work.insert(&branch.elseYield()->getOpOperand(index));
  return true;
}

/// Whether a constant is only used before the frame has advanced in `loop`.
bool ChannelPositions::Tracer::isUsedBefore(Operation *constantUse,
                                            scf::ForOp loop) const {
  if (order.at(constantUse) > order.at(loop))
    return false;
  // An operation around both, inside which the channel is not created again,
  // may run several times.
  for (Operation *around = constantUse->getParentOp();
       around && !around->isAncestor(channel); around = around->getParentOp())
    if (around->isAncestor(loop) && !isa<scf::IfOp>(around))
      return false;
  return true;
}

std::optional<ChannelPositions::Advances> ChannelPositions::Tracer::run() {
  collectUses();
  for (size_t i = 0; i < work.size(); ++i)
    if (!trace(*work[i]))
      return std::nullopt;
  for (auto [loop, advance] : advances)
    for (Operation *use : constantUses)
      if (advance != 0 && !isUsedBefore(use, loop))
        return std::nullopt;
  return advances;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

ChannelPositions::ChannelPositions(KernelOp kernel) {
  llvm::DenseMap<Operation *, int64_t> order;
  SmallVector<ChannelOp> all;
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    order[op] = order.size();
    if (auto channel = dyn_cast<ChannelOp>(op))
      all.push_back(channel);
  });
  for (ChannelOp channel : all)
    for (Value buffer : channel.getBuffers()) {
      auto [it, isNew] = channels.try_emplace(getMemoryRoot(buffer), channel);
      if (!isNew)
        it->second = {};
    }
  for (ChannelOp channel : all)
    if (auto advances = Tracer(*this, channel, order).run())
      known[channel] = std::move(*advances);
}

ChannelOp ChannelPositions::getChannel(Value buffer) const {
  return channels.lookup(getMemoryRoot(buffer));
}

/// Returns `fill` modulo the stages of a channel.
static int64_t wrap(ChannelOp channel, int64_t fill) {
  int64_t numStages = channel.getChannel().getType().getNumStages();
  return (fill % numStages + numStages) % numStages;
}

std::optional<int64_t> ChannelPositions::getPosition(ChannelOp channel,
                                                     Value counter) const {
  if (!isKnown(channel))
    return std::nullopt;
  std::optional<int64_t> offset = getOffset(counter);
  return offset ? std::optional(wrap(channel, *offset)) : std::nullopt;
}

std::optional<int64_t> ChannelPositions::getPosition(Value buffer) const {
  ChannelOp channel = getChannel(buffer);
  if (!channel)
    return std::nullopt;
  if (channel.getChannel().getType().getNumStages() == 1)
    return 0;
  while (Operation *op = buffer.getDefiningOp()) {
    if (auto stage = dyn_cast<tile_gpu::StageOp>(op))
      return getPosition(channel, stage.getCounter());
    if (isa<memref::AllocOp>(op))
      break;
    buffer = op->getOperand(0);
  }
  return std::nullopt;
}

int64_t ChannelPositions::getNextPosition(ChannelOp channel, int64_t position,
                                          scf::ForOp loop) const {
  auto it = known.find(channel);
  if (it == known.end())
    return position;
  return wrap(channel, position - it->second.lookup(loop));
}
