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
// one in steady state. The walk ends when a further period adds no access. If
// the counters of a loop are used after it, as by a loop around it that fills
// the buffers again, the rest is walked once for each tuple with which the loop
// may end.

#include "tile/Analysis/Synchronization.h"

#include "MemoryAccesses.h"
#include "StageIndices.h"
#include "tile/Analysis/StorageInvariants.h"
#include "tile/Analysis/WarpScope.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/IR/Participants.h"

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
/// Maximum number of tuples of counter values for which a loop, or the rest of
/// the kernel after it, is walked. If more are reached, the counters count as
/// unknown. The maximum covers two periods of the longest circular buffer (C2
/// of #tile.tiling).
constexpr size_t kMaxTuples = 128;

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

/// A case consists of the known counters, and of the accesses that are pending
/// with them.
struct Case {
  StageIndices indices;
  State state;
};
/// The cases of a program point are those in which threads may reach it. No two
/// have the same known counters.
using Cases = std::vector<Case>;

//===----------------------------------------------------------------------===//
// Proof
//===----------------------------------------------------------------------===//

class SynchronizationProof {
public:
  explicit SynchronizationProof(KernelOp kernel) : kernel(kernel) {}

  std::vector<SynchronizationFinding> run();

private:
  // The walk.
  void visit(Block &block, Cases &cases);
  void visit(Operation *op, Cases &cases);
  void visitOperation(Operation *op, Case &at);
  void visitControlFlow(Operation *op, const Case &entry, Cases &ends);
  void visitLoop(scf::ForOp loop, const Case &entry, Cases &ends);
  void visitWhile(scf::WhileOp loop, const Case &entry, Cases &ends);
  void visitIf(scf::IfOp branch, const Case &entry, Cases &ends);
  void visitRegions(Operation *op, const Case &entry, Cases &ends);
  State visitRegion(Region &region, const StageIndices &indices, State state);
  void visitAccesses(Operation *op, Case &at);
  void visitMatmul(Operation *op, Case &at);
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

void SynchronizationProof::visitAccesses(Operation *op, Case &at) {
  State &state = at.state;
  SmallVector<MemoryAccess> own;
  readAccesses(op, at.indices, own);
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
void SynchronizationProof::visitMatmul(Operation *op, Case &at) {
  commitGroup(AccessMaker::kMatmul, op, at.state);
  handOn(at.state, {}, op->getResults());
  visitAccesses(op, at);
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

/// Adds a case; one with the same known counters gets its pending accesses.
static void addCase(Cases &cases, Case next) {
  auto same = llvm::find_if(
      cases, [&](const Case &at) { return at.indices == next.indices; });
  if (same == cases.end())
    cases.push_back(std::move(next));
  else
    same->state.insert(next.state.begin(), next.state.end());
}

/// Makes one case of all, in which no counter is known.
static Case join(const Cases &cases) {
  Case all;
  for (const Case &at : cases)
    all.state.insert(at.state.begin(), at.state.end());
  return all;
}

/// Gives the counter `to`, if it is used, the stage of the counter `from`.
static void carry(const StageIndices &known, Value from, Value to,
                  StageIndices &indices) {
  if (StageIndices::isCounter(to) && !to.use_empty())
    indices.set(to, known.get(from));
}

void SynchronizationProof::visit(Block &block, Cases &cases) {
  for (Operation &op : block)
    visit(&op, cases);
}

void SynchronizationProof::visit(Operation *op, Cases &cases) {
  std::string unknown = findUnknown(op);
  if (!unknown.empty())
    return refuse(op, unknown);
  for (Case &at : cases)
    visitOperation(op, at);
  if (op->getNumRegions() == 0 || op->hasTrait<ThreadRegion>())
    return;
  Cases ends;
  for (const Case &at : cases)
    visitControlFlow(op, at, ends);
  cases = std::move(ends);
  if (cases.size() > kMaxTuples)
    cases = {join(cases)};
}

/// Visits an operation without the operations inside it.
void SynchronizationProof::visitOperation(Operation *op, Case &at) {
  State &state = at.state;
  at.indices.run(op);
  if (hasMatmuls)
    checkUses(op, state);
  TypeSwitch<Operation *>(op)
      .Case<scf::ForOp, scf::WhileOp, scf::IfOp>([](Operation *) {})
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
          return visitMatmul(op, at);
        if (auto ordered = dyn_cast<OrderedAccessOpInterface>(op))
          checkOrder(ordered);
        visitAccesses(op, at);
      });
}

/// Visits the operations inside `op`, which is reached in the case `entry`, and
/// adds the cases in which it ends.
void SynchronizationProof::visitControlFlow(Operation *op, const Case &entry,
                                            Cases &ends) {
  TypeSwitch<Operation *>(op)
      .Case([&](scf::ForOp loop) { visitLoop(loop, entry, ends); })
      .Case([&](scf::WhileOp loop) { visitWhile(loop, entry, ends); })
      .Case([&](scf::IfOp branch) { visitIf(branch, entry, ends); })
      .Default([&](Operation *) { visitRegions(op, entry, ends); });
}

/// Walks the body for each tuple of known counters that is reached, until no
/// walk adds pending accesses at the start of another. The loop may end before
/// any iteration, so that each start is also a case in which it ends.
void SynchronizationProof::visitLoop(scf::ForOp loop, const Case &entry,
                                     Cases &ends) {
  SmallVector<unsigned> positions;
  for (auto [position, argument] : llvm::enumerate(loop.getRegionIterArgs()))
    if (StageIndices::isCounter(argument))
      positions.push_back(position);
  auto read = [&](ValueRange values, const StageIndices &indices) {
    return llvm::map_to_vector(positions, [&](unsigned position) {
      return indices.get(values[position]);
    });
  };

  std::map<Counters, State> heads;
  std::set<Counters> changed;
  bool isWide = false;
  auto reach = [&](Counters counters, const State &pending) {
    isWide |= heads.size() >= kMaxTuples && heads.count(counters) == 0;
    if (isWide)
      counters.assign(positions.size(), std::nullopt);
    auto [head, isNew] = heads.try_emplace(counters);
    if (merge(head->second, pending) || isNew)
      changed.insert(counters);
  };
  State begin = entry.state;
  handOn(begin, loop.getInits(), loop.getRegionIterArgs());
  reach(read(loop.getInits(), entry.indices), begin);
  while (!changed.empty()) {
    Counters counters = *changed.begin();
    changed.erase(changed.begin());
    Cases cases = {{entry.indices, heads[counters]}};
    for (auto [position, counter] : llvm::zip(positions, counters))
      cases.front().indices.set(loop.getRegionIterArg(position), counter);
    visit(*loop.getBody(), cases);
    for (Case &end : cases) {
      follow(end.state, Step::kNext, loop);
      handOn(end.state, loop.getYieldedValues(), loop.getRegionIterArgs());
      reach(read(loop.getYieldedValues(), end.indices), end.state);
    }
  }

  for (auto &[counters, head] : heads) {
    Case end = {entry.indices, std::move(head)};
    follow(end.state, Step::kEnd, loop);
    handOn(end.state, loop.getRegionIterArgs(), loop.getResults());
    for (auto [position, counter] : llvm::zip(positions, counters))
      if (!loop.getResult(position).use_empty())
        end.indices.set(loop.getResult(position), counter);
    addCase(ends, std::move(end));
  }
}

/// Walks a region without results and returns the accesses pending at its end.
State SynchronizationProof::visitRegion(Region &region,
                                        const StageIndices &indices,
                                        State state) {
  Cases cases = {{indices, std::move(state)}};
  visit(region.front(), cases);
  return join(cases).state;
}

/// Walks a loop whose carried values are not known.
void SynchronizationProof::visitWhile(scf::WhileOp loop, const Case &entry,
                                      Cases &ends) {
  State head = entry.state, last;
  bool isNew = true;
  while (isNew) {
    last = visitRegion(loop.getBefore(), entry.indices, head);
    State end = visitRegion(loop.getAfter(), entry.indices, last);
    follow(end, Step::kNext, loop);
    isNew = merge(head, end);
  }
  follow(last, Step::kEnd, loop);
  addCase(ends, {entry.indices, std::move(last)});
}

void SynchronizationProof::visitIf(scf::IfOp branch, const Case &entry,
                                   Cases &ends) {
  for (Region *region : {&branch.getThenRegion(), &branch.getElseRegion()}) {
    Cases cases = {entry};
    bool isThen = region == &branch.getThenRegion();
    if (synchronizes(branch))
      follow(cases.front().state, isThen ? Step::kThen : Step::kElse, branch);
    ValueRange yielded;
    if (!region->empty()) {
      visit(region->front(), cases);
      yielded = region->front().getTerminator()->getOperands();
    }
    for (Case &at : cases) {
      Case end = {entry.indices, std::move(at.state)};
      handOn(end.state, yielded, branch.getResults());
      for (auto [from, to] : llvm::zip(yielded, branch.getResults()))
        carry(at.indices, from, to, end.indices);
      addCase(ends, std::move(end));
    }
  }
}

/// Walks regions, which run in any order, any number of times, or not at all.
void SynchronizationProof::visitRegions(Operation *op, const Case &entry,
                                        Cases &ends) {
  State state = entry.state;
  bool isNew = true;
  while (isNew) {
    isNew = false;
    for (Region &region : op->getRegions()) {
      if (region.empty())
        continue;
      State end = visitRegion(region, entry.indices, state);
      follow(end, Step::kNext, op);
      isNew |= merge(state, end);
    }
  }
  addCase(ends, {entry.indices, std::move(state)});
}

std::vector<SynchronizationFinding> SynchronizationProof::run() {
  // The proof assumes that all threads access the bytes of a layout together,
  // so layouts are verified first.
  kernel.walk([&](Operation *op) {
    std::optional<int64_t> numWarps;
    if (kernel.getBlock())
      numWarps = getParticipants(op).numWarps;
    std::string problem = findStorageProblem(op, numWarps);
    if (!problem.empty() && findUnknown(op).empty())
      refuse(op, problem);
  });
  kernel.walk([&](Operation *op) { hasMatmuls |= isAsyncMatmul(op); });
  Cases cases(1);
  visit(kernel.getBody().front(), cases);
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
