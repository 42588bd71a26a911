// MutateSynchronization.cpp - makes one mistake in a kernel's synchronization
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the output of phase 8, or on that of -tile-insert-barriers, whose
// channels it then mutates. With index=N, the mutation of index N is
// applied to the kernel, for the emulator to run it. Without index, each
// mutation is applied to a copy, the copy is checked by the proof of
// synchronization, and a line of JSON on standard output records the result:
//
//   {"index":3,"kernel":"gemm","line":25,"mutation":"delete a wait",
//    "proof":"expected the copy to ..."}
//
// where "proof" is the first finding, and empty for a mutation that was not
// detected. With emulate=N, every Nth mutation also runs on the emulator, and
// "emulator" records its finding; the key is absent if the emulator does not
// run the unmutated kernel. The mutations:
//
//   "delete a barrier", "delete a wait", "delete a commit",
//   "delete a barrier of warps";
//   "barrier of warps for one of the block", if the block has several warps;
//   "wait for one group less": wait.group n becomes n + 1;
//   "commit before the copy": the commit moves before the preceding copy;
//   "barrier before the wait": the barrier moves before the preceding wait;
//   "delete a proxy fence";
//   "delete a matmul's wait": the results of an asynchronous MMA are used
//   without a wait;
//   "wait for one matmul less": in_flight n becomes n + 1;
//   "use before the matmul's wait": the first use of the wait's results moves
//   before the wait;
//   "one stage less": the circular buffers of S stages, and the counters that
//   address them, get S - 1;
//   "shift a buffer": its offset is shifted by its alignment, down if possible;
//   "shift ends": the same for a buffer that holds only the chunks at the ends
//   of rows;
//
// and of channels, with "one stage less":
//
//   "delete a channel's wait", "delete a channel's commit", "delete a drain",
//   "delete an acquire", "delete a release";
//   "release before the reads": a release moves to the start of its block;
//   "wait for the fill before": the wait is for another fill, S - 1 later,
//   which is in the stage of the fill before;
//   "counter constant": a counter is not advanced;
//   "counter ahead": a counter starts with the successor of its first value.

#include "EmulateMutation.h"

#include "tile/Analysis/ChannelFills.h"
#include "tile/Analysis/WarpScope.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Registration.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/JSON.h"

#include <functional>

using namespace mlir;
using namespace tile;

namespace {
struct Mutation {
  Operation *op;
  StringRef name;
  std::function<void()> apply;
};
} // namespace

/// Returns the nearest operation before `op` in its block that is or contains a
/// `Kind`.
template <typename Kind>
static Operation *findBefore(Operation *op) {
  for (Operation *at = op->getPrevNode(); at; at = at->getPrevNode())
    if (at->walk([](Kind) { return WalkResult::interrupt(); }).wasInterrupted())
      return at;
  return nullptr;
}

/// Removes a stage from all circular buffers of `numStages` stages of the
/// kernel, and from the counters that address them.
static void dropStage(KernelOp kernel, int64_t numStages) {
  auto fewer = tile_gpu::CounterType::get(kernel.getContext(), numStages - 1);
  auto retype = [&](Value value) {
    auto counter = dyn_cast<tile_gpu::CounterType>(value.getType());
    if (counter && counter.getNumStages() == numStages)
      value.setType(fewer);
  };
  kernel.walk([&](Operation *op) {
    llvm::for_each(op->getResults(), retype);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), retype);
    if (auto channel = dyn_cast<tile_gpu::ChannelOp>(op);
        channel && channel.getChannel().getType().getNumStages() == numStages)
      channel.getChannel().setType(
          tile_gpu::ChannelType::get(op->getContext(), numStages - 1));
    auto stage = dyn_cast<tile_gpu::StageOp>(op);
    if (!stage || stage.getSource().getType().getDimSize(0) != numStages)
      return;
    MemRefType type = stage.getSource().getType();
    SmallVector<int64_t> shape(type.getShape());
    shape[0] = numStages - 1;
    stage.getSource().setType(MemRefType::get(
        shape, type.getElementType(), type.getLayout(), type.getMemorySpace()));
  });
}

/// Returns the number of stages of the buffer that `stage` is a view of, if it
/// is the first such operation of the kernel with as many stages, and there are
/// several.
static std::optional<int64_t> getNewNumStages(tile_gpu::StageOp stage) {
  int64_t numStages = stage.getSource().getType().getDimSize(0);
  tile_gpu::StageOp first;
  stage->getParentOfType<KernelOp>().walk<WalkOrder::PreOrder>(
      [&](tile_gpu::StageOp other) {
        if (other.getSource().getType().getDimSize(0) != numStages)
          return WalkResult::advance();
        first = other;
        return WalkResult::interrupt();
      });
  return first == stage && numStages > 1 ? std::optional(numStages)
                                         : std::nullopt;
}

