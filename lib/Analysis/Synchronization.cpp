// Synchronization.cpp - the proof that conflicting accesses are ordered
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An abstract interpretation (docs/Synchronization.md). The kernel is walked in
// program order with the accesses that no barrier has ordered yet, the pending
// accesses. Each pending access that conflicts with a new one is a finding.
// Example with two stages, and the pending accesses after each line:
//
//   scf.for ... iter_args(%put = 1, %get = 0) {    state at (put 1, get 0)
//     wait.group 0                                 copy to stage 0: waited for
//     barrier                                      nothing
//     tile_gpu.copy_async to %buffer[%put]         copy to stage 1: issued
//     commit.group                                 ... 0 groups after its own
//     tile.matmul %buffer[%get]                    ..., read of stage 0
//     yield next(%put), next(%get)                 the state at (put 0, get 1)
//   }
//
// The known counters, modulo their stages, are part of the program point: a
// loop's body is walked once for each tuple of values that is reached, and
// again when the accesses pending there grow. So a circular buffer of S stages
// is walked for one period of S iterations after the prologue and for a second
// one in steady state. The walk ends when a further period adds no access.

#include "tile/Analysis/Synchronization.h"

#include "MemoryAccesses.h"
#include "StageIndices.h"
#include "tile/Analysis/StorageInvariants.h"
#include "tile/Analysis/WarpScope.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

#include <deque>
#include <map>
#include <set>
#include <tuple>

using namespace mlir;
using namespace tile;

namespace {

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

/// The progress of an access: kOrdered, ordered by a barrier, but a proxy fence
/// is still missing; kComplete, complete for its own thread; kFenced, complete
/// and followed by a proxy fence of that thread; kIssued, a copy that was
/// issued. From zero on, the group of the copy or matmul was committed, and the
/// value is the number of groups of its kind that were committed since.
constexpr int64_t kOrdered = -4;
constexpr int64_t kFenced = -3;
constexpr int64_t kComplete = -2;
constexpr int64_t kIssued = -1;
/// Maximum count of groups. A wait that allows more in flight is not proved.
constexpr int64_t kMaxGroups = 64;
/// Maximum number of tuples of counter values for which a loop is walked. If
/// more are reached, all counters count as unknown. The maximum covers two
/// periods of the longest circular buffer (C2 of #tile.tiling).
constexpr size_t kMaxHeads = 128;

/// An access since the last barrier that all threads passed, or a copy in
/// flight. Entries are in the order in which the walk first met the accesses.
struct Pending {
  unsigned access; ///< in SynchronizationProof::accesses
  int64_t groups;
  /// Whether a barrier of each warp came after the access was complete.
  bool isWarpOrdered = false;

  bool isInFlight() const { return groups >= kIssued; }
  bool operator<(const Pending &o) const {
    return std::tie(access, groups, isWarpOrdered) <
           std::tie(o.access, o.groups, o.isWarpOrdered);
  }
};

/// A step of the path from an access to a finding.
enum class Step {
  kNext,
  kEnd,
  kThen,
  kElse,
  kBarrier,
  kWarpBarrier,
  kCommit,
  kWait,
  kWaited
};

struct Path {
  Step step;
  Operation *op;
  const Path *previous;
};

/// The pending accesses, and for each the path from it to the current position.
using State = std::map<Pending, const Path *>;

using Counters = SmallVector<KnownIndex>;

//===----------------------------------------------------------------------===//
// Proof
//===----------------------------------------------------------------------===//

class SynchronizationProof {
public:
  explicit SynchronizationProof(KernelOp kernel) : kernel(kernel) {}

  std::vector<SynchronizationFinding> run();

private:
  // The walk.
  void visit(Block &block, State &state);
  void visit(Operation *op, State &state);
  void visitLoop(scf::ForOp loop, State &state);
  void visitWhile(scf::WhileOp loop, State &state);
  void visitIf(scf::IfOp branch, State &state);
  void visitRegions(Operation *op, State &state);
  void visitAccesses(Operation *op, State &state);
  void visitMatmul(Operation *op, State &state);
  void checkOrder(OrderedAccessOpInterface op);
  void visitEnd(Operation *op, const State &state);

