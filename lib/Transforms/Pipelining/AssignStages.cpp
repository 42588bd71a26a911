// AssignStages.cpp - choice of the loops to pipeline and of their stages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop over K loads tiles into shared memory and multiplies them. With S
// stages the loads of S - 1 iterations are in flight while one is multiplied.
// More stages hide more latency and take more shared memory. A fifth stage
// gains no more than a second block on the multiprocessor does, so the pass
// chooses at most four and leaves room for that block if three stages allow it.
// A block that is the only one on its multiprocessor gets up to eight
// (`Costs::maxStagesAlone`).
// An asynchronous matmul keeps its stage while the next one starts, if there
// are four: then the loads of S - 2 iterations are in flight.

#include "../PassOrder.h"
#include "CopyMechanisms.h"
#include "SharedRoom.h"
#include "StageMarks.h"

#include "tile/Analysis/ConvertedLoad.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Analysis/Tiling.h"
#include "tile/IR/ConvertLayout.h"
#include "tile/IR/Decisions.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

#define DEBUG_TYPE "tile-assign-stages"

namespace tile {
#define GEN_PASS_DEF_ASSIGNSTAGES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// The fewest stages with which a matmul stays in flight while the next one
/// starts. It keeps a stage to itself, and the loads of two iterations are also
/// in flight.
static constexpr int64_t kMinStagesInFlight = 4;

/// Whether the result of `user`, which reads a tile, is the tile itself or is
/// computed from its elements.
static bool handsOn(Operation *user) {
  return user->hasTrait<OpTrait::Elementwise>() || isAlias(user) ||
         isa<ConvertLayoutOp, BroadcastOp>(user);
}

/// Returns the matmul in the loop's own block whose lhs or rhs is the tile, or
/// a tile that elementwise operations make of it; null if there is none.
static MatmulOpInterface findMatmul(Value tile, scf::ForOp loop) {
  llvm::SetVector<Value> reached;
  reached.insert(tile);
  for (size_t i = 0; i < reached.size(); ++i)
    for (OpOperand &use : reached[i].getUses()) {
      Operation *user = use.getOwner();
      if (auto matmul = dyn_cast<MatmulOpInterface>(user);
          matmul && matmul->getBlock() == loop.getBody() &&
          use.getOperandNumber() < 2)
        return matmul;
      if (handsOn(user))
        reached.insert_range(user->getResults());
    }
  return {};
}

static void remarkFewer(scf::ForOp loop, int64_t stages, int64_t wanted,
                        int64_t stageBytes, int64_t bytes) {
  remark::missed(loop.getLoc(),
                 remark::RemarkOpts::name("Stages").category(DEBUG_TYPE))
      << llvm::formatv("{0} stages instead of {1}: each is {2} bytes of {3}",
                       stages, wanted, stageBytes, std::max<int64_t>(bytes, 0))
             .str();
}

/// Whether threads may start the next iteration's matmul before this one has
/// ended. This requires that the matmul's instruction is asynchronous, that it
/// is the only matmul in the loop, that nothing else in the loop reads its
/// accumulator, and that its operands are copied ahead without further buffers.
static bool canStayInFlight(MatmulOpInterface matmul, scf::ForOp loop,
                            ArrayRef<CopyableOpInterface> loads) {
  auto isLoadedAhead = [&](Value operand) {
    Operation *op = operand.getDefiningOp();
    while (op && isAlias(op))
      op = op->getOperand(0).getDefiningOp();
    auto load = dyn_cast_or_null<CopyableOpInterface>(op);
    return load && llvm::is_contained(loads, load) && getExtraBytes(load) == 0;
  };
  return getTiling(matmul).instruction.isAsynchronous() &&
         isSumOf(matmul, loop) && isLoadedAhead(matmul.getLhs()) &&
         isLoadedAhead(matmul.getRhs()) &&
         llvm::hasSingleElement(loop.getBody()->getOps<MatmulOpInterface>());
}

namespace {
/// Range of the number of stages that a loop may have: from `least` to `most`
/// if `blocks` blocks then fit a multiprocessor, otherwise up to `wanted` with
/// a single block.
struct StageRange {
  int64_t least, most, wanted, blocks;
};
} // namespace

static StageRange getFmaRange(KernelOp kernel,
                              const Architecture &architecture) {
  const Costs &costs = architecture.costs;
  int64_t registers = costs.fmaRegisters * kernel.getLaunchedThreads();
  return {costs.minFmaStages, costs.maxFmaStages, costs.minFmaStages,
          std::max<int64_t>(2, architecture.registersPerProcessor / registers)};
}

/// Returns the maximum number of stages for the only block on a multiprocessor.
/// It is no more than the number of iterations, if that is known, but at least
/// `maxStages`.
static int64_t getMostAlone(scf::ForOp loop, const Costs &costs) {
  int64_t most = costs.maxStagesAlone;
  if (std::optional<APInt> trips = loop.getStaticTripCount())
    most = trips->getLimitedValue(most);
  return std::max(most, costs.maxStages);
}

static StageRange getStageRange(MatmulOpInterface matmul, scf::ForOp loop,
                                bool isInFlight,
                                const Architecture &architecture) {
  const Costs &costs = architecture.costs;
  auto kernel = loop->getParentOfType<KernelOp>();
  bool isAlone = isAloneOnProcessor(kernel, architecture);
  StageRange range = {costs.minStages, costs.maxStages,
                      isInFlight ? kMinStagesInFlight : costs.minStages, 2};
  if (!getTiling(matmul).instruction.hasFragments())
    range = getFmaRange(kernel, architecture);
  else if (isAlone)
    range.most = getMostAlone(loop, costs);
  if (isAlone)
    range.blocks = 1;
  return range;
}

/// A number of stages, and the reason for it.
using StageChoice = std::pair<int64_t, std::string>;

static StageChoice chooseStages(scf::ForOp loop, int64_t stageBytes,
                                int64_t otherBytes, StageRange range,
                                const Architecture &architecture) {
  int64_t one =
      getSharedBytesLimit(loop->getParentOfType<KernelOp>(), architecture) -
      otherBytes;
  int64_t shared = std::min(
      one, getSharedBytesLimit(architecture, range.blocks) - otherBytes);
  int64_t stages = std::min(range.most, shared / stageBytes);
  std::string reason =
      stages == range.most
          ? "more would gain nothing"
          : llvm::formatv("each is {0} bytes of the {1} that {2} blocks leave "
                          "one of them",
                          stageBytes, shared, range.blocks)
                .str();
  if (stages < range.least) {
    stages = std::min(range.wanted, one / stageBytes);
    reason = llvm::formatv("each is {0} bytes of the {1} that one block has; "
                           "{2} for each of {3} blocks do not fit",
                           stageBytes, one, range.least, range.blocks);
  }
  stages = std::max<int64_t>(stages, 1);
  if (stages < range.least)
    remarkFewer(loop, stages, range.least, stageBytes, one);
  return {stages, reason};
}

/// Refuses a number of stages that the program gave if they do not fit the
/// shared memory of a block.
static LogicalResult verifyStages(MatmulOpInterface matmul, int64_t stages,
                                  int64_t stageBytes,
                                  const Architecture &architecture) {
  int64_t limit =
      getSharedBytesLimit(matmul->getParentOfType<KernelOp>(), architecture);
  if (stages < 2 || stages * stageBytes <= limit)
    return success();
  return matmul.emitOpError()
         << "expected 'stages' of at most "
         << std::max<int64_t>(limit / stageBytes, 1) << " (" << stageBytes
         << " bytes each of " << limit << " on " << architecture.name
         << "), got " << stages;
}

/// Reduces the number of stages that the program gave to as many as fit shared
/// memory together with the further buffers of copies, which the program need
/// not consider.
static int64_t fitStages(scf::ForOp loop, ArrayRef<CopyableOpInterface> loads,
                         int64_t stages, int64_t stageBytes,
                         const Architecture &architecture) {
  auto kernel = loop->getParentOfType<KernelOp>();
  int64_t limit = getSharedBytesLimit(kernel, architecture) -
                  getOtherLoadBytes(loop, loads);
  int64_t fitting = std::min(stages, std::max<int64_t>(limit / stageBytes, 1));
  if (fitting < stages)
    remarkFewer(loop, fitting, stages, stageBytes, limit);
  return fitting;
}

static void remarkMissed(Operation *op, StringRef message) {
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("Stages").category(DEBUG_TYPE))
      << message.str();
}

