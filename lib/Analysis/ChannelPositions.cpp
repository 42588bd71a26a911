// ChannelPositions.cpp - the positions of counters relative to each other
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ChannelPositions.h"

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/ProgramOrder.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;
using tile_gpu::ChannelOp;

//===----------------------------------------------------------------------===//
// Verification
//===----------------------------------------------------------------------===//

static bool isViewOf(Operation *op, Value buffer) {
  return op->getNumResults() == 1 && getViewed(op->getResult(0)) == buffer;
}

/// Verifies that a buffer is only accessed, in itself or as a view, so that
/// each access to it is known.
static LogicalResult verifyAccesses(Value buffer) {
  for (Operation *user : buffer.getUsers()) {
    bool isView = isViewOf(user, buffer);
    if (isView && failed(verifyAccesses(user->getResult(0))))
      return failure();
    bool isAccess = hasEffect<MemoryEffects::Read>(user, buffer) ||
                    hasEffect<MemoryEffects::Write>(user, buffer);
    if (!isView && !isAccess && !isa<ChannelOp>(user))
      return user->emitError(
                 "expected accesses to a channel's buffer and views "
                 "of it, got '")
             << user->getName() << "'";
  }
  return success();
}

static LogicalResult verifyUsers(ChannelOp channel) {
  for (Operation *user : channel->getUsers())
    if (!isa<tile_gpu::AcquireOp, tile_gpu::CommitOp, tile_gpu::WaitOp,
             tile_gpu::ReleaseOp, tile_gpu::DrainOp>(user))
      return user->emitError("expected drains and operations on fills as the "
                             "users of a channel, got '")
             << user->getName() << "'";
  return success();
}

static LogicalResult
verifyBuffers(ChannelOp channel,
              llvm::DenseMap<Operation *, ChannelOp> &channels) {
  for (Value buffer : channel.getBuffers()) {
    memref::AllocOp allocation = getAllocation(buffer);
    bool isWhole = buffer.getDefiningOp() == allocation.getOperation();
    if (!allocation || (getNumStages(channel) > 1 && !isWhole))
      return channel.emitError("expected allocations as the buffers of a "
                               "channel, got a buffer that is none");
    if (!channels.try_emplace(allocation, channel).second)
      return channel.emitError("expected buffers of one channel, got one that "
                               "belongs to a channel already");
    if (failed(verifyAccesses(allocation)))
      return failure();
  }
  return success();
}

LogicalResult tile::verifyChannels(KernelOp kernel) {
  llvm::DenseMap<Operation *, ChannelOp> channels;
  bool hasChannels =
      kernel.walk([](ChannelOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    for (Region &region : op->getRegions())
      if (hasChannels && !region.empty() && !region.hasOneBlock())
        return op->emitError("expected structured control flow, got a region "
                             "of several blocks");
    if (auto stage = dyn_cast<tile_gpu::StageOp>(op);
        stage && !stage.getSource().getDefiningOp<memref::AllocOp>())
      return op->emitError("expected a stage of an allocation, got one of "
                           "another buffer");
    for (Value operand : op->getOperands())
      if (isa<tile_gpu::ChannelType>(operand.getType()) &&
          !operand.getDefiningOp<ChannelOp>())
        return op->emitError("expected the result of a tile_gpu.channel, got a "
                             "value that may be one of several channels");
    auto channel = dyn_cast<ChannelOp>(op);
    return failure(channel && (failed(verifyUsers(channel)) ||
                               failed(verifyBuffers(channel, channels))));
  });
  return failure(result.wasInterrupted());
}

int64_t tile::getNumStages(ChannelOp channel) {
  return channel.getChannel().getType().getNumStages();
}

//===----------------------------------------------------------------------===//
// Offsets of counters
//===----------------------------------------------------------------------===//

/// Returns the fill of a counter relative to the base: its fill where the
/// outermost loop that carries it starts.
std::optional<int64_t> ChannelPositions::getOffset(Value counter) const {
  auto it = offsets.find(counter);
  if (it != offsets.end())
    return it->second;
  std::optional<int64_t> offset = computeOffset(counter);
  offsets[counter] = offset;
  return offset;
}

