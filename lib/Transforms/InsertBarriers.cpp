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
// - Counters address the stages of the circular buffers of a channel. The
//   stage of an access is relative to the channel's base, which moves with the
//   loop that carries the counters (ChannelPositions.h). Accesses to different
//   stages do not conflict.
// - An asynchronous copy reads and writes at any time until its fill is waited
//   for. No barrier orders it before that; the wait makes it a plain read and
//   write of the waiting thread, which a barrier then orders. The reads of a
//   matmul by four warps are treated in the same way: for each matmul the state
//   counts the matmuls that were issued after it.
// - If a branch needs a barrier because of accesses before the branch, the
//   barrier is better placed before the branch, where it serves both sides. The
//   state counts the branches around each access, and so records whether the
//   access came before a branch.
// - If two accesses conflict only within the lanes of one warp (WarpScope.h), a
//   barrier of each warp is enough (nvvm.bar.warp.sync). A flag of each access
//   records whether such a barrier came after it. Barriers of warps are
//   inserted only if they save a barrier of the block.
//
// Releases and acquires get their barriers first, as these also order other
// accesses.

#include "tile/Analysis/Buffers.h"
#include "tile/Analysis/ChannelPositions.h"
#include "tile/Analysis/WarpScope.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
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
/// The maximum count of matmuls in flight; PTX programs wait for far fewer.
constexpr int64_t kMaxMatmuls = 64;
/// Whether an access ends with its operation, belongs to a copy in flight, or
/// to a matmul in flight.
enum class Flight { kNone, kCopy, kMatmul };

/// The threads whose accesses a barrier orders.
enum class Scope { kWarp, kBlock };

/// An access to memory. Accesses are ordered, so that states are sets and the
/// walk is deterministic.
struct Access {
  void *root; ///< the array or allocation
  /// The allocation whose stage `stage` is: that of the access or, for a read
  /// by a copy in flight, that of the copy's destination.
  void *staged;
  /// Stage in a circular buffer, relative to the channel's base.
  int64_t stage;
  bool isWrite;
  Flight flight;
  int64_t newer; ///< for a matmul in flight, the number of newer ones
  /// Number of branches that contain both the current position of the walk and
  /// the access or, for a copy, the wait for it.
  size_t depth;
  Operation *byWarps;         ///< accessing operation, if its warps are known
  bool isWarpOrdered = false; ///< whether a warp barrier followed

  bool isInFlight() const { return flight != Flight::kNone; }
  auto getKey() const {
    return std::tie(root, staged, stage, isWrite, flight, newer, depth, byWarps,
                    isWarpOrdered);
  }
  bool operator<(const Access &other) const {
    return getKey() < other.getKey();
  }
};

using State = std::set<Access>;

class BarrierInserter {
public:
  /// Inserts barriers of warps where they suffice, if `usesWarps`.
  BarrierInserter(KernelOp kernel, const ChannelPositions &positions,
                  bool usesWarps)
      : kernel(kernel), positions(positions),
        isOneWarp(tile::isOneWarp(kernel)), usesWarps(usesWarps) {}

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
  int64_t getStage(Value buffer) const {
    return wrap(positions.getChannel(buffer), positions.getPosition(buffer));
  }
  /// Returns the stage of the fill at a position; kAnyStage for none.
  static int64_t wrap(tile_gpu::ChannelOp channel,
                      std::optional<int64_t> position) {
    if (!position)
      return kAnyStage;
    int64_t numStages = getNumStages(channel);
    return (*position % numStages + numStages) % numStages;
  }
  State nextIteration(scf::ForOp loop, const State &state) const;
  bool isOfChannel(const Access &access, tile_gpu::ChannelOp channel) const;
  void startChannel(tile_gpu::ChannelOp channel, State &state) const;
  void waitForFill(tile_gpu::WaitOp wait, State &state) const;
  void drain(tile_gpu::ChannelOp channel, State &state) const;
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
  const ChannelPositions &positions;
  bool isOneWarp;
  bool usesWarps;
  /// Operations that need a barrier before them.
  llvm::MapVector<Operation *, Scope> barriers;
  /// The branches around the current position of the walk.
  SmallVector<Operation *> branches;
};

} // namespace