/// Returns the loads that run ahead with the conversion of another load
/// (ConvertedLoad.h).
static llvm::SmallPtrSet<Operation *, 4> getRepeatedLoads(scf::ForOp loop) {
  llvm::SmallPtrSet<Operation *, 4> repeated;
  for (CopyableOpInterface load : loop.getBody()->getOps<CopyableOpInterface>())
    if (findMatmul(load.getAccessedTile(), loop) && canLoadAhead(load, loop))
      if (auto stored = findStoredLoad(getStagedTile(load)))
        repeated.insert_range(stored->repeated);
  return repeated;
}

/// Emits a remark, with the reason, on each load that does not run ahead in a
/// loop with a matmul.
static void remarkNotAhead(scf::ForOp loop) {
  if (loop.getBody()->getOps<MatmulOpInterface>().empty())
    return;
  StringRef ofLoop = whyNotAhead(loop);
  llvm::SmallPtrSet<Operation *, 4> repeated = getRepeatedLoads(loop);
  for (CopyableOpInterface load :
       loop.getBody()->getOps<CopyableOpInterface>()) {
    if (ofLoop.empty() && repeated.contains(load))
      continue;
    StringRef reason = ofLoop.empty() ? whyNotAhead(load, loop) : ofLoop;
    if (reason.empty() && !findMatmul(load.getAccessedTile(), loop))
      reason = "no product of the loop takes it, or elementwise operations on "
               "it, as an operand";
    if (reason.empty())
      continue;
    remarkMissed(load, ("not begun ahead: " + reason).str());
    recordDecision(load, "loads ahead", "0", reason);
  }
}

