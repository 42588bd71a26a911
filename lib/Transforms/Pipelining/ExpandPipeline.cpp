// ExpandPipeline.cpp - expansion of marked loops to prologue and steady state
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loads of a marked loop go through circular buffers (LoopStager.h).
// scf::pipelineForLoop then runs the stages of different iterations together:
// with S stages, the copies of iteration i + S - 1 together with the matmul of
// iteration i. No thread makes a copy beyond the last iteration; its fill is
// committed empty, so that each iteration commits one.
//
// If the loop is inside another one, such as a loop over tiles of the result,
// the copies run ahead over the iterations of both, and the buffers stay filled
// from one tile to the next:
//
//   scf.if %lower < %upper {                 the outer loop has an iteration
//     tile_gpu.copy_async ...                the prologue, S - 1 times
//     scf.for %t iter_args(%put = S - 1, %get = 0, %at = S - 1) {
//       scf.for %k iter_args(%acc, %put, %get, %at) {
//         ...
//         tile_gpu.copy_async %A[%at] to %buffer[%put] if exists(%at)
//         scf.yield %d, next(%put), next(%get), next(%at)
//       }
//       tile.store ...
//     }
//     tile_gpu.drain %channel
//   }
//
// The buffers then keep their bytes during the whole outer loop, in which
// exchanges between threads need shared memory as well (SharedRoom.h).

#include "../PassOrder.h"
#include "CopyMechanisms.h"
#include "LoopStager.h"
#include "SharedRoom.h"
#include "StageMarks.h"

#include "tile/IR/Gpu/TileGpu.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

#define DEBUG_TYPE "tile-expand-pipeline"

namespace tile {
#define GEN_PASS_DEF_EXPANDPIPELINE
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// Adds the condition `holds` to a copy and to the shift of its rows, so
/// that they do nothing beyond the last iteration. An operation that already
/// has a condition keeps it. Other operations that run ahead have no effect, so
/// that they need no condition.
static Operation *predicate(RewriterBase &rewriter, Operation *op,
                            Value holds) {
  auto assign = [&](auto typed) {
    if (!typed.getCondition())
      rewriter.modifyOpInPlace(
          typed, [&] { typed.getConditionMutable().assign(holds); });
  };
  llvm::TypeSwitch<Operation *>(op)
      .Case<tile_gpu::CopyAsyncOp, tile_gpu::AlignRowsOp>(assign);
  return op;
}

/// Verifies the marks of a loop, since the program may have set them.
static LogicalResult verifyMarks(scf::ForOp loop, int64_t numStages) {
  if (numStages < 2 || numStages > kMaxStages)
    return loop.emitError("expected ") << kNumStagesAttr << " from 2 to "
                                       << kMaxStages << ", got " << numStages;
  if (hasMatmulInFlight(loop) && numStages < kMinStagesBehind)
    return loop.emitError("expected ")
           << kNumStagesAttr << " of at least " << kMinStagesBehind
           << ", as a product stays in flight, got " << numStages;
  if (!canRunAhead(loop))
    return loop.emitError("expected a loop of which loads may run ahead: ")
           << whyNotAhead(loop);
  for (Operation &op : *loop.getBody()) {
    if (!op.hasAttr(kCopyAttr))
      continue;
    auto load = dyn_cast<CopyableOpInterface>(op);
    if (!load || !canLoadAhead(load, loop))
      return op.emitError("expected ")
             << kCopyAttr << " on a load into shared memory with a layout, "
             << "without a pad value, of an array that the loop does not "
                "write, at offsets known an iteration ahead";
    auto mechanism =
        op.getAttrOfType<tile_gpu::CopyMechanismAttrInterface>(kCopyAttr);
    if (StringRef expected = whyNotCopied(mechanism, load); !expected.empty())
      return op.emitError("expected ") << expected << " for " << mechanism;
  }
  return success();
}

/// Returns the marked loads of a loop.
static SmallVector<CopyableOpInterface> getMarkedLoads(scf::ForOp loop) {
  SmallVector<CopyableOpInterface> loads;
  for (auto load : loop.getBody()->getOps<CopyableOpInterface>())
    if (load->hasAttr(kCopyAttr))
      loads.push_back(load);
  return loads;
}

/// Returns the marked loads of a loop that are asynchronous copies.
static SmallVector<CopyableOpInterface> getCopiedLoads(scf::ForOp loop) {
  return llvm::filter_to_vector(
      getMarkedLoads(loop), [](CopyableOpInterface load) {
        auto mechanism =
            load->getAttrOfType<tile_gpu::CopyMechanismAttrInterface>(
                kCopyAttr);
        return mechanism.getArrival() != tile_gpu::Arrival::kStores;
      });
}

/// Returns the bytes of the circular buffers of a loop; zero if it has no mark.
static int64_t getStagedBytes(scf::ForOp loop) {
  auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr);
  if (!stages)
    return 0;
  int64_t bytes = 0;
  for (CopyableOpInterface load : getMarkedLoads(loop))
    bytes += getTileBytes(getStagedTile(load)) + getExtraBytes(load);
  return bytes * stages.getInt();
}

/// Returns the bytes of shared memory that are in use during the whole loop
/// around a marked loop, if its buffers stay filled.
static int64_t getKeptBytes(scf::ForOp loop) {
  int64_t bytes = getOtherBytes(getOuterLoop(loop), getMarkedLoads(loop)) +
                  getAllocatedBytes(loop->getParentOfType<KernelOp>());
  for (; loop; loop = loop->getParentOfType<scf::ForOp>())
    bytes += getStagedBytes(loop);
  return bytes;
}