/// Returns whether a buffer holds only the chunks at the ends of rows.
static bool isForEnds(memref::AllocOp allocation) {
  auto isEnds = [](OpOperand &use) {
    if (auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(use.getOwner()))
      return copy.getExtra() == use.get();
    auto align = dyn_cast<tile_gpu::AlignRowsOp>(use.getOwner());
    return align && align.getEnds() == use.get();
  };
  SmallVector<Value> views = {allocation.getResult()};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<memref::SubViewOp, memref::CastOp, tile_gpu::StageOp>(user))
        views.push_back(user->getResult(0));
      else if (!isEnds(use))
        return false;
    }
  return true;
}

static void addMutations(memref::AllocOp allocation,
                         std::vector<Mutation> &mutations) {
  auto shared =
      dyn_cast_or_null<SharedAttr>(allocation.getType().getMemorySpace());
  auto offset = allocation->getAttrOfType<IntegerAttr>(kSharedOffsetAttr);
  if (!shared || !offset)
    return;
  bool isEnds = isForEnds(allocation);
  int64_t step = shared.getAlignment();
  int64_t shifted = offset.getInt() + (offset.getInt() >= step ? -step : step);
  mutations.push_back(
      {allocation, isEnds ? "shift ends" : "shift a buffer", [=] {
         Builder builder(allocation->getContext());
         allocation->setAttr(kSharedOffsetAttr,
                             builder.getI64IntegerAttr(shifted));
       }});
}

static void addMutations(tile_gpu::StageOp stage,
                         std::vector<Mutation> &mutations) {
  if (std::optional<int64_t> numStages = getNewNumStages(stage))
    mutations.push_back(
        {stage, "one stage less",
         [=] { dropStage(stage->getParentOfType<KernelOp>(), *numStages); }});
}

static void addMutations(tile_gpu::NextOp next,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({next, "counter constant", [=]() mutable {
                         next.replaceAllUsesWith(next.getSource());
                         next.erase();
                       }});
}

static void addMutations(scf::ForOp loop, std::vector<Mutation> &mutations) {
  for (OpOperand &init : loop.getInitsMutable()) {
    if (!isa<tile_gpu::CounterType>(init.get().getType()))
      continue;
    unsigned index = init.getOperandNumber();
    mutations.push_back(
        {loop, "counter ahead", [=] {
           OpBuilder builder(loop);
           loop->setOperand(index,
                            tile_gpu::NextOp::create(builder, loop->getLoc(),
                                                     loop->getOperand(index)));
         }});
  }
}

static void addMutations(NVVM::CpAsyncWaitGroupOp wait,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({wait, "delete a wait", [=] { wait->erase(); }});
  mutations.push_back({wait, "wait for one group less",
                       [=]() mutable { wait.setN(wait.getN() + 1); }});
}

static void addMutations(NVVM::CpAsyncCommitGroupOp commit,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({commit, "delete a commit", [=] { commit->erase(); }});
  if (Operation *copy = findBefore<tile_gpu::CopyAsyncOp>(commit))
    mutations.push_back(
        {commit, "commit before the copy", [=] { commit->moveBefore(copy); }});
}

static void addMutations(gpu::BarrierOp barrier,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({barrier, "delete a barrier", [=] { barrier->erase(); }});
  if (Operation *wait = findBefore<NVVM::CpAsyncWaitGroupOp>(barrier))
    mutations.push_back({barrier, "barrier before the wait",
                         [=] { barrier->moveBefore(wait); }});
  if (!isOneWarp(barrier->getParentOfType<KernelOp>()))
    mutations.push_back({barrier, "barrier of warps for one of the block", [=] {
                           OpBuilder builder(barrier);
                           createWarpBarrier(builder, barrier->getLoc());
                           barrier->erase();
                         }});
}

static void addMutations(NVVM::SyncWarpOp barrier,
                         std::vector<Mutation> &mutations) {
  mutations.push_back(
      {barrier, "delete a barrier of warps", [=] { barrier->erase(); }});
}

static void addMutations(NVVM::FenceProxyOp fence,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({fence, "delete a proxy fence", [=] { fence->erase(); }});
}

