// InsertBarriers.cpp - barriers between conflicting accesses of threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pass walks the kernel with the set of accesses since the last barrier. An
// operation whose access conflicts with one of them (same bytes, one of them a
// write) gets a barrier before it. A loop is walked again with the accesses at
// its end added to those at its start, until that adds nothing new. Only the
// barriers of the last walk are inserted, so that a barrier for the steady
// state also serves the first iteration.
//
// The set of accesses is extended in four ways:
//
// - The stages of a circular buffer are addressed by counters that advance by
//   one, modulo the number of stages, in each iteration of a loop. The stage of
//   an access is relative to the current iteration of that loop: at iteration
//   zero, it is the counter's first value. At the end of an iteration the
//   stages of the accesses to the loop's circular buffers decrease by one.
//   Accesses to different stages do not conflict.
// - An asynchronous copy reads and writes at any time until its group is waited
//   for. No barrier orders it before that; the wait makes it a plain read and
//   write of the waiting thread, which a barrier then orders. For each copy the
//   state counts the groups that were committed after its own. The reads of a
//   matmul by four warps are treated in the same way; each matmul is a group of
//   its own.
// - If a branch needs a barrier because of accesses before the branch, the
//   barrier is better placed before the branch, where it serves both sides. The
//   state counts the branches around each access, and so records whether the
//   access came before a branch.
// - If two accesses conflict only within the lanes of one warp (WarpScope.h), a
//   barrier of each warp is enough (nvvm.bar.warp.sync). A flag of each access
//   records whether such a barrier came after it. Barriers of warps are
//   inserted only if they save a barrier of the block.

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/WarpScope.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <set>
#include <tuple>

namespace tile {
#define GEN_PASS_DEF_INSERTBARRIERS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {

constexpr int64_t kAnyStage = -1;
constexpr int64_t kNotAsync = -2;
constexpr int64_t kNotCommitted = -1;
/// The maximum count of groups; PTX programs wait for far fewer.
constexpr int64_t kMaxGroups = 64;

/// The threads whose accesses a barrier orders.
enum class Scope { kWarp, kBlock };

/// An access to memory. Accesses are ordered, so that states are sets and the
/// walk is deterministic.
struct Access {
  void *root; ///< the array or allocation
  /// Stage in a circular buffer, relative to the loop's current iteration.
  int64_t stage;
  bool isWrite;
  int64_t groups; ///< groups committed since the access's own, see isInFlight
  bool isMatmul;  ///< whether the groups are those of matmuls
  /// Number of branches that contain both the current position of the walk and
  /// the access or, for a copy, the wait for it.
  size_t depth;
  Operation *byWarps;         ///< accessing operation, if its warps are known
  bool isWarpOrdered = false; ///< whether a warp barrier followed

  bool isInFlight() const { return groups != kNotAsync; }
  bool operator<(const Access &o) const {
    return std::tie(root, stage, isWrite, groups, isMatmul, depth, byWarps,
                    isWarpOrdered) < std::tie(o.root, o.stage, o.isWrite,
                                              o.groups, o.isMatmul, o.depth,
                                              o.byWarps, o.isWarpOrdered);
  }
};

using State = std::set<Access>;

class BarrierInserter {
public:
  /// Inserts barriers of warps where they suffice, if `usesWarps`.
  BarrierInserter(KernelOp kernel, bool usesWarps)
      : kernel(kernel), isOneWarp(tile::isOneWarp(kernel)),
        usesWarps(usesWarps) {}