std::optional<int64_t> ChannelPositions::computeOffset(Value counter) const {
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

namespace {
/// The definition of a counter's value: the operation around it, and its index
/// in program order.
struct Definition {
  Operation *parent;
  int64_t index;
};
} // namespace

/// Follows the counters of a channel to where they come from.
class ChannelPositions::Tracer {
public:
  Tracer(const ChannelPositions &positions, ChannelOp channel,
         const ProgramOrder &order)
      : positions(positions), channel(channel), order(order) {}

  /// Finds the loops that carry the counters. Returns the use because of which
  /// the positions are not known; null if they are.
  Operation *run();

  Advances advances;

private:
  void collectUses();
  void collectAccesses(Value view, Value counter);
  bool trace(OpOperand &use);
  bool addLoop(scf::ForOp loop, unsigned index);
  Definition getDefinition(Value counter) const;
  bool isCurrent(Value counter, Operation *user, scf::ForOp loop) const;

  const ChannelPositions &positions;
  ChannelOp channel;
  const ProgramOrder &order;
  llvm::SetVector<OpOperand *> uses; ///< of counters, to follow
  /// Accesses to stages, with the counters of the stages.
  SmallVector<std::pair<Value, Operation *>> accesses;
};

/// Collects the uses of counters on the channel and on its buffers.
void ChannelPositions::Tracer::collectUses() {
  for (Operation *user : channel->getUsers())
    for (OpOperand &operand : user->getOpOperands())
      if (isa<tile_gpu::CounterType>(operand.get().getType()))
        uses.insert(&operand);
  for (Value buffer : channel.getBuffers())
    for (Operation *user : buffer.getUsers())
      if (auto stage = dyn_cast<tile_gpu::StageOp>(user)) {
        uses.insert(&stage.getCounterMutable());
        collectAccesses(stage, stage.getCounter());
      }
}

/// Collects the accesses to a view of the stage of `counter`.
void ChannelPositions::Tracer::collectAccesses(Value view, Value counter) {
  for (Operation *user : view.getUsers()) {
    if (isViewOf(user, view))
      collectAccesses(user->getResult(0), counter);
    else
      accesses.push_back({counter, user});
  }
}

/// Adds a loop that carries a counter as its argument `index`, and the values
/// that it carries.
bool ChannelPositions::Tracer::addLoop(scf::ForOp loop, unsigned index) {
  OpOperand &init = loop.getInitsMutable()[index];
  OpOperand &yielded =
      *loop.getTiedLoopYieldedValue(loop.getRegionIterArg(index));
  auto begin = positions.getOffset(init.get());
  auto end = positions.getOffset(yielded.get());
  bool isAfterChannel = order.begin.at(channel) < order.begin.at(loop);
  if (!begin || !end || !isAfterChannel)
    return false;
  uses.insert(&init);
  uses.insert(&yielded);
  int64_t advance = *end - *begin;
  return advances.try_emplace(loop, advance).first->second == advance;
}

/// Follows a counter one step. Returns false if its position is not known.
bool ChannelPositions::Tracer::trace(OpOperand &use) {
  Value counter = use.get();
  if (!positions.getOffset(counter))
    return false;
  if (auto argument = dyn_cast<BlockArgument>(counter))
    return addLoop(cast<scf::ForOp>(argument.getOwner()->getParentOp()),
                   argument.getArgNumber() - 1);
  Operation *op = counter.getDefiningOp();
  unsigned index = cast<OpResult>(counter).getResultNumber();
  if (auto next = dyn_cast<tile_gpu::NextOp>(op))
    uses.insert(&next.getSourceMutable());
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return addLoop(loop, index);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    uses.insert(&branch.thenYield()->getOpOperand(index));
    uses.insert(&branch.elseYield()->getOpOperand(index));
  }
  return true;
}

