// CountGroups.cpp - commits and waits of channels by groups of cp.async
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A group consists of the copies that a thread has issued since its previous
// commit, and a wait names the number of newest groups that may stay in flight
// (PTX ISA, "cp.async.wait_group"). A wait for fill n of a channel may leave
// those groups in flight that were committed after that of fill n:
//
//   tile_gpu.commit %a[%n]           nvvm.cp.async.commit.group
//   tile_gpu.commit %b[%m]           nvvm.cp.async.commit.group
//   tile_gpu.wait %a[%n]             nvvm.cp.async.wait.group 1
//
// The pass walks the kernel with the count of groups that were committed since
// each fill, the minimum over all paths. A loop is walked again with the counts
// at its end joined to those at its start, until none decreases.

#include "tile/Analysis/FillWalk.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tile {
#define GEN_PASS_DEF_COUNTGROUPS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

namespace {

/// The fact about a fill is the count of groups that were committed since its
/// own, the minimum over all paths.
class GroupCounter : public FillWalk<GroupCounter, Operation *, uint32_t> {
public:
  explicit GroupCounter(KernelOp kernel) : FillWalk(kernel) {}

  /// Finds the number of groups that each wait may leave in flight.
  LogicalResult count();
  /// Replaces the operations on channels.
  void replace();

  // Called by FillWalk.
  void visitOperation(Operation *op, Facts &groups);
  static uint32_t join(uint32_t a, uint32_t b) { return std::min(a, b); }
  static uint32_t joinMissing(uint32_t groups) { return groups; }
  static ChannelOp getChannelOfKey(Operation *channel) {
    return cast<ChannelOp>(channel);
  }

private:
  void commit(CommitOp commit, Facts &groups);
  void recordWait(Operation *wait, uint32_t groups);
  void drain(DrainOp drain, const Facts &groups);

  llvm::DenseMap<Operation *, uint32_t> waits;
};

} // namespace

/// Removes the fills of a channel that is created.
static void forget(ChannelOp channel, GroupCounter::Facts &groups) {
  for (auto it = groups.begin(); it != groups.end();)
    it = it->first.first == channel ? groups.erase(it) : std::next(it);
}

void GroupCounter::commit(CommitOp commit, Facts &groups) {
  for (auto &[fill, number] : groups)
    ++number;
  ChannelOp channel = getChannelOf(commit);
  groups[{channel, getPosition(channel, commit.getCounter())}] = 0;
}

/// Records that a wait may leave `groups` groups in flight on some path.
void GroupCounter::recordWait(Operation *wait, uint32_t groups) {
  auto [it, isNew] = waits.try_emplace(wait, groups);
  it->second = join(it->second, groups);
}

void GroupCounter::drain(DrainOp drain, const Facts &groups) {
  for (const auto &[fill, number] : groups)
    if (fill.first == getChannelOf(drain))
      recordWait(drain, number);
}

void GroupCounter::visitOperation(Operation *op, Facts &groups) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ChannelOp channel) { forget(channel, groups); })
      .Case([&](CommitOp op) { commit(op, groups); })
      .Case([&](DrainOp op) { drain(op, groups); })
      .Case([&](WaitOp wait) {
        ChannelOp channel = getChannelOf(wait);
        auto it =
            groups.find({channel, getPosition(channel, wait.getCounter())});
        if (it != groups.end())
          recordWait(wait, it->second);
      });
}

LogicalResult GroupCounter::count() {
  walk();
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (!isa<WaitOp>(op) || waits.contains(op))
      return WalkResult::advance();
    return op->emitError(
        "expected a wait for a fill that a path to it commits, "
        "got one that no path commits");
  });
  return failure(result.wasInterrupted());
}

void GroupCounter::replace() {
  SmallVector<Operation *> replaced;
  kernel.walk([&](Operation *op) {
    OpBuilder builder(op);
    if (auto it = waits.find(op); it != waits.end())
      NVVM::CpAsyncWaitGroupOp::create(builder, op->getLoc(), it->second);
    else if (isa<CommitOp>(op))
      NVVM::CpAsyncCommitGroupOp::create(builder, op->getLoc());
    else if (!isa<ChannelOp, AcquireOp, ReleaseOp, DrainOp>(op))
      return;
    replaced.push_back(op);
  });
  for (Operation *op : llvm::reverse(replaced))
    op->erase();
}

namespace {
struct CountGroups : tile::impl::CountGroupsBase<CountGroups> {
  using CountGroupsBase::CountGroupsBase;

  void runOnOperation() override {
    if (failed(verifyChannels(getOperation())))
      return signalPassFailure();
    GroupCounter counter(getOperation());
    if (failed(counter.count()))
      return signalPassFailure();
    counter.replace();
  }
};
} // namespace