  /// Finds the operations that need barriers.
  LogicalResult find() {
    State state;
    return visitBlock(kernel.getBody().front(), state);
  }
  int64_t countBlockBarriers() const {
    return llvm::count_if(
        barriers, [](auto entry) { return entry.second == Scope::kBlock; });
  }
  void insert(Scope scope);

private:
  LogicalResult visitBlock(Block &block, State &state);
  LogicalResult visitOperation(Operation *op, State &state);
  LogicalResult visitLoop(scf::ForOp loop, State &state);
  LogicalResult visitWhile(scf::WhileOp loop, State &state);
  LogicalResult visitRegions(Operation *op, State &state);
  LogicalResult visitAccesses(Operation *op, State &state);
  LogicalResult visitBranch(scf::IfOp branch, State &state);
  std::optional<Scope> getScope(const Access &earlier, const Access &access);
  LogicalResult separate(Operation *op, ArrayRef<Access> accesses,
                         State &state);
  void collectAccesses(Operation *op, SmallVectorImpl<Access> &accesses);
  bool mayMeet(const Access &a, const Access &b) const;
  scf::ForOp getBufferLoop(memref::AllocOp buffer);
  scf::ForOp getBufferLoop(const Access &access);
  int64_t getStage(Value buffer);
  State nextIteration(scf::ForOp loop, const State &state);
  State forgetStages(Operation *op, const State &state);
  /// Returns the branches around the current position of the walk that have no
  /// barrier before them yet.
  SmallVector<Operation *> getOpenBranches() {
    return llvm::filter_to_vector(
        branches, [&](Operation *op) { return !barriers.contains(op); });
  }
  /// Removes the barriers that an earlier walk of `inside` has found: those in
  /// the operation, and those before the branches `openBefore`, which had none
  /// before that walk.
  void forgetBarriers(Operation *inside, ArrayRef<Operation *> openBefore) {
    barriers.remove_if([&](const auto &entry) {
      return inside->isProperAncestor(entry.first) ||
             llvm::is_contained(openBefore, entry.first);
    });
  }

  KernelOp kernel;
  bool isOneWarp;
  bool usesWarps;
  /// Operations that need a barrier before them.
  llvm::MapVector<Operation *, Scope> barriers;
  /// The branches around the current position of the walk.
  SmallVector<Operation *> branches;
  llvm::DenseMap<Operation *, scf::ForOp> bufferLoops;
};

} // namespace

namespace {
/// A counter that indexes the stages of a circular buffer: the loop that
/// carries it, and its value at iteration zero.
struct Counter {
  scf::ForOp loop;
  int64_t first;
};
} // namespace

/// Matches a stage index that a loop carries, that starts at a constant, and
/// that advances by one modulo `numStages`.
static std::optional<Counter> matchCounter(Value index, int64_t numStages) {
  auto argument = dyn_cast<BlockArgument>(index);
  auto loop = argument
                  ? dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp())
                  : nullptr;
  if (!loop || argument == loop.getInductionVar())
    return std::nullopt;
  unsigned position = argument.getArgNumber() - 1;
  APInt first, zero, end, one;
  if (!matchPattern(loop.getInitArgs()[position], m_ConstantInt(&first)))
    return std::nullopt;
  auto select =
      loop.getYieldedValues()[position].getDefiningOp<arith::SelectOp>();
  if (!select || !matchPattern(select.getTrueValue(), m_ConstantInt(&zero)) ||
      !zero.isZero())
    return std::nullopt;
  auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
  auto next = select.getFalseValue().getDefiningOp<arith::AddIOp>();
  if (!compare || !next || compare.getPredicate() != arith::CmpIPredicate::eq ||
      compare.getLhs() != next.getResult() ||
      !matchPattern(compare.getRhs(), m_ConstantInt(&end)) ||
      end.getSExtValue() != numStages || next.getLhs() != index ||
      !matchPattern(next.getRhs(), m_ConstantInt(&one)) || !one.isOne())
    return std::nullopt;
  return Counter{loop, first.getSExtValue()};
}

/// Returns the loop whose counters index the stages of a circular buffer;
/// outside the loop, constants may index them. Returns null if there is no such
/// loop.
static scf::ForOp findBufferLoop(memref::AllocOp buffer) {
  scf::ForOp loop;
  SmallVector<Operation *> constants;
  for (Operation *user : buffer->getUsers()) {
    auto view = dyn_cast<memref::SubViewOp>(user);
    if (!view)
      return {};
    auto index = dyn_cast<Value>(view.getMixedOffsets().front());
    if (!index || matchPattern(index, m_Constant())) {
      constants.push_back(user);
      continue;
    }
    auto counter = matchCounter(index, getNumStages(buffer));
    if (!counter || (loop && loop != counter->loop))
      return {};
    loop = counter->loop;
  }
  bool isInside = loop && llvm::any_of(constants, [&](Operation *view) {
                    return loop->isProperAncestor(view);
                  });
  return isInside ? scf::ForOp() : loop;
}