/// Returns the first user in the block of a result of `wait`, if it can move
/// before the wait.
static Operation *findFirstUse(tile_gpu::MmaWaitOp wait) {
  Operation *first = nullptr;
  for (Operation *user : wait->getUsers())
    if (user->getBlock() == wait->getBlock() &&
        (!first || user->isBeforeInBlock(first)))
      first = user;
  return first && !first->hasTrait<OpTrait::IsTerminator>() ? first : nullptr;
}

static void addMutations(tile_gpu::MmaWaitOp wait,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({wait, "delete a matmul's wait", [=]() mutable {
                         wait.replaceAllUsesWith(wait.getValues());
                         wait.erase();
                       }});
  mutations.push_back({wait, "wait for one matmul less", [=]() mutable {
                         wait.setInFlight(wait.getInFlight() + 1);
                       }});
  if (Operation *use = findFirstUse(wait))
    mutations.push_back({wait, "use before the matmul's wait", [=]() mutable {
                           for (auto [result, value] :
                                llvm::zip(wait.getResults(), wait.getValues()))
                             use->replaceUsesOfWith(result, value);
                           wait->moveAfter(use);
                         }});
}

static void addMutations(tile_gpu::AcquireOp acquire,
                         std::vector<Mutation> &mutations) {
  mutations.push_back(
      {acquire, "delete an acquire", [=] { acquire->erase(); }});
}

static void addMutations(tile_gpu::ReleaseOp release,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({release, "delete a release", [=] { release->erase(); }});
  mutations.push_back({release, "release before the reads", [=] {
                         release->moveBefore(&release->getBlock()->front());
                       }});
}

static void addMutations(tile_gpu::CommitOp commit,
                         std::vector<Mutation> &mutations) {
  mutations.push_back(
      {commit, "delete a channel's commit", [=] { commit->erase(); }});
}

static void addMutations(tile_gpu::DrainOp drain,
                         std::vector<Mutation> &mutations) {
  mutations.push_back({drain, "delete a drain", [=] { drain->erase(); }});
}

static void addMutations(tile_gpu::WaitOp wait,
                         std::vector<Mutation> &mutations) {
  mutations.push_back(
      {wait, "delete a channel's wait", [=] { wait->erase(); }});
  int64_t numStages = wait.getChannel().getType().getNumStages();
  if (numStages > 1)
    mutations.push_back({wait, "wait for the fill before", [=]() mutable {
                           OpBuilder builder(wait);
                           Value other = wait.getCounter();
                           for (int64_t i = 1; i < numStages; ++i)
                             other = tile_gpu::NextOp::create(
                                 builder, wait.getLoc(), other);
                           wait.getCounterMutable().assign(other);
                         }});
}

static bool hasChannels(Operation *op) {
  return op->walk([](tile_gpu::ChannelOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// Returns all mutations of the channels of a module.
static std::vector<Mutation> collectChannelMutations(ModuleOp module) {
  std::vector<Mutation> mutations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<tile_gpu::StageOp, tile_gpu::NextOp, scf::ForOp,
              tile_gpu::AcquireOp, tile_gpu::CommitOp, tile_gpu::WaitOp,
              tile_gpu::ReleaseOp, tile_gpu::DrainOp>(
            [&](auto typed) { addMutations(typed, mutations); });
  });
  return mutations;
}

/// Returns all mutations of a module, in the order of its operations.
static std::vector<Mutation> collectMutations(ModuleOp module) {
  if (hasChannels(module))
    return collectChannelMutations(module);
  std::vector<Mutation> mutations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<memref::AllocOp, tile_gpu::StageOp, NVVM::CpAsyncWaitGroupOp,
              NVVM::CpAsyncCommitGroupOp, gpu::BarrierOp, NVVM::SyncWarpOp,
              NVVM::FenceProxyOp, tile_gpu::MmaWaitOp>(
            [&](auto typed) { addMutations(typed, mutations); });
  });
  return mutations;
}

/// Returns the line of the operation's first file location, or zero.
static int64_t getLine(Operation *op) {
  int64_t line = 0;
  op->getLoc()->walk([&](Location loc) {
    auto file = dyn_cast<FileLineColLoc>(loc);
    line = file ? file.getLine() : 0;
    return file ? WalkResult::interrupt() : WalkResult::advance();
  });
  return line;
}

/// Runs the rest of phase 8 on a kernel with channels.
static LogicalResult finishPhase(KernelOp kernel) {
  PassManager pm(kernel.getContext(), KernelOp::getOperationName());
  pm.addPass(createCountGroups());
  pm.addPass(createSinkWaits());
  pm.addPass(createPlanAccesses());
  return pm.run(kernel);
}

