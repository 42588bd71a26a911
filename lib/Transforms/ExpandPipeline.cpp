// ExpandPipeline.cpp - marked loops into prologue and steady state
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A marked loop is first rewritten so that its loads go through rings, one slot
// a stage, addressed by two counters modulo the number of stages:
//
//   scf.for %k iter_args(%acc, %put = 0, %get = 0) {
//     nvvm.cp.async.wait.group S-2                   stage S-1
//     %a = tile.from_buffer %ring[%get]              stage S-1
//     %d = tile.matmul %a, ...                       stage S-1
//     tile.copy_async %A[%m, %k] to %ring[%put]      stage 0
//     nvvm.cp.async.commit.group                     stage 0
//     scf.yield %d, (%put + 1) mod S, (%get + 1) mod S
//   }
//
// and then handed to scf::pipelineForLoop, which runs stage 0 of iteration
// i + S - 1 together with stage S - 1 of iteration i. At the wait of iteration
// i, S - 1 + i groups are committed and i + 1 must be complete: S - 2 may be in
// flight. A copy that would be beyond the last iteration is made by no thread;
// its group is committed empty, so that the count holds.
//
// The copies stand behind the product, so that its first instructions need not
// wait for their addresses. With two stages they stand before it: the product
// would find nothing in flight.

#include "StageMarks.h"

#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/IR/PatternMatch.h"

#define DEBUG_TYPE "tile-expand-pipeline"

namespace tile {
#define GEN_PASS_DEF_EXPANDPIPELINE
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// The fewest stages with which the copies stand behind the product.
static constexpr int64_t kMinStagesBehind = 3;

namespace {
/// A loop over rings, and the stage of each of its operations in the order in
/// which the steady state runs them.
struct StagedLoop {
  scf::ForOp loop;
  std::vector<std::pair<Operation *, unsigned>> schedule;
};
} // namespace

/// The ring of a load's tile: one slot a stage.
static Value createRing(OpBuilder &builder, LoadOp load, int64_t numStages) {
  TileType type = load.getType();
  SmallVector<int64_t> shape = {numStages};
  llvm::append_range(shape, type.getShape());
  return memref::AllocOp::create(builder, load.getLoc(),
                                 MemRefType::get(shape, type.getElementType(),
                                                 MemRefLayoutAttrInterface(),
                                                 type.getShared()));
}

/// The slot of a ring, as a buffer of the tile's shape.
static Value getSlot(OpBuilder &builder, Location loc, Value ring,
                     Value index) {
  auto type = cast<MemRefType>(ring.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> sizes,
      strides(type.getRank(), builder.getIndexAttr(1));
  offsets[0] = index;
  sizes.push_back(builder.getIndexAttr(1));
  for (int64_t extent : type.getShape().drop_front())
    sizes.push_back(builder.getIndexAttr(extent));
  MemRefType slot = memref::SubViewOp::inferRankReducedResultType(
      type.getShape().drop_front(), type, offsets, sizes, strides);
  return memref::SubViewOp::create(builder, loc, slot, ring, offsets, sizes,
                                   strides);
}

/// (counter + 1) mod numStages.
static Value advance(OpBuilder &builder, Location loc, Value counter,
                     int64_t numStages) {
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value end = arith::ConstantIndexOp::create(builder, loc, numStages);
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value next = arith::AddIOp::create(builder, loc, counter, one);
  Value wraps =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, next, end);
  return arith::SelectOp::create(builder, loc, wraps, zero, next);
}

/// The operations of the body that an offset needs, cloned at the builder's
/// place: the copy is an iteration ahead of the body's own use of them.
static Value cloneSlice(OpBuilder &builder, Value value, scf::ForOp loop,
                        IRMapping &mapping) {
  if (Value known = mapping.lookupOrNull(value))
    return known;
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != loop.getBody())
    return value;
  for (Value operand : op->getOperands())
    mapping.map(operand, cloneSlice(builder, operand, loop, mapping));
  builder.clone(*op, mapping);
  return mapping.lookup(value);
}

/// The loop with two more values carried, `put` and `get`.
static scf::ForOp addCounters(RewriterBase &rewriter, scf::ForOp loop) {
  Value zero = arith::ConstantIndexOp::create(rewriter, loop.getLoc(), 0);
  auto yieldCounters = [&](OpBuilder &, Location,
                           ArrayRef<BlockArgument> args) {
    return SmallVector<Value>(args.begin(), args.end());
  };
  return cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, {zero, zero}, /*replaceInitOperandUsesInLoop=*/false,
      yieldCounters));
}

/// Stage 0 at the builder's place: the copies of one iteration side by side, as
/// one group, and the counter's step, which is returned.
static Value createCopies(OpBuilder &builder, scf::ForOp loop,
                          MutableArrayRef<LoadOp> loads, ArrayRef<Value> rings,
                          Value put, int64_t numStages) {
  IRMapping mapping;
  SmallVector<SmallVector<Value>> offsets;
  SmallVector<Value> slots;
  for (auto [load, ring] : llvm::zip(loads, rings)) {
    offsets.emplace_back();
    for (Value offset : load.getOffsets())
      offsets.back().push_back(cloneSlice(builder, offset, loop, mapping));
    slots.push_back(getSlot(builder, load.getLoc(), ring, put));
  }
  for (auto [load, at, slot] : llvm::zip(loads, offsets, slots))
    CopyAsyncOp::create(builder, load.getLoc(), load.getSource(), at, slot,
                        /*condition=*/Value(), load.getInBounds());
  NVVM::CpAsyncCommitGroupOp::create(builder, loop.getLoc());
  return advance(builder, loop.getLoc(), put, numStages);
}