scf::ForOp BarrierInserter::getBufferLoop(memref::AllocOp buffer) {
  auto [it, isNew] = bufferLoops.try_emplace(buffer);
  if (isNew && getNumStages(buffer) > 1)
    it->second = findBufferLoop(buffer);
  return it->second;
}

/// Returns the stage of a circular buffer that `buffer` is a view of, or
/// kAnyStage.
int64_t BarrierInserter::getStage(Value buffer) {
  memref::AllocOp allocation = getAllocation(buffer);
  if (!allocation || !getBufferLoop(allocation))
    return kAnyStage;
  // The view whose source is the allocation selects the stage.
  Value view = buffer;
  while (view.getDefiningOp()->getOperand(0) != allocation.getResult())
    view = view.getDefiningOp()->getOperand(0);
  auto subview = view.getDefiningOp<memref::SubViewOp>();
  OpFoldResult offset = subview.getMixedOffsets().front();
  if (std::optional<int64_t> constant = getConstantIntValue(offset))
    return *constant;
  return matchCounter(cast<Value>(offset), getNumStages(allocation))->first;
}

void BarrierInserter::collectAccesses(Operation *op,
                                      SmallVectorImpl<Access> &accesses) {
  // Each thread runs a thread region by itself, so that no barrier can be
  // inserted there.
  if (op->hasTrait<ThreadRegion>()) {
    for (Region &region : op->getRegions())
      region.walk([&](Operation *inner) { collectAccesses(inner, accesses); });
    return;
  }
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects || isa<memref::AllocOp>(op))
    return;
  SmallVector<MemoryEffects::EffectInstance> instances;
  effects.getEffects(instances);
  Operation *byWarps = usesWarps && areWarpsKnown(op) ? op : nullptr;
  for (const MemoryEffects::EffectInstance &instance : instances) {
    Value value = instance.getValue();
    if (!value || !isa<MemRefType>(value.getType()))
      continue;
    bool isWrite = isa<MemoryEffects::Write>(instance.getEffect());
    bool isMatmul = isAsyncMatmul(op);
    int64_t groups = op->hasTrait<AsyncCopy>() ? kNotCommitted
                     : isMatmul                ? 0
                                               : kNotAsync;
    accesses.push_back({getMemoryRoot(value).getAsOpaquePointer(),
                        getStage(value), isWrite, groups, isMatmul,
                        branches.size(), byWarps});
  }
}

/// Whether two different roots, not both of them allocations, may be the same
/// memory. Arguments of a kernel do not overlap (the kernel ABI). A root that a
/// select or a loop defines may be any memref of its memory space.
static bool mayBeSame(Value a, Value b) {
  auto isShared = [](Value root) {
    auto type = cast<BaseMemRefType>(root.getType());
    return isa_and_nonnull<SharedAttr>(type.getMemorySpace());
  };
  auto isArgument = [](Value root) {
    auto argument = dyn_cast<BlockArgument>(root);
    return argument && isa<KernelOp>(argument.getOwner()->getParentOp());
  };
  return isShared(a) == isShared(b) && !(isArgument(a) && isArgument(b));
}

/// Whether two accesses may touch the same bytes: they are to the same array,
/// the same stage of a buffer, or buffers that share bytes.
bool BarrierInserter::mayMeet(const Access &a, const Access &b) const {
  if (a.root == b.root)
    return a.stage == kAnyStage || b.stage == kAnyStage || a.stage == b.stage;
  auto first =
      Value::getFromOpaquePointer(a.root).getDefiningOp<memref::AllocOp>();
  auto second =
      Value::getFromOpaquePointer(b.root).getDefiningOp<memref::AllocOp>();
  if (!first || !second)
    return mayBeSame(Value::getFromOpaquePointer(a.root),
                     Value::getFromOpaquePointer(b.root));
  auto begin = [](memref::AllocOp op) {
    auto offset = op->getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
    return offset ? offset.getInt() : 0;
  };
  return begin(first) < begin(second) + getAllocationBytes(second) &&
         begin(second) < begin(first) + getAllocationBytes(first);
}