  // Synchronization.
  void meetAtBarrier(Operation *op, State &state);
  void meetInWarps(Operation *op, State &state);
  void commitGroup(AccessMaker maker, Operation *op, State &state);
  void waitForGroups(AccessMaker maker, int64_t newest, Operation *op,
                     State &state);
  void fenceProxy(NVVM::FenceProxyOp op, State &state);

  // Accumulators of matmuls in flight.
  void checkUses(Operation *op, const State &state);
  void checkWaited(Operation *op, const State &state);
  void handOn(State &state, ValueRange from, ValueRange to);
  bool needsFence(const MemoryAccess &access) const {
    return hasMatmuls && access.region.isShared && access.isWrite;
  }

  // Paths and states.
  const Path *follow(const Path *path, Step step, Operation *op) {
    return &paths.emplace_back(Path{step, op, path});
  }
  void follow(State &state, Step step, Operation *op) {
    for (auto &[pending, path] : state)
      path = follow(path, step, op);
  }
  /// Adds the pending accesses of `from`. Returns whether there was anything
  /// new.
  static bool merge(State &into, const State &from) {
    size_t known = into.size();
    into.insert(from.begin(), from.end());
    return into.size() != known;
  }
  bool synchronizes(Operation *op);
  unsigned getAccessIndex(const MemoryAccess &access, size_t position);

  // Findings.
  void refuse(Operation *op, std::string message);
  void checkRegion(const MemoryAccess &access);
  void reportUnordered(const MemoryAccess &first, int64_t groups,
                       const Path *path, const MemoryAccess &second);
  void reportMatmul(const MemoryAccess &made, const Path *path, Operation *op,
                    StringRef message);
  void addPath(const Path *path, SynchronizationFinding &finding);

  KernelOp kernel;
  StageIndices indices;
  std::vector<MemoryAccess> accesses;
  std::map<std::tuple<Operation *, size_t, int64_t, int64_t, const void *>,
           unsigned>
      accessIndices;
  std::deque<Path> paths;
  llvm::DenseMap<Operation *, bool> hasSynchronization;
  bool hasMatmuls = false;
  std::vector<SynchronizationFinding> findings;
  /// Pairs that have a finding: two operations, or an operation and a message.
  std::set<std::pair<Operation *, Operation *>> unordered;
  std::set<std::pair<Operation *, std::string>> refused;
};

} // namespace

/// Whether an operation or one inside it orders anything.
bool SynchronizationProof::synchronizes(Operation *op) {
  auto [it, isNew] = hasSynchronization.try_emplace(op, false);
  if (isNew)
    it->second =
        op->walk([](Operation *inside) {
            return isa<gpu::BarrierOp, NVVM::SyncWarpOp,
                       NVVM::CpAsyncCommitGroupOp, NVVM::CpAsyncWaitGroupOp>(
                       inside)
                       ? WalkResult::interrupt()
                       : WalkResult::advance();
          }).wasInterrupted();
  return it->second;
}

