// ChannelFills.cpp - the check that channels are filled and read in order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ChannelFills.h"

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/FillWalk.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

namespace {

/// A set of states of a buffer's fill.
using States = uint16_t;
/// The states. A fill without a fact is empty; one that was released is empty
/// again. The last three are those of a full buffer that an asynchronous MMA
/// reads, by the number of MMAs that were issued after it.
enum State : States {
  kEmpty = 1,
  kAcquired = 2,
  kUncommitted = 4,
  kInFlight = 8,
  kFull = 16,
  kReleased = 32,
  kReadByNewest = 64,
  kReadBySecond = 128,
  kReadByOlder = 256
};
constexpr States kRead = kReadByNewest | kReadBySecond | kReadByOlder;

/// The fact about a fill of a buffer is the set of states in which it may be.
/// The key is the buffer's allocation.
class FillChecker : public FillWalk<FillChecker, Operation *, States> {
public:
  explicit FillChecker(KernelOp kernel) : FillWalk(kernel) {}

  std::vector<SynchronizationFinding> run();

  // Called by FillWalk.
  void visitOperation(Operation *op, Facts &states);
  static States join(States a, States b) { return a | b; }
  static States joinMissing(States states) { return states | kEmpty; }
  ChannelOp getChannelOfKey(Operation *allocation) const {
    return positions.getChannel(allocation->getResult(0));
  }

private:
  void start(ChannelOp channel, Facts &states);
  void drain(DrainOp drain, Facts &states);
  void visitFill(Operation *op, ChannelOp channel, Value counter,
                 function_ref<void(Fill)> visit);
  void acquire(AcquireOp acquire, Facts &states);
  void release(ReleaseOp release, Facts &states);
  void visitAccesses(Operation *op, Facts &states);
  void makeFull(Operation *op, Fill fill, States from, StringRef what,
                Facts &states);
  void read(Operation *op, Fill fill, Facts &states);
  std::optional<Fill> getAccessedFill(Operation *op, Value buffer);
  void replaceOthers(Operation *op, Fill fill, States accepted, StringRef what,
                     Facts &states);
  void change(Operation *op, Fill fill, States from, State to, StringRef what,
              Facts &states);
  void refuse(Operation *op, std::string message);

  std::vector<SynchronizationFinding> findings;
  std::set<std::pair<Operation *, std::string>> known;
};

} // namespace

void FillChecker::refuse(Operation *op, std::string message) {
  if (known.insert({op, message}).second)
    findings.push_back({op, std::move(message), {}});
}

/// Describes states. A buffer that MMAs read is full, too, and a released one
/// is empty.
static std::string describe(States states) {
  if (states & kFull)
    states &= ~kRead;
  if (states & kEmpty)
    states &= ~kReleased;
  SmallVector<StringRef> names;
  for (auto [state, name] : {std::pair<States, StringRef>{kEmpty, "empty"},
                             {kAcquired, "acquired"},
                             {kUncommitted, "uncommitted"},
                             {kInFlight, "in flight"},
                             {kFull, "full"},
                             {kReleased, "released"},
                             {kRead, "read by an MMA in flight"}})
    if (states & state)
      names.push_back(name);
  return llvm::join(names, " or ");
}

/// Changes the state of a fill to `to`. The fill must be in one of the states
/// `from`; `what` names the operation.
void FillChecker::change(Operation *op, Fill fill, States from, State to,
                         StringRef what, Facts &states) {
  States &state = states.try_emplace(fill, kEmpty).first->second;
  if (States others = state & ~from)
    refuse(op, "expected " + what.str() + " a fill that is " + describe(from) +
                   ", got one that may be " + describe(others));
  state = to;
}