/// Returns the first buffer that an asynchronous copy writes; null for other
/// operations.
static Value
findCopyDestination(Operation *op,
                    ArrayRef<MemoryEffects::EffectInstance> effects) {
  auto *write = llvm::find_if(effects, [](const auto &effect) {
    return isa<MemoryEffects::Write>(effect.getEffect());
  });
  bool isCopy = op->hasTrait<AsyncCopy>() && write != effects.end();
  return isCopy ? write->getValue() : Value();
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
  Value copied = findCopyDestination(op, instances);
  Flight flight = copied              ? Flight::kCopy
                  : isAsyncMatmul(op) ? Flight::kMatmul
                                      : Flight::kNone;
  for (const MemoryEffects::EffectInstance &instance : instances) {
    Value value = instance.getValue();
    if (!value || !isa<MemRefType>(value.getType()))
      continue;
    bool isWrite = isa<MemoryEffects::Write>(instance.getEffect());
    Value staged = copied && !isWrite ? copied : value;
    accesses.push_back({getMemoryRoot(value).getAsOpaquePointer(),
                        getMemoryRoot(staged).getAsOpaquePointer(),
                        getStage(staged), isWrite, flight, /*newer=*/0,
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
    return a.staged != a.root || b.staged != b.root || a.stage == kAnyStage ||
           b.stage == kAnyStage || a.stage == b.stage;
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
      if (isWriteInFlight && access.flight != Flight::kCopy)
        return op->emitError("expected the copy into this buffer to be waited "
                             "for before the buffer is accessed");
      if (earlier.flight == Flight::kMatmul)
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

/// Applies `change` to the accesses in flight for which `isMeant` holds.
static void update(State &state, function_ref<bool(const Access &)> isMeant,
                   function_ref<void(Access &)> change) {
  State updated;
  for (Access access : state) {
    if (access.isInFlight() && isMeant(access))
      change(access);
    updated.insert(access);
  }
  state = std::move(updated);
}

/// Marks the accesses in flight for which `isMeant` holds as complete, at a
/// wait inside `depth` branches.
static void complete(State &state, size_t depth,
                     function_ref<bool(const Access &)> isMeant) {
  update(state, isMeant, [&](Access &access) {
    access.flight = Flight::kNone;
    access.newer = 0;
    access.depth = depth;
    if (access.staged != access.root) {
      access.staged = access.root;
      access.stage = kAnyStage;
    }
  });
}

static bool isOfMatmul(const Access &access) {
  return access.flight == Flight::kMatmul;
}

/// Counts a new matmul for all matmuls in flight.
static void issueMatmul(State &state) {
  update(state, isOfMatmul, [](Access &access) {
    access.newer = std::min(access.newer + 1, kMaxMatmuls);
  });
}

/// Whether an access is that of a copy to one of the channel's buffers.
bool BarrierInserter::isOfChannel(const Access &access,
                                  tile_gpu::ChannelOp channel) const {
  return access.flight == Flight::kCopy &&
         positions.getChannel(Value::getFromOpaquePointer(access.staged)) ==
             channel;
}

/// Completes the copies of a fill. If the positions of the channel's counters
/// are not known, the wait is for all of its fills (CountGroups.cpp).
void BarrierInserter::waitForFill(tile_gpu::WaitOp wait, State &state) const {
  tile_gpu::ChannelOp channel = getChannelOf(wait);
  int64_t stage =
      wrap(channel, positions.getPosition(channel, wait.getCounter()));
  complete(state, branches.size(), [&](const Access &access) {
    bool isOfFill = stage == kAnyStage || access.stage == stage;
    return isOfChannel(access, channel) && isOfFill;
  });
}

void BarrierInserter::drain(tile_gpu::ChannelOp channel, State &state) const {
  complete(state, branches.size(),
           [&](const Access &access) { return isOfChannel(access, channel); });
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

/// Inserts a barrier of the block, or of each warp.
static void insertBarrier(OpBuilder &builder, Location loc, bool ofWarp) {
  if (ofWarp)
    createWarpBarrier(builder, loc);
  else
    gpu::BarrierOp::create(builder, loc);
}

/// Inserts the barriers of releases and acquires, which hold for the whole
/// block.
static void insertOrderBarriers(KernelOp kernel) {
  bool isOneWarp = tile::isOneWarp(kernel);
  kernel.walk([&](OrderedAccessOpInterface op) {
    OpBuilder builder(op);
    if (op.isRelease() && !meetDirectlyBefore(op))
      insertBarrier(builder, op.getLoc(), isOneWarp);
    builder.setInsertionPointAfter(op);
    if (op.isAcquire() && !meetDirectlyAfter(op))
      insertBarrier(builder, op.getLoc(), isOneWarp);
  });
}

/// Inserts the barriers of a scope.
void BarrierInserter::insert(Scope scope) {
  for (auto [op, needed] : barriers) {
    OpBuilder builder(op);
    if (needed == scope)
      insertBarrier(builder, op->getLoc(), isOneWarp || scope == Scope::kWarp);
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
  if (auto channel = dyn_cast<tile_gpu::ChannelOp>(op)) {
    startChannel(channel, state);
    return success();
  }
  if (auto wait = dyn_cast<tile_gpu::WaitOp>(op)) {
    waitForFill(wait, state);
    return success();
  }
  if (auto all = dyn_cast<tile_gpu::DrainOp>(op)) {
    drain(getChannelOf(all), state);
    return success();
  }
  if (auto wait = dyn_cast<tile_gpu::MmaWaitOp>(op)) {
    int64_t inFlight = wait.getInFlight();
    complete(state, branches.size(), [&](const Access &access) {
      return isOfMatmul(access) && access.newer >= inFlight;
    });
    return success();
  }
  if (isAsyncMatmul(op))
    issueMatmul(state);
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

/// Returns the state at the start of the next iteration.
State BarrierInserter::nextIteration(scf::ForOp loop,
                                     const State &state) const {
  State next;
  for (Access access : state) {
    auto channel =
        positions.getChannel(Value::getFromOpaquePointer(access.staged));
    if (channel && access.stage != kAnyStage)
      access.stage =
          wrap(channel, access.stage - positions.getAdvance(channel, loop));
    next.insert(access);
  }
  return next;
}

/// Starts a channel: the stages of earlier accesses to its buffers are not
/// known relative to its base.
void BarrierInserter::startChannel(tile_gpu::ChannelOp channel,
                                   State &state) const {
  State next;
  for (Access access : state) {
    if (positions.getChannel(Value::getFromOpaquePointer(access.staged)) ==
        channel)
      access.stage = kAnyStage;
    next.insert(access);
  }
  state = std::move(next);
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
  state = std::move(entry);
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
  State entry = state;
  SmallVector<Operation *> open = getOpenBranches();
  size_t known;
  do {
    known = entry.size();
    forgetBarriers(loop, open);
    state = entry;
    if (failed(visitBlock(loop.getBefore().front(), state)))
      return failure();
    State end = state;
    if (failed(visitBlock(loop.getAfter().front(), end)))
      return failure();
    entry.insert(end.begin(), end.end());
  } while (entry.size() != known);
  return success();
}

/// Visits regions that run in any order, any number of times, or not at all.
LogicalResult BarrierInserter::visitRegions(Operation *op, State &state) {
  State all = state;
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
      all.insert(end.begin(), end.end());
    }
  } while (all.size() != known);
  state = std::move(all);
  return success();
}

/// Inserts barriers of warps where the barriers of the block, which are
/// inserted already, are not enough. In a loop, a barrier of the block that one
/// iteration needs may also order accesses of the iteration before.
static void insertWarpBarriers(KernelOp kernel,
                               const ChannelPositions &positions) {
  BarrierInserter left(kernel, positions, /*usesWarps=*/true);
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
    if (failed(verifyChannels(kernel)))
      return signalPassFailure();
    insertOrderBarriers(kernel);
    ChannelPositions positions(kernel);
    BarrierInserter ofBlock(kernel, positions, /*usesWarps=*/false);
    if (failed(ofBlock.find()))
      return signalPassFailure();
    // If find succeeds with barriers of the block only, it also succeeds with
    // barriers of warps.
    BarrierInserter ofWarps(kernel, positions, /*usesWarps=*/true);
    bool isBetter = succeeded(ofWarps.find()) &&
                    ofWarps.countBlockBarriers() < ofBlock.countBlockBarriers();
    (isBetter ? ofWarps : ofBlock).insert(Scope::kBlock);
    if (isBetter)
      insertWarpBarriers(kernel, positions);
    insertFences(kernel);
  }
};
} // namespace