/// Removes the accesses that a barrier inside `depth` branches has ordered.
/// Copies in flight and accesses inside deeper branches remain. A barrier of
/// warps removes no access, but sets the flag of the accesses that it orders.
static void order(State &state, Scope scope, size_t depth) {
  State left;
  for (Access access : state) {
    bool isOrdered = !access.isInFlight() && access.depth <= depth;
    if (isOrdered && scope == Scope::kBlock)
      continue;
    access.isWarpOrdered |= isOrdered;
    left.insert(access);
  }
  state = std::move(left);
}

/// Returns the scope of the barrier that two conflicting accesses need; none if
/// they are already ordered.
std::optional<Scope> BarrierInserter::getScope(const Access &earlier,
                                               const Access &access) {
  if (!earlier.byWarps || !access.byWarps ||
      !meetWithinWarps(earlier.byWarps, access.byWarps))
    return Scope::kBlock;
  return earlier.isWarpOrdered ? std::nullopt : std::optional(Scope::kWarp);
}

/// Records a barrier if one of the operation's accesses conflicts with an
/// earlier one. The barrier comes before the operation or, if all conflicting
/// accesses came before a branch around it, before that branch, where one
/// barrier serves both sides and the branches that follow.
LogicalResult BarrierInserter::separate(Operation *op,
                                        ArrayRef<Access> accesses,
                                        State &state) {
  std::optional<size_t> depth;
  Scope scope = Scope::kWarp;
  for (const Access &access : accesses)
    for (const Access &earlier : state) {
      if (!(access.isWrite || earlier.isWrite) || !mayMeet(access, earlier))
        continue;
      bool isWriteInFlight = earlier.isInFlight() && earlier.isWrite;
      if (isWriteInFlight && (!access.isInFlight() || access.isMatmul))
        return op->emitError("expected the copy into this buffer to be waited "
                             "for before the buffer is accessed");
      if (earlier.isInFlight() && earlier.isMatmul)
        return op->emitError("expected the product that reads this buffer to "
                             "be waited for before the buffer is written");
      std::optional<Scope> needed = getScope(earlier, access);
      if (isWriteInFlight || !needed)
        continue;
      depth = std::max(depth.value_or(0), earlier.depth);
      scope = std::max(scope, *needed);
    }
  if (depth) {
    Operation *before = *depth < branches.size() ? branches[*depth] : op;
    Scope &placed = barriers.try_emplace(before, scope).first->second;
    placed = std::max(placed, scope);
    order(state, placed, *depth);
  }
  return success();
}

LogicalResult BarrierInserter::visitAccesses(Operation *op, State &state) {
  SmallVector<Access> accesses;
  collectAccesses(op, accesses);
  if (failed(separate(op, accesses, state)))
    return failure();
  state.insert(accesses.begin(), accesses.end());
  return success();
}

/// Applies `change` to the accesses of all copies, or of all matmuls, in
/// flight.
static void updateInFlight(State &state, bool areMatmuls,
                           function_ref<void(Access &)> change) {
  State updated;
  for (Access access : state) {
    if (access.isInFlight() && access.isMatmul == areMatmuls)
      change(access);
    updated.insert(access);
  }
  state = std::move(updated);
}

/// Counts a new group for all copies, or all matmuls, in flight.
static void commitGroup(State &state, bool areMatmuls) {
  updateInFlight(state, areMatmuls, [](Access &access) {
    access.groups = std::min(access.groups + 1, kMaxGroups);
  });
}

/// Marks the accesses of all groups except the newest `newest` as complete, at
/// a wait inside `depth` branches.
static void waitForGroups(State &state, bool areMatmuls, int64_t newest,
                          size_t depth) {
  updateInFlight(state, areMatmuls, [&](Access &access) {
    if (access.groups < newest)
      return;
    access.groups = kNotAsync;
    access.depth = depth;
  });
}