/// Returns where the counter was at its position. A successor is as old as its
/// source, and a constant as old as the channel.
Definition ChannelPositions::Tracer::getDefinition(Value counter) const {
  if (auto argument = dyn_cast<BlockArgument>(counter)) {
    Operation *loop = argument.getOwner()->getParentOp();
    return {loop, order.begin.at(loop)};
  }
  Operation *op = counter.getDefiningOp();
  if (auto next = dyn_cast<tile_gpu::NextOp>(op))
    return getDefinition(next.getSource());
  if (isa<tile_gpu::CounterOp>(op))
    op = channel;
  return {op->getParentOp(), order.end.at(op)};
}

/// Whether the two operations are in different regions of a branch.
static bool areAlternatives(Operation *a, Operation *b) {
  for (Region *region = a->getParentRegion(); region;
       region = region->getParentRegion()) {
    auto branch = dyn_cast<scf::IfOp>(region->getParentOp());
    if (branch && branch->isProperAncestor(b) &&
        !region->isAncestor(b->getParentRegion()))
      return true;
  }
  return false;
}

/// Whether `loop` does not move the base between the definition of the counter
/// and its use by `user`.
bool ChannelPositions::Tracer::isCurrent(Value counter, Operation *user,
                                         scf::ForOp loop) const {
  auto [parent, index] = getDefinition(counter);
  bool isBetween =
      index < order.begin.at(loop) && order.end.at(loop) < order.begin.at(user);
  if (isBetween && !areAlternatives(user, loop))
    return false;
  // An operation around both, inside which the counter is not defined again,
  // may run several times.
  for (Operation *around = user->getParentOp(); !around->isAncestor(parent);
       around = around->getParentOp())
    if (around->isAncestor(loop) && !isa<scf::IfOp>(around))
      return false;
  return true;
}

Operation *ChannelPositions::Tracer::run() {
  collectUses();
  for (size_t i = 0; i < uses.size(); ++i)
    if (!trace(*uses[i]))
      return uses[i]->getOwner();
  auto users = llvm::map_to_vector(uses, [](OpOperand *use) {
    return std::pair(use->get(), use->getOwner());
  });
  llvm::append_range(users, accesses);
  for (auto [loop, advance] : advances)
    for (auto [counter, user] : users)
      if (advance != 0 && !isCurrent(counter, user, loop))
        return user;
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Positions
//===----------------------------------------------------------------------===//

ChannelPositions::ChannelPositions(KernelOp kernel) {
  ProgramOrder order(kernel);
  SmallVector<ChannelOp> all;
  kernel.walk([&](ChannelOp channel) { all.push_back(channel); });
  for (ChannelOp channel : all)
    for (Value buffer : channel.getBuffers())
      channels[getMemoryRoot(buffer)] = channel;
  for (ChannelOp channel : all) {
    Tracer tracer(*this, channel, order);
    if (Operation *use = tracer.run())
      unknownUses[channel] = use;
    else
      advances[channel] = std::move(tracer.advances);
  }
}

ChannelOp ChannelPositions::getChannel(Value buffer) const {
  return channels.lookup(getMemoryRoot(buffer));
}

std::optional<int64_t> ChannelPositions::getPosition(ChannelOp channel,
                                                     Value counter) const {
  return isKnown(channel) ? getOffset(counter) : std::nullopt;
}

std::optional<int64_t> ChannelPositions::getPosition(Value buffer) const {
  ChannelOp channel = getChannel(buffer);
  if (!channel)
    return std::nullopt;
  if (!hasStages(getAllocation(buffer)))
    return 0;
  for (Value view = buffer; view; view = getViewed(view))
    if (auto stage = view.getDefiningOp<tile_gpu::StageOp>())
      return getPosition(channel, stage.getCounter());
  return std::nullopt;
}

int64_t ChannelPositions::getAdvance(ChannelOp channel, scf::ForOp loop) const {
  auto it = advances.find(channel);
  return it == advances.end() ? 0 : it->second.lookup(loop);
}