/// Returns the reason why the copies of a marked loop cannot run ahead over the
/// loop around it as well; empty if they can.
static StringRef whyDrained(scf::ForOp loop) {
  scf::ForOp outer = getOuterLoop(loop);
  if (!outer)
    return "it is no scf.for directly around this one, or contains another "
           "loop";
  if (outer->hasAttr(kNumStagesAttr))
    return "it is pipelined itself";
  SmallVector<CopyableOpInterface> copied = getCopiedLoads(loop);
  if (copied.empty())
    return "no load is an asynchronous copy";
  if (!findPreparedLhs(loop).empty())
    return "an operand is rounded in registers";
  return whyNotAcross(loop, copied);
}

/// Returns the iterations over which the copies of a marked loop run ahead, if
/// the loop is inside another one and its buffers stay filled there; shared
/// memory then has room for them. Otherwise a remark gives the reason.
static std::optional<CopyNest> makeNest(scf::ForOp loop,
                                        const Architecture &architecture) {
  if (!loop->getParentOfType<LoopLikeOpInterface>())
    return std::nullopt;
  StringRef reason = whyDrained(loop);
  if (reason.empty() &&
      !makeRoomFor(getOuterLoop(loop), getKeptBytes(loop), architecture))
    reason = "shared memory has no room for the buffers and the exchanges of "
             "threads";
  if (reason.empty())
    return CopyNest(loop, getCopiedLoads(loop));
  remark::missed(loop.getLoc(),
                 remark::RemarkOpts::name("Nest").category(DEBUG_TYPE))
      << ("the circular buffer is drained and filled again in each iteration "
          "of the loop around this one: " +
          reason)
             .str();
  return std::nullopt;
}

/// Puts a loop in a branch that is taken if the loop has an iteration, unless
/// that is known.
static void guardLoop(RewriterBase &rewriter, scf::ForOp loop) {
  std::optional<int64_t> begin = getConstantIntValue(loop.getLowerBound()),
                         end = getConstantIntValue(loop.getUpperBound());
  if (begin && end && *begin < *end)
    return;
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  Value holds =
      arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                            loop.getLowerBound(), loop.getUpperBound());
  bool hasResults = loop.getNumResults() > 0;
  auto branch = scf::IfOp::create(rewriter, loc, loop.getResultTypes(), holds,
                                  /*withElseRegion=*/hasResults);
  rewriter.replaceAllUsesWith(loop.getResults(), branch.getResults());
  if (hasResults) {
    rewriter.setInsertionPointToEnd(branch.elseBlock());
    scf::YieldOp::create(rewriter, loc, loop.getInits());
    rewriter.setInsertionPointToEnd(branch.thenBlock());
    scf::YieldOp::create(rewriter, loc, loop.getResults());
  }
  loop->moveBefore(branch.thenBlock()->getTerminator());
}

static LogicalResult pipeline(RewriterBase &rewriter,
                              const StagedLoop &staged) {
  bool hasOneStage = llvm::all_of(
      staged.schedule, [](const auto &entry) { return entry.second == 0; });
  if (hasOneStage)
    return success();
  scf::PipeliningOption options;
  options.getScheduleFn =
      [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
        schedule = staged.schedule;
      };
  options.supportDynamicLoops = true;
  options.peelEpilogue = false;
  options.predicateFn = predicate;
  scf::ForOp loop = staged.loop;
  rewriter.setInsertionPoint(loop);
  if (failed(scf::pipelineForLoop(rewriter, loop, options)))
    return loop.emitError("expected a loop that can be pipelined");
  return success();
}

static LogicalResult expandPipeline(scf::ForOp loop, int64_t numStages,
                                    const Architecture &architecture) {
  IRRewriter rewriter(loop.getContext());
  std::optional<CopyNest> nest = makeNest(loop, architecture);
  if (nest)
    guardLoop(rewriter, nest->getOuter());
  Operation *after = (nest ? nest->getOuter() : loop)->getNextNode();
  loop->removeAttr(kNumStagesAttr);
  StagedLoop staged = stageLoads(rewriter, loop, numStages, std::move(nest));
  if (failed(pipeline(rewriter, staged)))
    return failure();
  rewriter.setInsertionPoint(after);
  if (staged.channel)
    tile_gpu::DrainOp::create(rewriter, after->getLoc(), staged.channel);
  return success();
}

namespace {
struct ExpandPipeline : tile::impl::ExpandPipelineBase<ExpandPipeline> {
  using ExpandPipelineBase::ExpandPipelineBase;

  void runOnOperation() override {
    const Architecture *architecture = getTargetArchitecture(getOperation());
    if (!architecture ||
        failed(verifyPassOrder(getOperation(), TilePass::kExpandPipeline)))
      return signalPassFailure();
    SmallVector<std::pair<scf::ForOp, int64_t>> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr))
        loops.push_back({loop, stages.getInt()});
    });
    for (auto [loop, stages] : loops)
      if (failed(verifyMarks(loop, stages)))
        return signalPassFailure();
    for (auto [loop, stages] : loops)
      if (failed(expandPipeline(loop, stages, *architecture)))
        return signalPassFailure();
  }
};
} // namespace
