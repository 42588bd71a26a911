// ChannelFills.cpp - the check that channels are filled and read in order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ChannelFills.h"

#include "tile/Analysis/FillWalk.h"

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <set>

using namespace mlir;
using namespace tile;
using namespace tile_gpu;

namespace {

/// States of a fill; a set of them is an integer.
enum State : uint8_t { kEmpty = 1, kFilling = 2, kInFlight = 4, kFull = 8 };

/// The fact about a fill is the set of states in which it may be.
class FillChecker : public FillWalk<FillChecker, uint8_t> {
public:
  explicit FillChecker(KernelOp kernel) : FillWalk(kernel) {}

  std::vector<SynchronizationFinding> run() {
    walk();
    return std::move(findings);
  }

  // Called by FillWalk.
  void visitOperation(Operation *op, Facts &states);
  static uint8_t join(uint8_t a, uint8_t b) { return a | b; }

private:
  void start(ChannelOp channel, Facts &states);
  void drain(DrainOp drain, Facts &states);
  void visitAccesses(Operation *op, Facts &states);
  std::optional<Fill> getAccessedFill(Operation *op, Value buffer);
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
                             {kFilling, "uncommitted"},
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
  auto it = states.find(fill);
  if (it == states.end()) // its channel is refused
    return;
  if (uint8_t others = it->second & ~from)
    refuse(op, "expected a " + what.str() + " a fill that is " +
                   describe(from) + ", got one that may be " +
                   describe(others));
  it->second = to;
}

/// Adds the fills of a channel that is created: its stages are empty.
void FillChecker::start(ChannelOp channel, Facts &states) {
  forget(channel, states);
  if (!positions.isKnown(channel))
    return refuse(channel,
                  "expected a channel whose counters are carried by loops that "
                  "advance all of them alike, got counters whose distance is "
                  "not known");
  for (int64_t stage : llvm::seq(channel.getChannel().getType().getNumStages()))
    states[{channel, stage}] = kEmpty;
}

void FillChecker::drain(DrainOp drain, Facts &states) {
  for (auto &[fill, state] : states)
    if (fill.first == getChannelOf(drain) && (state & kInFlight))
      state = (state & ~kInFlight) | kFull;
}

/// Returns the fill that an operation accesses in a buffer; none if the buffer
/// belongs to no channel.
std::optional<Fill> FillChecker::getAccessedFill(Operation *op, Value buffer) {
  ChannelOp channel = positions.getChannel(buffer);
  if (!channel || !positions.isKnown(channel))
    return std::nullopt;
  std::optional<int64_t> position = positions.getPosition(buffer);
  if (!position)
    refuse(op, "expected an access to one stage of a channel's buffer, got one "
               "to the whole buffer");
  return position ? std::optional(Fill(channel, *position)) : std::nullopt;
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
    if (op->hasTrait<AsyncCopy>())
      change(op, fill, kEmpty | kFilling | kFull, kFilling, "copy to", states);
    else if (isRead)
      change(op, fill, kFull, kFull, "read of", states);
    else
      change(op, fill, kEmpty | kFull, kFull, "store to", states);
  }
}

void FillChecker::visitOperation(Operation *op, Facts &states) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](ChannelOp channel) { start(channel, states); })
      .Case([&](DrainOp op) { drain(op, states); })
      .Case([&](CommitOp commit) {
        change(op, getFill(getChannelOf(commit), commit.getCounter()),
               kEmpty | kFilling | kFull, kInFlight, "commit of", states);
      })
      .Case([&](WaitOp wait) {
        change(op, getFill(getChannelOf(wait), wait.getCounter()),
               kInFlight | kFull, kFull, "wait for", states);
      })
      .Default([&](Operation *op) { visitAccesses(op, states); });
}

std::vector<SynchronizationFinding> tile::findWrongFills(KernelOp kernel) {
  return FillChecker(kernel).run();
}