/// Whether a fence comes before the matmul in its block, and no operation
/// between them may write.
static bool isFenced(Operation *matmul) {
  for (Operation *op = matmul->getPrevNode(); op; op = op->getPrevNode()) {
    if (isa<NVVM::FenceProxyOp>(op))
      return true;
    if (!isAsyncMatmul(op) && !isa<tile_gpu::MmaWaitOp>(op) &&
        !isMemoryEffectFree(op))
      return false;
  }
  return false;
}

/// Inserts the barriers of a scope.
void BarrierInserter::insert(Scope scope) {
  for (auto [op, needed] : barriers) {
    OpBuilder builder(op);
    if (needed == scope && (isOneWarp || scope == Scope::kWarp))
      createWarpBarrier(builder, op->getLoc());
    else if (needed == scope)
      gpu::BarrierOp::create(builder, op->getLoc());
  }
}

/// Inserts a proxy fence before each asynchronous matmul. It makes data that
/// threads have written or copied visible to the asynchronous proxy, by which
/// the matmul reads.
static void insertFences(KernelOp kernel) {
  kernel.walk([](Operation *op) {
    if (!isAsyncMatmul(op) || isFenced(op))
      return;
    OpBuilder builder(op);
    NVVM::FenceProxyOp::create(
        builder, op->getLoc(), NVVM::ProxyKind::async_shared,
        NVVM::SharedSpaceAttr::get(builder.getContext(),
                                   NVVM::SharedSpace::shared_cta));
  });
}

LogicalResult BarrierInserter::visitOperation(Operation *op, State &state) {
  if (isa<gpu::BarrierOp>(op) || isWarpBarrier(op)) {
    bool isOfBlock = isOneWarp || isa<gpu::BarrierOp>(op);
    order(state, isOfBlock ? Scope::kBlock : Scope::kWarp, branches.size());
    return success();
  }
  if (isa<NVVM::CpAsyncCommitGroupOp>(op)) {
    commitGroup(state, /*areMatmuls=*/false);
    return success();
  }
  if (auto wait = dyn_cast<NVVM::CpAsyncWaitGroupOp>(op)) {
    waitForGroups(state, /*areMatmuls=*/false, wait.getN(), branches.size());
    return success();
  }
  if (auto wait = dyn_cast<tile_gpu::MmaWaitOp>(op)) {
    waitForGroups(state, /*areMatmuls=*/true, wait.getInFlight(),
                  branches.size());
    return success();
  }
  if (isAsyncMatmul(op))
    commitGroup(state, /*areMatmuls=*/true);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return visitLoop(loop, state);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return visitWhile(loop, state);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(branch, state);
  if (op->getNumRegions() != 0 && !op->hasTrait<ThreadRegion>())
    return visitRegions(op, state);
  return visitAccesses(op, state);
}

LogicalResult BarrierInserter::visitBlock(Block &block, State &state) {
  for (Operation &op : llvm::make_early_inc_range(block))
    if (failed(visitOperation(&op, state)))
      return failure();
  return success();
}

/// Returns the loop whose counter indexes the stage of an access; null if the
/// stage is not known.
scf::ForOp BarrierInserter::getBufferLoop(const Access &access) {
  if (access.stage == kAnyStage)
    return {};
  auto buffer =
      Value::getFromOpaquePointer(access.root).getDefiningOp<memref::AllocOp>();
  return getBufferLoop(buffer);
}

/// Returns the state at the start of the next iteration: the stages of the
/// loop's circular buffers, which are relative to the iteration, decrease by
/// one.
State BarrierInserter::nextIteration(scf::ForOp loop, const State &state) {
  State next;
  for (Access access : state) {
    if (getBufferLoop(access) == loop) {
      int64_t numStages = getNumStages(Value::getFromOpaquePointer(access.root)
                                           .getDefiningOp<memref::AllocOp>());
      access.stage = (access.stage + numStages - 1) % numStages;
    }
    next.insert(access);
  }
  return next;
}

/// Returns the state with unknown stages for the circular buffers of `op` and
/// of loops inside it: after a loop, the stages depend on the number of its
/// iterations.
State BarrierInserter::forgetStages(Operation *op, const State &state) {
  State forgotten;
  for (Access access : state) {
    scf::ForOp loop = getBufferLoop(access);
    if (loop && op->isAncestor(loop))
      access.stage = kAnyStage;
    forgotten.insert(access);
  }
  return forgotten;
}