/// Returns the index of an operation's access, identified by its position in
/// the operation's list and its bytes or value.
unsigned SynchronizationProof::getAccessIndex(const MemoryAccess &access,
                                              size_t position) {
  auto [it, isNew] = accessIndices.try_emplace(
      {access.op, position, access.region.begin, access.region.end,
       access.region.value.getAsOpaquePointer()},
      accesses.size());
  if (isNew)
    accesses.push_back(access);
  return it->second;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static std::string describe(const MemoryAccess &access) {
  std::string what = access.isWrite ? "write of " : "read of ";
  if (access.maker == AccessMaker::kMatmul)
    what = "product's " + what;
  else if (access.isAsync())
    what = access.isWrite ? "copy to " : "copy from ";
  return what + access.region.print();
}

void SynchronizationProof::refuse(Operation *op, std::string message) {
  if (refused.insert({op, message}).second)
    findings.push_back({op, std::move(message), {}});
}

/// Checks that an access is inside the kernel's bytes and that its layout is
/// injective. Bytes beyond the kernel's own belong to another block, and a
/// layout that gives two elements the same bytes makes two threads write them
/// at once.
void SynchronizationProof::checkRegion(const MemoryAccess &access) {
  const MemoryRegion &region = access.region;
  if (!region.isShared)
    return;
  auto bytes = kernel->getAttrOfType<IntegerAttr>(kSharedBytesAttr);
  int64_t end = bytes ? bytes.getInt() : 0;
  if (region.isExact() && (region.begin < 0 || region.end > end))
    refuse(access.op, "expected an access inside the kernel's " +
                          std::to_string(end) +
                          " bytes of shared memory (from tile.shared_bytes), "
                          "got a " +
                          describe(access));
  if (access.isWrite && !region.isInjective)
    refuse(access.op, "expected a layout that gives each element bytes of its "
                      "own where a buffer is written, got two in the same");
}

static std::string describe(const Path &step) {
  switch (step.step) {
  case Step::kNext:
    return "in the next iteration of this loop";
  case Step::kEnd:
    return "after the end of this loop";
  case Step::kThen:
    return "where this condition holds";
  case Step::kElse:
    return "where this condition does not hold";
  case Step::kBarrier:
    return "a barrier orders nothing in flight";
  case Step::kWarpBarrier:
    return "this barrier orders the lanes of each warp alone";
  case Step::kCommit:
    return "committed here";
  case Step::kWait:
    return "this wait may leave its group in flight";
  case Step::kWaited:
    return "waited for here";
  }
  llvm_unreachable("a step of a path");
}

/// Adds the steps of `path` to the notes, in the order in which they are taken.
/// A step that is taken several times is added once, with the count.
void SynchronizationProof::addPath(const Path *path,
                                   SynchronizationFinding &finding) {
  SmallVector<std::pair<Path, int64_t>> steps;
  for (; path; path = path->previous) {
    auto *same = llvm::find_if(steps, [&](const auto &entry) {
      return entry.first.op == path->op && entry.first.step == path->step;
    });
    int64_t times = 1;
    if (same != steps.end()) {
      times += same->second;
      steps.erase(same);
    }
    steps.push_back({*path, times});
  }
  for (const auto &[step, times] : llvm::reverse(steps)) {
    std::string text = describe(step);
    if (times > 1)
      text += " (" + std::to_string(times) + " times)";
    finding.notes.push_back({step.op, text});
  }
}

void SynchronizationProof::reportUnordered(const MemoryAccess &first,
                                           int64_t groups, const Path *path,
                                           const MemoryAccess &second) {
  if (!unordered.insert({first.op, second.op}).second)
    return;
  std::string before = describe(first), after = describe(second), message;
  if (groups == kIssued)
    message = "expected the " + before +
              " to be committed and waited for before this " + after +
              ", got a path without a commit";
  else if (groups > kIssued)
    message = "expected the " + before + " to be waited for before this " +
              after + ", got a path that leaves it in flight";
  else
    message = std::string("expected a ") +
              (groups == kOrdered ? "proxy fence" : "barrier") + " between " +
              (first.isAsync() ? "the wait for the " : "the ") + before +
              " and this " + after + ", got a path without one";
  SynchronizationFinding finding{second.op, message, {}};
  finding.notes.push_back({first.op, "the " + before});
  addPath(path, finding);
  findings.push_back(std::move(finding));
}

/// Reports a use of the accumulators of a matmul in flight.
void SynchronizationProof::reportMatmul(const MemoryAccess &made,
                                        const Path *path, Operation *op,
                                        StringRef message) {
  if (!unordered.insert({made.op, op}).second)
    return;
  SynchronizationFinding finding{op, message.str(), {}};
  finding.notes.push_back({made.op, "the product"});
  addPath(path, finding);
  findings.push_back(std::move(finding));
}

//===----------------------------------------------------------------------===//
// Accesses and synchronization
//===----------------------------------------------------------------------===//

void SynchronizationProof::visitAccesses(Operation *op, State &state) {
  SmallVector<MemoryAccess> own;
  readAccesses(op, indices, own);
  // Threads run the region independently: the program guarantees that their
  // accesses there do not conflict with each other.
  bool areThreads = op->hasTrait<ThreadRegion>();
  const State before = areThreads ? state : State();
  const State &others = areThreads ? before : state;
  for (auto [position, access] : llvm::enumerate(own)) {
    checkRegion(access);
    for (const auto &[pending, path] : others) {
      const MemoryAccess &earlier = accesses[pending.access];
      bool isOrdered =
          pending.groups == kOrdered && access.maker != AccessMaker::kMatmul;
      if (!isOrdered && (access.isWrite || earlier.isWrite) &&
          access.region.overlaps(earlier.region) &&
          !(pending.isWarpOrdered && meetWithinWarps(earlier.op, access.op)))
        reportUnordered(earlier, pending.groups, path, access);
    }
    int64_t groups = access.maker == AccessMaker::kThreads ? kComplete
                     : access.maker == AccessMaker::kCopy  ? kIssued
                                                           : 0;
    state.insert({{getAccessIndex(access, position), groups}, nullptr});
  }
}

/// Visits a matmul, which is a group of its own. Its results are new values, so
/// that nothing can refer to the earlier results of the same operation.
void SynchronizationProof::visitMatmul(Operation *op, State &state) {
  commitGroup(AccessMaker::kMatmul, op, state);
  handOn(state, {}, op->getResults());
  visitAccesses(op, state);
}

/// Checks that all threads meet directly before a release and after an acquire,
/// so that these hold for the accesses of all of them. Operations without
/// effects may be in between.
void SynchronizationProof::checkOrder(OrderedAccessOpInterface op) {
  if (op.isRelease() && !meetDirectlyBefore(op))
    refuse(op, "expected a barrier directly before a release, got none");
  if (op.isAcquire() && !meetDirectlyAfter(op))
    refuse(op, "expected a barrier directly after an acquire, got none");
}

/// Orders the accesses that threads have completed. Copies and matmuls in
/// flight stay pending, and so do writes that the asynchronous proxy does not
/// see yet.
void SynchronizationProof::meetAtBarrier(Operation *op, State &state) {
  State left;
  for (auto &[pending, path] : state) {
    const MemoryAccess &access = accesses[pending.access];
    if (pending.isInFlight())
      left.insert({pending, follow(path, Step::kBarrier, op)});
    else if (access.region.value)
      left.insert({pending, path});
    else if (needsFence(access) && pending.groups != kFenced)
      left.insert({{pending.access, kOrdered}, path});
  }
  state = std::move(left);
}

/// Orders accesses of a warp's lanes before later ones of the same warp.
/// Whether other warps touch the same bytes is checked at the later access.
void SynchronizationProof::meetInWarps(Operation *op, State &state) {
  if (isOneWarp(kernel))
    return meetAtBarrier(op, state);
  State next;
  for (const auto &[pending, path] : state)
    next.insert({{pending.access, pending.groups,
                  pending.isWarpOrdered || !pending.isInFlight()},
                 follow(path, Step::kWarpBarrier, op)});
  state = std::move(next);
}

/// Marks completed accesses as followed by a proxy fence of their own thread.
/// Accesses that a barrier has ordered before lacked only the fence, and are
/// dropped.
void SynchronizationProof::fenceProxy(NVVM::FenceProxyOp op, State &state) {
  if (op.getKind() != NVVM::ProxyKind::async_shared &&
      op.getKind() != NVVM::ProxyKind::async)
    return;
  State next;
  for (const auto &[pending, path] : state) {
    bool isFenced =
        pending.groups == kComplete && needsFence(accesses[pending.access]);
    if (isFenced)
      next.insert({{pending.access, kFenced, pending.isWarpOrdered}, path});
    else if (pending.groups != kOrdered)
      next.insert({pending, path});
  }
  state = std::move(next);
}

void SynchronizationProof::commitGroup(AccessMaker maker, Operation *op,
                                       State &state) {
  State next;
  for (const auto &[pending, path] : state) {
    bool isCounted =
        pending.isInFlight() && accesses[pending.access].maker == maker;
    int64_t groups =
        isCounted ? std::min(pending.groups + 1, kMaxGroups) : pending.groups;
    next.insert({{pending.access, groups, pending.isWarpOrdered},
                 isCounted && pending.groups == kIssued
                     ? follow(path, Step::kCommit, op)
                     : path});
  }
  state = std::move(next);
}

/// Each thread waits for its own groups, except for the last `newest` ones.
void SynchronizationProof::waitForGroups(AccessMaker maker, int64_t newest,
                                         Operation *op, State &state) {
  State next;
  for (const auto &[pending, path] : state) {
    if (!pending.isInFlight() || accesses[pending.access].maker != maker)
      next.insert({pending, path});
    else if (pending.groups >= newest)
      next.insert(
          {{pending.access, kComplete}, follow(path, Step::kWaited, op)});
    else
      next.insert({pending, follow(path, Step::kWait, op)});
  }
  state = std::move(next);
}

/// Reports copies and matmuls that are in flight at the end of the kernel. The
/// shared memory may then belong to another block: the copy would write it, and
/// the matmul would read it.
void SynchronizationProof::visitEnd(Operation *op, const State &state) {
  for (const auto &[pending, path] : state) {
    const MemoryAccess &copy = accesses[pending.access];
    bool isMatmul = copy.maker == AccessMaker::kMatmul;
    if (!pending.isInFlight() || !(copy.isWrite || isMatmul) ||
        !unordered.insert({copy.op, op}).second)
      continue;
    SynchronizationFinding finding{
        op,
        std::string("expected every ") + (isMatmul ? "product" : "copy") +
            " to be waited for before the kernel ends, got a " +
            describe(copy) + " in flight",
        {}};
    finding.notes.push_back({copy.op, "the " + describe(copy)});
    addPath(path, finding);
    findings.push_back(std::move(finding));
  }
}

//===----------------------------------------------------------------------===//
// Accumulators of matmuls in flight
//===----------------------------------------------------------------------===//

/// Whether a use of a matmul's accumulators, or of its token, only passes them
/// on without reading them: a matmul adds to them, a wait receives them, or a
/// loop or branch carries them.
static bool handsOn(OpOperand &use) {
  Operation *user = use.getOwner();
  if (isa<scf::YieldOp>(user))
    return isa<scf::ForOp, scf::IfOp>(user->getParentOp());
  if (isAsyncMatmul(user))
    return cast<MatmulOpInterface>(user).getAcc() == use.get();
  return isa<tile_gpu::MmaWaitOp, scf::ForOp>(user);
}

/// Checks that `op` reads the accumulators of a pending matmul only from the
/// results of a wait.
void SynchronizationProof::checkUses(Operation *op, const State &state) {
  for (const auto &[pending, path] : state) {
    const MemoryAccess &made = accesses[pending.access];
    if (!made.region.value)
      continue;
    for (OpOperand &use : op->getOpOperands())
      if (use.get() == made.region.value && !handsOn(use))
        reportMatmul(made, path, op,
                     "expected accumulators to be read of the results of a "
                     "wait for their product, got a read of what it adds to");
  }
}

/// Checks that a wait which receives results of matmuls waits for these
/// matmuls.
void SynchronizationProof::checkWaited(Operation *op, const State &state) {
  for (const auto &[pending, path] : state) {
    const MemoryAccess &made = accesses[pending.access];
    if (pending.isInFlight() && made.region.value &&
        llvm::is_contained(op->getOperands(), made.region.value))
      reportMatmul(made, path, op,
                   "expected this wait to be for the product, got a path that "
                   "leaves it in flight");
  }
}

/// Renames the values whose accumulators are pending: accesses of `from` become
/// accesses of `to`, and earlier accesses of `to` are removed.
void SynchronizationProof::handOn(State &state, ValueRange from,
                                  ValueRange to) {
  if (!hasMatmuls)
    return;
  State next;
  for (const auto &[pending, path] : state) {
    MemoryAccess access = accesses[pending.access];
    Value value = access.region.value;
    if (!value || !llvm::is_contained(to, value))
      next.insert({pending, path});
    for (auto [source, target] : llvm::zip(from, to)) {
      if (!value || source != value)
        continue;
      access.region.value = target;
      next.insert(
          {{getAccessIndex(access, /*position=*/0), pending.groups}, path});
    }
  }
  state = std::move(next);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

void SynchronizationProof::visit(Block &block, State &state) {
  for (Operation &op : block)
    visit(&op, state);
}

void SynchronizationProof::visit(Operation *op, State &state) {
  std::string unknown = findUnknown(op);
  if (!unknown.empty())
    return refuse(op, unknown);
  indices.run(op);
  if (hasMatmuls)
    checkUses(op, state);
  TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { visitLoop(loop, state); })
      .Case([&](scf::WhileOp loop) { visitWhile(loop, state); })
      .Case([&](scf::IfOp branch) { visitIf(branch, state); })
      .Case([&](gpu::BarrierOp) { meetAtBarrier(op, state); })
      .Case([&](NVVM::SyncWarpOp) { meetInWarps(op, state); })
      .Case([&](NVVM::CpAsyncCommitGroupOp) {
        commitGroup(AccessMaker::kCopy, op, state);
      })
      .Case([&](NVVM::CpAsyncWaitGroupOp wait) {
        waitForGroups(AccessMaker::kCopy, wait.getN(), op, state);
      })
      .Case([&](NVVM::FenceProxyOp fence) { fenceProxy(fence, state); })
      .Case([&](tile_gpu::MmaWaitOp wait) {
        waitForGroups(AccessMaker::kMatmul, wait.getInFlight(), op, state);
        checkWaited(wait, state);
      })
      .Case([&](ReturnOp) { visitEnd(op, state); })
      .Default([&](Operation *) {
        if (isAsyncMatmul(op))
          return visitMatmul(op, state);
        if (auto ordered = dyn_cast<OrderedAccessOpInterface>(op))
          checkOrder(ordered);
        visitAccesses(op, state);
        if (!op->hasTrait<ThreadRegion>())
          visitRegions(op, state);
      });
}

/// Walks the body for each tuple of known counters that is reached, until no
/// walk adds pending accesses at the start of another.
void SynchronizationProof::visitLoop(scf::ForOp loop, State &state) {
  SmallVector<unsigned> positions;
  for (auto [position, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (StageIndices::isCounter(argument))
      positions.push_back(position);
  auto read = [&](ValueRange values) {
    Counters counters;
    for (unsigned position : positions)
      counters.push_back(indices.get(values[position]));
    return counters;
  };

  std::map<Counters, State> heads;
  std::set<Counters> changed;
  bool isWide = false;
  auto reach = [&](Counters counters, const State &pending) {
    isWide |= heads.size() >= kMaxHeads && heads.count(counters) == 0;
    if (isWide)
      counters.assign(positions.size(), std::nullopt);
    auto [head, isNew] = heads.try_emplace(counters);
    if (merge(head->second, pending) || isNew)
      changed.insert(counters);
  };
  handOn(state, loop.getInits(), loop.getRegionIterArgs());
  reach(read(loop.getInits()), state);
  while (!changed.empty()) {
    Counters counters = *changed.begin();
    changed.erase(changed.begin());
    for (auto [position, counter] : llvm::zip(positions, counters))
      indices.set(loop.getRegionIterArg(position), counter);
    State end = heads[counters];
    visit(*loop.getBody(), end);
    follow(end, Step::kNext, loop);
    handOn(end, loop.getYieldedValues(), loop.getRegionIterArgs());
    reach(read(loop.getYieldedValues()), end);
  }

  // The loop may end before any iteration, so its end state is the union of the
  // states before all iterations.
  state.clear();
  for (const auto &[counters, head] : heads)
    merge(state, head);
  follow(state, Step::kEnd, loop);
  handOn(state, loop.getRegionIterArgs(), loop.getResults());
  for (auto [index, position] : llvm::enumerate(positions)) {
    KnownIndex last = heads.begin()->first[index];
    for (const auto &[counters, head] : heads)
      if (counters[index] != last)
        last = std::nullopt;
    indices.set(loop.getResult(position), last);
  }
}

/// Walks a loop whose carried values are not known.
void SynchronizationProof::visitWhile(scf::WhileOp loop, State &state) {
  State head = std::move(state);
  while (true) {
    state = head;
    visit(*loop.getBeforeBody(), state);
    State end = state;
    visit(*loop.getAfterBody(), end);
    follow(end, Step::kNext, loop);
    if (!merge(head, end))
      break;
  }
  follow(state, Step::kEnd, loop);
}

void SynchronizationProof::visitIf(scf::IfOp branch, State &state) {
  State entry = std::move(state);
  state.clear();
  SmallVector<KnownIndex> known;
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    State end = entry;
    bool isThen = region == &branch.getThenRegion();
    if (synchronizes(branch))
      follow(end, isThen ? Step::kThen : Step::kElse, branch);
    if (!region->empty()) {
      visit(region->front(), end);
      handOn(end, region->front().getTerminator()->getOperands(),
             branch.getResults());
    }
    merge(state, end);
    for (auto [index, result] : llvm::enumerate(branch.getResults())) {
      KnownIndex value =
          indices.get(region->front().getTerminator()->getOperand(index));
      if (isThen)
        known.push_back(value);
      bool agrees = known[index] == value;
      if (StageIndices::isCounter(result))
        indices.set(result, agrees ? value : std::nullopt);
    }
  }
}

/// Walks regions, which run in any order, any number of times, or not at all.
void SynchronizationProof::visitRegions(Operation *op, State &state) {
  bool isNew = true;
  while (isNew) {
    isNew = false;
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      State end = state;
      visit(region.front(), end);
      follow(end, Step::kNext, op);
      isNew |= merge(state, end);
    }
  }
}

std::vector<SynchronizationFinding> SynchronizationProof::run() {
  // The proof assumes that all threads access the bytes of a layout together,
  // so layouts are verified first.
  std::optional<int64_t> numWarps;
  if (kernel.getBlock())
    numWarps = kernel.getNumWarps();
  kernel.walk([&](Operation *op) {
    std::string problem = findStorageProblem(op, numWarps);
    if (!problem.empty() && findUnknown(op).empty())
      refuse(op, problem);
  });
  kernel.walk([&](Operation *op) { hasMatmuls |= isAsyncMatmul(op); });
  State state;
  visit(kernel.getBody().front(), state);
  return std::move(findings);
}

std::vector<SynchronizationFinding>
tile::findUnorderedAccesses(KernelOp kernel) {
  return SynchronizationProof(kernel).run();
}

void SynchronizationFinding::emit() const {
  InFlightDiagnostic error = emitError(op->getLoc(), message);
  for (const auto &[at, text] : notes)
    error.attachNote(at->getLoc()) << text;
}

LogicalResult tile::emitFindings(ArrayRef<SynchronizationFinding> findings) {
  for (const SynchronizationFinding &finding : findings)
    finding.emit();
  return success(findings.empty());
}
