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

/// States of a buffer's fill; a set of them is an integer. A fill without a
/// fact is empty.
enum State : uint8_t { kEmpty = 1, kUncommitted = 2, kInFlight = 4, kFull = 8 };

/// The fact about a fill of a buffer is the set of states in which it may be.
/// The key is the buffer's allocation.
class FillChecker : public FillWalk<FillChecker, Operation *, uint8_t> {
public:
  explicit FillChecker(KernelOp kernel) : FillWalk(kernel) {}

  std::vector<SynchronizationFinding> run();

  // Called by FillWalk.
  void visitOperation(Operation *op, Facts &states);
  static uint8_t join(uint8_t a, uint8_t b) { return a | b; }
  static uint8_t joinMissing(uint8_t states) { return states | kEmpty; }
  ChannelOp getChannelOfKey(Operation *allocation) const {
    return positions.getChannel(allocation->getResult(0));
  }

private:
  void start(ChannelOp channel, Facts &states);
  void drain(DrainOp drain, Facts &states);
  void visitFill(Operation *op, ChannelOp channel, Value counter, uint8_t from,
                 State to, StringRef what, Facts &states);
  void visitAccesses(Operation *op, Facts &states);
  std::optional<Fill> getAccessedFill(Operation *op, Value buffer);
  void replaceOthers(Operation *op, Fill fill, StringRef what, Facts &states);
  void change(Operation *op, Fill fill, uint8_t from, State to, StringRef what,
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

static std::string describe(uint8_t states) {
  SmallVector<StringRef> names;
  for (auto [state, name] : {std::pair<State, StringRef>{kEmpty, "empty"},
                             {kUncommitted, "uncommitted"},
                             {kInFlight, "in flight"},
                             {kFull, "full"}})
    if (states & state)
      names.push_back(name);
  return llvm::join(names, " or ");
}

/// Changes the state of a fill to `to`. The fill must be in one of the states
/// `from`; `what` names the operation.
void FillChecker::change(Operation *op, Fill fill, uint8_t from, State to,
                         StringRef what, Facts &states) {
  uint8_t &state = states.try_emplace(fill, kEmpty).first->second;
  if (uint8_t others = state & ~from)
    refuse(op, "expected a " + what.str() + " a fill that is " +
                   describe(from) + ", got one that may be " +
                   describe(others));
  state = to;
}

/// Removes the other fills of the stage of `fill`, which `op` overwrites.
void FillChecker::replaceOthers(Operation *op, Fill fill, StringRef what,
                                Facts &states) {
  int64_t numStages = getNumStages(getChannelOfKey(fill.first));
  for (auto it = states.begin(); it != states.end();) {
    auto [key, position] = it->first;
    if (key != fill.first || position == fill.second ||
        (position - fill.second) % numStages != 0) {
      ++it;
      continue;
    }
    if (uint8_t others = it->second & (kUncommitted | kInFlight))
      refuse(op, "expected a " + what.str() +
                     " a stage whose other fill is empty or full, got one that "
                     "may be " +
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
      change(op, fill, kFull, kFull, "read of", states);
      continue;
    }
    bool isCopy = op->hasTrait<AsyncCopy>();
    StringRef what = isCopy ? "copy to" : "store to";
    replaceOthers(op, fill, what, states);
    if (isCopy)
      change(op, fill, kEmpty | kUncommitted, kUncommitted, what, states);
    else
      change(op, fill, kEmpty | kFull, kFull, what, states);
  }
}

/// Changes the states of a fill of all buffers of a channel.
void FillChecker::visitFill(Operation *op, ChannelOp channel, Value counter,
                            uint8_t from, State to, StringRef what,
                            Facts &states) {
  if (!positions.isKnown(channel))
    return;
  for (Value buffer : channel.getBuffers()) {
    memref::AllocOp allocation = getAllocation(buffer);
    int64_t position =
        hasStages(allocation) ? getPosition(channel, counter) : 0;
    change(op, {allocation, position}, from, to, what, states);
  }
}

void FillChecker::visitOperation(Operation *op, Facts &states) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ChannelOp channel) { start(channel, states); })
      .Case([&](DrainOp op) { drain(op, states); })
      .Case([&](CommitOp commit) {
        visitFill(op, getChannelOf(commit), commit.getCounter(), kUncommitted,
                  kInFlight, "commit of", states);
      })
      .Case([&](WaitOp wait) {
        visitFill(op, getChannelOf(wait), wait.getCounter(), kInFlight | kFull,
                  kFull, "wait for", states);
      })
      .Default([&](Operation *op) { visitAccesses(op, states); });
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