LogicalResult BarrierInserter::visitLoop(scf::ForOp loop, State &state) {
  State entry = state;
  SmallVector<Operation *> open = getOpenBranches();
  while (true) {
    State end = entry;
    forgetBarriers(loop, open);
    if (failed(visitBlock(*loop.getBody(), end)))
      return failure();
    State next = nextIteration(loop, end);
    size_t known = entry.size();
    entry.insert(next.begin(), next.end());
    if (entry.size() == known)
      break;
  }
  // The loop may have run any number of times, including zero.
  state = forgetStages(loop, entry);
  return success();
}

/// Visits both sides from the same state, and joins their final states.
LogicalResult BarrierInserter::visitBranch(scf::IfOp branch, State &state) {
  State all;
  branches.push_back(branch);
  for (Region &region : branch->getRegions()) {
    State end = state;
    if (!region.empty() && failed(visitBlock(region.front(), end)))
      return failure();
    all.insert(end.begin(), end.end());
  }
  branches.pop_back();
  // If one side needs a barrier before the branch, it also serves the other
  // side.
  if (auto it = barriers.find(branch); it != barriers.end())
    order(all, it->second, branches.size());
  state.clear();
  for (Access access : all) {
    access.depth = std::min(access.depth, branches.size());
    state.insert(access);
  }
  return success();
}

/// Visits a loop whose first region, with the condition, runs at least once,
/// and last.
LogicalResult BarrierInserter::visitWhile(scf::WhileOp loop, State &state) {
  State entry = forgetStages(loop, state);
  SmallVector<Operation *> open = getOpenBranches();
  size_t known;
  do {
    known = entry.size();
    forgetBarriers(loop, open);
    state = entry;
    if (failed(visitBlock(loop.getBefore().front(), state)))
      return failure();
    state = forgetStages(loop, state);
    State end = state;
    if (failed(visitBlock(loop.getAfter().front(), end)))
      return failure();
    end = forgetStages(loop, end);
    entry.insert(end.begin(), end.end());
  } while (entry.size() != known);
  return success();
}

/// Visits regions that run in any order, any number of times, or not at all.
LogicalResult BarrierInserter::visitRegions(Operation *op, State &state) {
  State all = forgetStages(op, state);
  SmallVector<Operation *> open = getOpenBranches();
  size_t known;
  do {
    known = all.size();
    State entry = all;
    forgetBarriers(op, open);
    for (Region &region : op->getRegions()) {
      State end = entry;
      if (!region.empty() && failed(visitBlock(region.front(), end)))
        return failure();
      end = forgetStages(op, end);
      all.insert(end.begin(), end.end());
    }
  } while (all.size() != known);
  state = std::move(all);
  return success();
}

/// Inserts barriers of warps where the barriers of the block, which are
/// inserted already, are not enough. In a loop, a barrier of the block that one
/// iteration needs may also order accesses of the iteration before.
static void insertWarpBarriers(KernelOp kernel) {
  BarrierInserter left(kernel, /*usesWarps=*/true);
  bool isFound = succeeded(left.find());
  assert(isFound && "barriers make no error");
  (void)isFound;
  left.insert(Scope::kWarp);
}

namespace {
struct InsertBarriers : tile::impl::InsertBarriersBase<InsertBarriers> {
  using InsertBarriersBase::InsertBarriersBase;

  void runOnOperation() override {
    KernelOp kernel = getOperation();
    BarrierInserter ofBlock(kernel, /*usesWarps=*/false);
    if (failed(ofBlock.find()))
      return signalPassFailure();
    // If find succeeds with barriers of the block only, it also succeeds with
    // barriers of warps.
    BarrierInserter ofWarps(kernel, /*usesWarps=*/true);
    bool isBetter = succeeded(ofWarps.find()) &&
                    ofWarps.countBlockBarriers() < ofBlock.countBlockBarriers();
    (isBetter ? ofWarps : ofBlock).insert(Scope::kBlock);
    if (isBetter)
      insertWarpBarriers(kernel);
    insertFences(kernel);
  }
};
} // namespace