/// Rewrites the marked loads of a loop to rings. See the file's head.
static StagedLoop createStagedLoop(RewriterBase &rewriter, scf::ForOp loop,
                                   int64_t numStages) {
  Location loc = loop.getLoc();
  rewriter.setInsertionPoint(loop);
  SmallVector<Value> rings;
  for (LoadOp load : loop.getBody()->getOps<LoadOp>())
    if (load->hasAttr(kStageAttr))
      rings.push_back(createRing(rewriter, load, numStages));
  loop = addCounters(rewriter, loop);
  Block *body = loop.getBody();
  Value put = loop.getRegionIterArgs().drop_back().back();
  Value get = loop.getRegionIterArgs().back();
  SmallVector<LoadOp> loads;
  for (LoadOp load : body->getOps<LoadOp>())
    if (load->hasAttr(kStageAttr))
      loads.push_back(load);
  llvm::SmallPtrSet<Operation *, 16> isBehind;
  for (Operation &op : *body)
    isBehind.insert(&op);

  // Stage 0 takes the offsets' slices, so it is made while they are there.
  if (numStages < kMinStagesBehind)
    rewriter.setInsertionPointToStart(body);
  else
    rewriter.setInsertionPoint(body->getTerminator());
  Value nextPut = createCopies(rewriter, loop, loads, rings, put, numStages);
  llvm::SmallPtrSet<Operation *, 16> isAhead;
  for (Operation &op : *body)
    if (!isBehind.contains(&op))
      isAhead.insert(&op);

  rewriter.setInsertionPointToStart(body);
  NVVM::CpAsyncWaitGroupOp::create(rewriter, loc,
                                   static_cast<uint32_t>(numStages - 2));
  for (auto [load, ring] : llvm::zip(loads, rings)) {
    rewriter.setInsertionPoint(load);
    Value slot = getSlot(rewriter, load.getLoc(), ring, get);
    rewriter.replaceOpWithNewOp<FromBufferOp>(load, load.getType(), slot);
  }
  Operation *yield = body->getTerminator();
  rewriter.setInsertionPoint(yield);
  Value nextGet = advance(rewriter, loc, get, numStages);
  yield->setOperand(yield->getNumOperands() - 2, nextPut);
  yield->setOperand(yield->getNumOperands() - 1, nextGet);

  StagedLoop staged{loop, {}};
  unsigned last = numStages - 1;
  for (Operation &op : body->without_terminator())
    staged.schedule.push_back({&op, isAhead.contains(&op) ? 0 : last});
  return staged;
}

/// A copy beyond the last iteration is made by no thread; the rest of stage 0
/// has no effect worth a test.
static Operation *predicate(RewriterBase &rewriter, Operation *op,
                            Value holds) {
  if (auto copy = dyn_cast<CopyAsyncOp>(op))
    rewriter.modifyOpInPlace(copy,
                             [&] { copy.getConditionMutable().assign(holds); });
  return op;
}

/// Marks may have come with the program.
static LogicalResult verifyMarks(scf::ForOp loop, int64_t numStages) {
  if (numStages < 2 || numStages > kMaxStages)
    return loop.emitError("expected ") << kNumStagesAttr << " from 2 to "
                                       << kMaxStages << ", got " << numStages;
  if (!canRunAhead(loop))
    return loop.emitError("expected a loop that writes no array and compares "
                          "signed numbers, as it is to run ahead");
  for (Operation &op : *loop.getBody()) {
    if (!op.hasAttr(kStageAttr))
      continue;
    auto load = dyn_cast<LoadOp>(op);
    if (!load || !canLoadAhead(load, loop))
      return op.emitError("expected ")
             << kStageAttr << " on a load into shared memory with a layout, "
             << "without a pad value, at offsets known an iteration ahead";
  }
  return success();
}

static LogicalResult expandPipeline(scf::ForOp loop, int64_t numStages) {
  IRRewriter rewriter(loop.getContext());
  Operation *after = loop->getNextNode();
  loop->removeAttr(kNumStagesAttr);
  StagedLoop staged = createStagedLoop(rewriter, loop, numStages);
  scf::PipeliningOption options;
  options.getScheduleFn =
      [&](scf::ForOp, std::vector<std::pair<Operation *, unsigned>> &schedule) {
        schedule = staged.schedule;
      };
  options.supportDynamicLoops = true;
  options.peelEpilogue = false;
  options.predicateFn = predicate;
  rewriter.setInsertionPoint(staged.loop);
  if (failed(scf::pipelineForLoop(rewriter, staged.loop, options)))
    return staged.loop.emitError("expected a loop that can be pipelined");
  // The ring's bytes are free only when no copy is in flight.
  rewriter.setInsertionPoint(after);
  NVVM::CpAsyncWaitGroupOp::create(rewriter, after->getLoc(), 0u);
  return success();
}

namespace {
struct ExpandPipeline : tile::impl::ExpandPipelineBase<ExpandPipeline> {
  using ExpandPipelineBase::ExpandPipelineBase;

  void runOnOperation() override {
    SmallVector<std::pair<scf::ForOp, int64_t>> loops;
    getOperation().walk([&](scf::ForOp loop) {
      if (auto stages = loop->getAttrOfType<IntegerAttr>(kNumStagesAttr))
        loops.push_back({loop, stages.getInt()});
    });
    for (auto [loop, stages] : loops)
      if (failed(verifyMarks(loop, stages)))
        return signalPassFailure();
    for (auto [loop, stages] : loops)
      if (failed(expandPipeline(loop, stages)))
        return signalPassFailure();
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<memref::MemRefDialect, NVVM::NVVMDialect, scf::SCFDialect>();
  }
};
} // namespace