/// Returns the first finding of the check of channels and of the proof of
/// synchronization; empty if there is none. Replaces the kernel's channels.
static std::string findMistake(KernelOp kernel) {
  if (hasChannels(kernel)) {
    auto findings = findWrongFills(kernel);
    if (!findings.empty())
      return findings.front().message;
    if (failed(finishPhase(kernel)))
      return "refused by -tile-count-groups";
  }
  auto findings = findUnorderedAccesses(kernel);
  return findings.empty() ? "" : findings.front().message;
}

/// Fails if the proof of synchronization has findings in the unmutated module:
/// the results for its mutations would be meaningless.
static LogicalResult expectProved(ModuleOp module) {
  OwningOpRef<ModuleOp> copy = module.clone();
  LogicalResult result = success();
  copy->walk([&](KernelOp kernel) {
    std::string mistake = findMistake(kernel);
    if (!mistake.empty())
      result = kernel.emitError("expected a kernel without mistakes, got: ")
               << mistake;
  });
  return result;
}

/// Applies one mutation to a copy, runs the proof and optionally the emulator
/// on it, and prints a line of JSON with the results.
static void prove(ModuleOp module, int64_t index, const test::Results *right) {
  OwningOpRef<ModuleOp> copy = module.clone();
  Mutation mutation = collectMutations(*copy)[index];
  auto kernel = mutation.op->getParentOfType<KernelOp>();
  llvm::json::Object line{{"index", index},
                          {"kernel", kernel.getSymName()},
                          {"line", getLine(mutation.op)},
                          {"mutation", mutation.name}};
  mutation.apply();
  std::string mistake = findMistake(kernel);
  line["proof"] = mistake;
  // A kernel that keeps its channels cannot run.
  if (right && !hasChannels(kernel))
    line["emulator"] = test::emulateWrong(*copy, kernel.getSymName(), *right);
  llvm::outs() << llvm::json::Value(std::move(line)) << '\n';
}

/// Returns the results of each unmutated kernel. A kernel that the emulator
/// does not run has no entry and gets a warning.
static llvm::StringMap<test::Results> emulateKernels(ModuleOp module) {
  llvm::StringMap<test::Results> right;
  OwningOpRef<ModuleOp> copy = module.clone();
  for (KernelOp kernel : copy->getOps<KernelOp>()) {
    std::string problem;
    if (hasChannels(kernel) && failed(finishPhase(kernel)))
      continue;
    test::Results results =
        test::emulateRight(*copy, kernel.getSymName(), problem);
    if (problem.empty())
      right[kernel.getSymName()] = std::move(results);
    else
      kernel.emitWarning("expected a kernel that the emulator runs, got: ")
          << problem;
  }
  return right;
}

namespace {
struct MutateSynchronization
    : PassWrapper<MutateSynchronization, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MutateSynchronization)

  MutateSynchronization() = default;
  MutateSynchronization(const MutateSynchronization &other)
      : PassWrapper(other) {}

  StringRef getArgument() const final {
    return "test-tile-mutate-synchronization";
  }
  StringRef getDescription() const final {
    return "make a mistake in the synchronization, or prove each";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    // The dialects of the lowering, which runs inside this pass, are included.
    registerAllDialects(registry);
  }

  void runOnOperation() final {
    std::vector<Mutation> mutations = collectMutations(getOperation());
    auto count = static_cast<int64_t>(mutations.size());
    if (!index.hasValue()) {
      if (failed(expectProved(getOperation())))
        return signalPassFailure();
      proveAll(mutations);
      return;
    }
    if (index < 0 || index >= count) {
      emitError(getOperation().getLoc(), "expected index of one of ")
          << count << " mutations, got " << index.getValue();
      return signalPassFailure();
    }
    mutations[index].apply();
  }

  void proveAll(ArrayRef<Mutation> mutations) {
    llvm::StringMap<test::Results> right;
    if (emulate > 0 && !mutations.empty())
      right = emulateKernels(getOperation());
    for (auto [at, mutation] : llvm::enumerate(mutations)) {
      auto kernel = mutation.op->getParentOfType<KernelOp>();
      auto known = right.find(kernel.getSymName());
      bool isRun = known != right.end() && at % emulate == 0;
      prove(getOperation(), at, isRun ? &known->second : nullptr);
    }
  }

  Option<int64_t> index{*this, "index",
                        llvm::cl::desc("the mutation to make, from 0")};
  Option<int64_t> emulate{
      *this, "emulate", llvm::cl::init(0),
      llvm::cl::desc("run every Nth mutation on the emulator; 0: none")};
};
} // namespace

namespace tile::test {
void registerMutateSynchronization() {
  PassRegistration<MutateSynchronization>();
}
} // namespace tile::test