/// Removes the other fills of the stage of `fill`, which `op` overwrites. They
/// must be in one of the states `accepted`.
void FillChecker::replaceOthers(Operation *op, Fill fill, States accepted,
                                StringRef what, Facts &states) {
  int64_t numStages = getNumStages(getChannelOfKey(fill.first));
  for (auto it = states.begin(); it != states.end();) {
    auto [key, position] = it->first;
    if (key != fill.first || position == fill.second ||
        (position - fill.second) % numStages != 0) {
      ++it;
      continue;
    }
    if (States others = it->second & ~accepted)
      refuse(op, "expected " + what.str() + " a stage whose other fill is " +
                     describe(accepted) + ", got one that may be " +
                     describe(others));
    it = states.erase(it);
  }
}

/// Starts a channel: its fills are empty.
void FillChecker::start(ChannelOp channel, Facts &states) {
  for (auto it = states.begin(); it != states.end();) {
    bool isOfChannel = getChannelOfKey(it->first.first) == channel;
    if (isOfChannel && (it->second & (kUncommitted | kInFlight)))
      refuse(channel, "expected the copies of the channel to be waited for "
                      "before it is created again");
    if (isOfChannel && (it->second & kRead))
      refuse(channel, "expected the MMAs that read the channel to be waited "
                      "for before it is created again");
    it = isOfChannel ? states.erase(it) : std::next(it);
  }
}

void FillChecker::drain(DrainOp drain, Facts &states) {
  for (auto &[fill, state] : states) {
    if (getChannelOfKey(fill.first) != getChannelOf(drain))
      continue;
    if (state & kUncommitted)
      refuse(drain, "expected a drain of fills that were committed, got one "
                    "that may be uncommitted");
    if (state & kInFlight)
      state = (state & ~kInFlight) | kFull;
  }
}

/// Returns the fill that an operation accesses in a buffer; none if the buffer
/// belongs to no channel, or to one that is refused.
std::optional<FillChecker::Fill> FillChecker::getAccessedFill(Operation *op,
                                                              Value buffer) {
  ChannelOp channel = positions.getChannel(buffer);
  if (!channel || !positions.isKnown(channel))
    return std::nullopt;
  std::optional<int64_t> position = positions.getPosition(buffer);
  if (position)
    return Fill(getAllocation(buffer), *position);
  refuse(op,
         "expected an access to one stage of a channel's buffer, got one to "
         "the whole buffer");
  return std::nullopt;
}

void FillChecker::visitAccesses(Operation *op, Facts &states) {
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<memref::AllocOp>(op))
    return;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  llvm::MapVector<Fill, bool> reads; // whether each accessed fill is read
  for (const MemoryEffects::EffectInstance &instance : instances)
    if (Value buffer = instance.getValue();
        buffer && isSharedBuffer(buffer.getType()))
      if (std::optional<Fill> fill = getAccessedFill(op, buffer))
        reads[*fill] |= isa<MemoryEffects::Read>(instance.getEffect());
  for (auto [fill, isRead] : reads) {
    if (isRead) {
      read(op, fill, states);
    } else if (op->hasTrait<AsyncCopy>()) {
      change(op, fill, kAcquired | kUncommitted, kUncommitted, "a copy to",
             states);
    } else {
      replaceOthers(op, fill, kEmpty | kReleased | kFull, "a store to", states);
      change(op, fill, kEmpty | kReleased | kFull, kFull, "a store to", states);
    }
  }
}

/// Makes a fill full, which must be in one of the states `from`. MMAs that read
/// it stay in flight.
void FillChecker::makeFull(Operation *op, Fill fill, States from,
                           StringRef what, Facts &states) {
  States &state = states.try_emplace(fill, kEmpty).first->second;
  States reads = state & kRead;
  change(op, fill, from | kRead, kFull, what, states);
  state |= reads;
}

/// Reads a fill, which must be full. An asynchronous MMA then reads it until a
/// wait.
void FillChecker::read(Operation *op, Fill fill, Facts &states) {
  makeFull(op, fill, kFull, "a read of", states);
  if (isAsyncMatmul(op))
    states[fill] = kReadByNewest;
}

