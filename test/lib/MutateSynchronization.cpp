// MutateSynchronization.cpp - makes one mistake in a kernel's synchronization
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs on the output of phase 8. With index=N, the mutation of index N is
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
//   "one slot less": a circular buffer of S stages is indexed modulo S - 1;
//   "shift a buffer": its offset is shifted by its alignment, down if possible;
//   "one slot less of ends", "shift ends": the same for buffers that hold only
//   the chunks at the ends of rows.

#include "EmulateMutation.h"

#include "tile/Analysis/Synchronization.h"
#include "tile/Analysis/WarpScope.h"
#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Registration.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
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

/// Replaces the index s of each view of the circular buffer by s mod (S - 1),
/// where S is the number of its stages. The new view has a dynamic offset and
/// is cast to the original type.
static void dropSlot(memref::AllocOp ring) {
  int64_t slots = ring.getType().getDimSize(0) - 1;
  for (Operation *user : llvm::make_early_inc_range(ring->getUsers())) {
    auto view = cast<memref::SubViewOp>(user);
    OpBuilder builder(view);
    Location loc = view.getLoc();
    SmallVector<OpFoldResult> offsets = view.getMixedOffsets();
    Value slot = getValueOrCreateConstantIndexOp(builder, loc, offsets[0]);
    Value end = arith::ConstantIndexOp::create(builder, loc, slots);
    offsets[0] = arith::RemUIOp::create(builder, loc, slot, end).getResult();
    auto type = memref::SubViewOp::inferRankReducedResultType(
        view.getType().getShape(), ring.getType(), offsets,
        view.getMixedSizes(), view.getMixedStrides());
    Value wrapped =
        memref::SubViewOp::create(builder, loc, type, ring, offsets,
                                  view.getMixedSizes(), view.getMixedStrides());
    if (type != view.getType())
      wrapped = memref::CastOp::create(builder, loc, view.getType(), wrapped);
    view.replaceAllUsesWith(wrapped);
    view.erase();
  }
}

static bool isRing(memref::AllocOp allocation, SharedAttr shared) {
  MemRefType type = allocation.getType();
  return type.getRank() == static_cast<int64_t>(shared.getBox().size()) + 1 &&
         type.getDimSize(0) > 1 &&
         llvm::all_of(allocation->getUsers(), llvm::IsaPred<memref::SubViewOp>);
}

/// Returns whether a buffer holds only the chunks at the ends of rows.
static bool isForEnds(memref::AllocOp allocation) {
  auto isEnds = [](OpOperand &use) {
    if (auto copy = dyn_cast<tile_gpu::CopyAsyncOp>(use.getOwner()))
      return copy.getEnds() == use.get();
    auto align = dyn_cast<tile_gpu::AlignRowsOp>(use.getOwner());
    return align && align.getEnds() == use.get();
  };
  SmallVector<Value> views = {allocation.getResult()};
  while (!views.empty())
    for (OpOperand &use : views.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      if (isa<memref::SubViewOp, memref::CastOp>(user))
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
  if (isRing(allocation, shared))
    mutations.push_back({allocation,
                         isEnds ? "one slot less of ends" : "one slot less",
                         [=] { dropSlot(allocation); }});
  int64_t step = shared.getAlignment();
  int64_t shifted = offset.getInt() + (offset.getInt() >= step ? -step : step);
  mutations.push_back(
      {allocation, isEnds ? "shift ends" : "shift a buffer", [=] {
         Builder builder(allocation->getContext());
         allocation->setAttr(kSharedOffsetAttr,
                             builder.getI64IntegerAttr(shifted));
       }});
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

/// Returns all mutations of a module, in the order of its operations.
static std::vector<Mutation> collectMutations(ModuleOp module) {
  std::vector<Mutation> mutations;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    llvm::TypeSwitch<Operation *>(op)
        .Case<memref::AllocOp, NVVM::CpAsyncWaitGroupOp,
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

/// Fails if the proof of synchronization has findings in the unmutated module:
/// the results for its mutations would be meaningless.
static LogicalResult expectProved(ModuleOp module) {
  LogicalResult result = success();
  module.walk([&](KernelOp kernel) {
    for (const SynchronizationFinding &finding :
         findUnorderedAccesses(kernel)) {
      finding.emit();
      result = failure();
    }
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
  auto findings = findUnorderedAccesses(kernel);
  line["proof"] = findings.empty() ? "" : findings.front().message;
  if (right)
    line["emulator"] = test::emulateWrong(*copy, kernel.getSymName(), *right);
  llvm::outs() << llvm::json::Value(std::move(line)) << '\n';
}

/// Returns the results of each unmutated kernel. A kernel that the emulator
/// does not run has no entry and gets a warning.
static llvm::StringMap<test::Results> emulateKernels(ModuleOp module) {
  llvm::StringMap<test::Results> right;
  for (KernelOp kernel : module.getOps<KernelOp>()) {
    std::string problem;
    test::Results results =
        test::emulateRight(module, kernel.getSymName(), problem);
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