static LogicalResult assignStages(scf::ForOp loop,
                                  const Architecture &architecture) {
  remarkNotAhead(loop);
  if (!canRunAhead(loop))
    return success();
  SmallVector<CopyableOpInterface> loads;
  MatmulOpInterface asker, last;
  int64_t stages = 0, tileBytes = 0, extraBytes = 0;
  for (CopyableOpInterface load :
       loop.getBody()->getOps<CopyableOpInterface>()) {
    MatmulOpInterface matmul = findMatmul(load.getAccessedTile(), loop);
    if (!matmul || !canLoadAhead(load, loop))
      continue;
    loads.push_back(load);
    last = matmul;
    tileBytes += getTileBytes(getStagedTile(load));
    extraBytes += getExtraBytes(load);
    TilingAttr tiling = matmul.getTilingAttr();
    if (!tiling || tiling.getStages() <= stages)
      continue;
    stages = tiling.getStages();
    asker = matmul;
  }
  if (loads.empty())
    return success();
  int64_t stageBytes = tileBytes + extraBytes;
  bool isInFlight = canStayInFlight(last, loop, loads);
  std::string reason = "given by the operation's tiling";
  if (stages == 0)
    std::tie(stages, reason) = chooseStages(
        loop, stageBytes, getOtherBytes(loop, loads),
        getStageRange(last, loop, isInFlight, architecture), architecture);
  else if (failed(verifyStages(asker, stages, tileBytes, architecture)))
    return failure();
  else if (extraBytes > 0)
    stages = fitStages(loop, loads, stages, stageBytes, architecture);
  recordDecision(last, "stages", Twine(stages), reason);
  if (stages < 2)
    return success();
  Builder builder(loop.getContext());
  loop->setAttr(kNumStagesAttr, builder.getI64IntegerAttr(stages));
  for (CopyableOpInterface load : loads)
    load->setAttr(kCopyAttr, chooseCopyMechanism(load));
  if (isInFlight && stages >= kMinStagesInFlight)
    last->setAttr(kInFlightAttr, builder.getUnitAttr());
  return success();
}

namespace {
struct AssignStages : tile::impl::AssignStagesBase<AssignStages> {
  using AssignStagesBase::AssignStagesBase;

  void runOnOperation() override {
    const Architecture *architecture = getTargetArchitecture(getOperation());
    if (!architecture ||
        failed(verifyPassOrder(getOperation(), TilePass::kAssignStages)))
      return signalPassFailure();
    WalkResult result = getOperation().walk([&](scf::ForOp loop) {
      return WalkResult(assignStages(loop, *architecture));
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