/// Counts a new MMA for the fills that others read.
static void issueMma(FillChecker::Facts &states) {
  for (auto &[fill, state] : states) {
    States later = (state & kReadByNewest ? kReadBySecond : 0) |
                   (state & (kReadBySecond | kReadByOlder) ? kReadByOlder : 0);
    state = (state & ~kRead) | later;
  }
}

/// Ends the reads of all MMAs but the newest `inFlight`.
static void awaitMma(int64_t inFlight, FillChecker::Facts &states) {
  States ended = inFlight == 0   ? kRead
                 : inFlight == 1 ? kReadBySecond | kReadByOlder
                 : inFlight == 2 ? kReadByOlder
                                 : 0;
  for (auto &[fill, state] : states)
    if (state & ended)
      state = (state & ~ended) | kFull;
}

/// Visits a fill of each buffer of a channel.
void FillChecker::visitFill(Operation *op, ChannelOp channel, Value counter,
                            function_ref<void(Fill)> visit) {
  if (!positions.isKnown(channel))
    return;
  for (Value buffer : channel.getBuffers()) {
    memref::AllocOp allocation = getAllocation(buffer);
    visit({allocation,
           hasStages(allocation) ? getPosition(channel, counter) : 0});
  }
}

void FillChecker::acquire(AcquireOp acquire, Facts &states) {
  constexpr StringLiteral kWhat = "an acquire of";
  visitFill(
      acquire, getChannelOf(acquire), acquire.getCounter(), [&](Fill fill) {
        replaceOthers(acquire, fill, kEmpty | kReleased, kWhat, states);
        change(acquire, fill, kEmpty | kReleased, kAcquired, kWhat, states);
      });
}

/// Releases a fill. One before the channel's first fill does not exist, and
/// counts as empty.
void FillChecker::release(ReleaseOp release, Facts &states) {
  auto behind = static_cast<int64_t>(release.getBehind());
  States from = behind > 0 ? kFull | kEmpty : kFull;
  visitFill(release, getChannelOf(release), release.getCounter(),
            [&](Fill fill) {
              change(release, {fill.first, fill.second - behind}, from,
                     kReleased, "a release of", states);
            });
}

void FillChecker::visitOperation(Operation *op, Facts &states) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ChannelOp channel) { start(channel, states); })
      .Case([&](DrainOp op) { drain(op, states); })
      .Case([&](AcquireOp op) { acquire(op, states); })
      .Case([&](CommitOp commit) {
        visitFill(
            op, getChannelOf(commit), commit.getCounter(), [&](Fill fill) {
              change(op, fill, kUncommitted, kInFlight, "a commit of", states);
            });
      })
      .Case([&](WaitOp wait) {
        // The copies may be complete already.
        visitFill(op, getChannelOf(wait), wait.getCounter(), [&](Fill fill) {
          makeFull(op, fill, kInFlight | kFull, "a wait for", states);
        });
      })
      .Case([&](ReleaseOp op) { release(op, states); })
      .Case([&](MmaWaitOp wait) { awaitMma(wait.getInFlight(), states); })
      .Default([&](Operation *op) {
        if (isAsyncMatmul(op))
          issueMma(states);
        visitAccesses(op, states);
      });
}

std::vector<SynchronizationFinding> FillChecker::run() {
  kernel.walk([&](ChannelOp channel) {
    Operation *use = positions.getUnknownUse(channel);
    if (!use)
      return;
    refuse(channel, "expected a channel whose counters are carried by loops "
                    "that advance all of them alike, got counters whose "
                    "distance is not known");
    findings.back().notes.push_back({use, "the use of a counter"});
  });
  walk();
  return std::move(findings);
}

std::vector<SynchronizationFinding> tile::findWrongFills(KernelOp kernel) {
  return FillChecker(kernel).run();
}
