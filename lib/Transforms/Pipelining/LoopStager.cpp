// LoopStager.cpp - loads of a loop go through circular buffers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loads of a loop go through a channel of circular buffers, with one
// counter for the copies and one for the matmul. Each operation gets a stage:
// scf::pipelineForLoop runs stage 0 of iteration i + S - 1 together with stage
// S - 1 of iteration i.
//
//   scf.for %k iter_args(%acc, %put = 0, %get = 0) {
//     tile_gpu.wait %channel[%get]                     stage S-1
//     %a = tile_gpu.from_buffer %buffer[%get]          stage S-1
//     %d = tile.matmul %a, ...                         stage S-1
//     tile_gpu.copy_async %A[%m, %k] to %buffer[%put]  stage 0
//     tile_gpu.commit %channel[%put]                   stage 0
//     scf.yield %d, next(%put), next(%get)
//   }
//
// The copies come after the matmul, so that its first instructions need not
// wait for the addresses of the copies. With two stages the copies come before
// the matmul: otherwise no copy would be in flight during the matmul.
//
// A matmul may stay in flight (attribute tile.in_flight) until the matmul of
// the next iteration has started. Its buffers then stay in use for one more
// iteration: stage S - 2 of iteration i runs together with stage 0 of iteration
// i + S - 2, and the copies write to the buffers of iteration i - 2.
//
// Unaligned rows are copied as the 16-byte chunks that cover them (RowCover.h).
// Stage S - 2 shifts the rows into alignment, after the copies: no matmul reads
// that buffer yet, and the barrier before the next matmul orders the shift as
// well. The wait of an iteration is for the fill that is shifted.
//
//     tile_gpu.copy_async %A[%m, %k] to %buffer[%put]
//         by(#tile_gpu.cover_rows) with %ends[%put]
//     tile_gpu.align_rows %buffer[%finish], %ends[%finish] of %A[%m, %k]
//
// If rows lie along K, each row continues in the box of the next iteration: the
// last chunk of a row is also the first chunk of that row in the next box, so
// that no circular buffer of ends is needed. There is then a wait for the copy
// of the next iteration, and one box more than the loop has iterations is
// copied.
//
//     tile_gpu.align_rows %buffer[%finish], %buffer[%finish + 1] of %A[%m, %k]
//
// In a nest (CopyNest.h) both loops carry the counters and the iteration of the
// copies, which are then made in the stage of the matmul. Their prologue, S - 1
// fills, is created before the outer loop.
//
// Tiles that are converted in registers (ConvertedLoad.h), such as a rhs that
// is rounded, are also prepared in stage S - 2, after the copies and while a
// matmul runs: what stage S - 3 has loaded is converted and written to its
// buffer, which belongs to a channel without copies. The next tiles are loaded
// after all are written, so that registers hold one tile of each load at a
// time. A lhs that is rounded in registers (RoundOperands.h) is read in the
// same stage. It is rounded when the running matmul has ended: ptxas lets no
// other instruction write registers of a running wgmma (C7513).
//
//     %r = tile.round_tf32 %loaded
//     tile_gpu.store_shared %r, %buffer[%finish]
//     %next_loaded = tile.load %B[%k, %n]
//     %next_lhs = tile.convert_layout (tile_gpu.from_buffer %other[%finish])

#include "LoopStager.h"

#include "../RoundOperands.h"
#include "StageMarks.h"

#include "tile/Analysis/ConvertedLoad.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Minimum number of iterations by which copies run ahead of the matmul if rows
/// continue in the next iteration's box: the copy of that box must be complete
/// an iteration before its own matmul, and no other box may use its stage.
static constexpr int64_t kMinAheadContinued = 3;
/// Minimum number of iterations by which copies run ahead of the matmul if
/// threads finish the tiles an iteration before their matmul.
static constexpr int64_t kMinAheadFinished = 2;

/// Creates a circular buffer of `numStages` stages.
static Value createCircularBuffer(OpBuilder &builder, Location loc,
                                  ArrayRef<int64_t> stageShape, Type element,
                                  Attribute shared, int64_t numStages) {
  SmallVector<int64_t> shape = {numStages};
  llvm::append_range(shape, stageShape);
  return memref::AllocOp::create(
      builder, loc,
      MemRefType::get(shape, element, MemRefLayoutAttrInterface(), shared));
}

/// Returns the loop with additional carried values that start as `begin` and
/// that the body yields unchanged.
static scf::ForOp addCarried(RewriterBase &rewriter, scf::ForOp loop,
                             ValueRange begin) {
  auto yieldCarried = [&](OpBuilder &, Location, ArrayRef<BlockArgument> args) {
    return SmallVector<Value>(args.begin(), args.end());
  };
  return cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
      rewriter, begin, /*replaceInitOperandUsesInLoop=*/false, yieldCarried));
}

bool tile::hasMatmulInFlight(scf::ForOp loop) {
  return llvm::any_of(*loop.getBody(),
                      [](Operation &op) { return op.hasAttr(kInFlightAttr); });
}

namespace {

/// A marked load, and the circular buffers through which it goes.
struct StagedLoad {
  CopyableOpInterface load;
  tile_gpu::CopyMechanismAttrInterface mechanism;
  Value buffer;
  /// The further circular buffer of the mechanism; null if it is not needed.
  Value extra;
  /// The conversion that writes the tile to shared memory, if it goes through
  /// registers.
  ConvertLayoutOp store;
  /// Whether the rows of the load's box continue in the next iteration's box.
  bool isContinued = false;
};

/// Rewrites one loop.
class LoopStager {
public:
  LoopStager(RewriterBase &rewriter, scf::ForOp loop, int64_t numStages,
             std::optional<CopyNest> nest)
      : rewriter(rewriter), loop(loop), numStages(numStages),
        keepsMatmul(hasMatmulInFlight(loop)), nest(std::move(nest)) {}

  StagedLoop run();

private:
  /// Whether threads finish an operand between its copy and its matmul.
  bool finishes() const {
    return !lhs.empty() || llvm::any_of(loads, [](const StagedLoad &of) {
      return of.mechanism.isFinishedByThreads();
    });
  }
  bool continues() const {
    return llvm::any_of(
        loads, [](const StagedLoad &load) { return load.isContinued; });
  }
  /// Whether the loop reads the box after that of the last iteration, because
  /// rows continue in it or because lhs is prepared an iteration ahead.
  bool readsBeyond() const {
    return continues() || (!lhs.empty() && finishesAhead());
  }
  /// Returns the stage of the matmul, which is also the number of iterations
  /// that copies are ahead.
  unsigned getLastStage() const { return numStages - 1 - keepsMatmul; }
  /// Whether operands are finished while the previous iteration's matmul runs,
  /// which requires a stage for it.
  bool finishesAhead() const {
    return finishes() && getLastStage() >= kMinAheadFinished;
  }
  unsigned getFinishStage() const { return getLastStage() - finishesAhead(); }

  void createBuffers();
  void createChannels();
  void addCounters();
  void addNest();
  void createCopies(Value put, ValueRange iteration);
  void advanceIteration(ValueRange iteration);
  void createWaits(Value current, Value next);
  void createFinishes(Value finish, Value next);
  llvm::SetVector<Operation *> storeConverted(Value get, Value finish);
  void loadToRegisters(LoadOp load);
  void prepareLhs(Value finish);
  void replaceLoad(StagedLoad &of, Value counter);
  void replaceLoads(Value get);
  std::vector<std::pair<Operation *, unsigned>> makeSchedule();
  SmallVector<Value> cloneOffsets(CopyableOpInterface load, IRMapping &mapping);
  void advance(Value counter);
  Value getStage(Location loc, Value buffer, Value counter) {
    return tile_gpu::StageOp::create(rewriter, loc, buffer, counter);
  }
  Value createCounter(int64_t value) {
    auto type = tile_gpu::CounterType::get(loop.getContext(), numStages);
    return tile_gpu::CounterOp::create(rewriter, loop.getLoc(), type, value);
  }
  void setStage(unsigned stage, function_ref<void()> create);
  void prepare(Operation *op);
  void prepare(function_ref<void()> create);

  RewriterBase &rewriter;
  scf::ForOp loop;
  int64_t numStages;
  bool keepsMatmul; ///< whether the matmul stays in flight longer
  std::optional<CopyNest> nest;
  SmallVector<StagedLoad> loads;
  tile_gpu::ChannelOp channel; ///< null if the loop has no copies
  /// The operations that make the matmul's lhs in registers from a marked load;
  /// the load is last.
  SmallVector<Operation *> lhs;
  llvm::DenseMap<Operation *, unsigned> stages; ///< the last stage if absent
  /// The operations that prepare operands of the next matmul and come after the
  /// current matmul in the steady state.
  llvm::SetVector<Operation *> behind;
};

} // namespace

/// Returns the operations that `create` adds to a body.
static SmallVector<Operation *> collectAdded(Block *body,
                                             function_ref<void()> create) {
  llvm::SmallPtrSet<Operation *, 16> before;
  for (Operation &op : *body)
    before.insert(&op);
  create();
  SmallVector<Operation *> added;
  for (Operation &op : *body)
    if (!before.contains(&op))
      added.push_back(&op);
  return added;
}

/// Sets the stage of the operations that `create` adds to the body.
void LoopStager::setStage(unsigned stage, function_ref<void()> create) {
  for (Operation *op : collectAdded(loop.getBody(), create))
    stages[op] = stage;
}

/// Schedules `op`, which prepares operands of the next matmul. If there is a
/// stage for it, this overlaps with the current matmul.
void LoopStager::prepare(Operation *op) {
  stages[op] = getFinishStage();
  if (finishesAhead())
    behind.insert(op);
}

/// Schedules the operations that `create` adds to the body for the next matmul.
void LoopStager::prepare(function_ref<void()> create) {
  for (Operation *op : collectAdded(loop.getBody(), create))
    prepare(op);
}

/// Whether the rows of a load's boxes continue from iteration to iteration: the
/// offset along the row is the induction variable, which advances by the length
/// of a row, and all other offsets are constant in the loop.
static bool isContinuedBy(CopyableOpInterface load, scf::ForOp loop) {
  TileType type = load.getTileType();
  int64_t contiguous = getContiguousDimension(type.getShared());
  int64_t leading = load.getOffsets().size() - type.getRank();
  for (auto [dim, offset] : llvm::enumerate(load.getOffsets())) {
    bool isRow = static_cast<int64_t>(dim) == leading + contiguous;
    if (isRow ? offset != loop.getInductionVar()
              : !loop.isDefinedOutsideOfLoop(offset))
      return false;
  }
  return getConstantIntValue(loop.getStep()) == type.getDimSize(contiguous);
}

SmallVector<Operation *> tile::findPreparedLhs(scf::ForOp loop) {
  SmallVector<Operation *> lhs;
  for (auto matmul : loop.getBody()->getOps<MatmulOpInterface>())
    if (lhs.empty())
      lhs = getRoundingInRegisters(matmul);
  if (lhs.empty())
    return {};
  // The rounding itself stays in the matmul's stage.
  lhs.erase(lhs.begin());
  return lhs.back()->hasAttr(kCopyAttr) ? lhs : SmallVector<Operation *>();
}

void LoopStager::createBuffers() {
  for (CopyableOpInterface load :
       loop.getBody()->getOps<CopyableOpInterface>()) {
    auto mechanism =
        load->getAttrOfType<tile_gpu::CopyMechanismAttrInterface>(kCopyAttr);
    if (!mechanism)
      continue;
    auto type = cast<TileType>(getStagedTile(load).getType());
    StagedLoad &staged =
        loads.emplace_back(StagedLoad{load, mechanism, {}, {}, {}});
    if (mechanism.getArrival() == tile_gpu::Arrival::kStores)
      staged.store = getStoredCopy(load);
    staged.buffer = createCircularBuffer(rewriter, load.getLoc(),
                                         type.getShape(), type.getElementType(),
                                         type.getShared(), numStages);
    staged.isContinued = !nest && mechanism.coversRows() &&
                         getLastStage() >= kMinAheadContinued &&
                         isContinuedBy(load, loop);
    if (!mechanism.hasExtraBuffer() || staged.isContinued)
      continue;
    MemRefType extra = mechanism.getExtraBuffer(type);
    staged.extra = createCircularBuffer(
        rewriter, load.getLoc(), extra.getShape(), extra.getElementType(),
        extra.getMemorySpace(), numStages);
  }
}

/// Creates the channel of the copies, and that of the buffers which threads
/// store to.
void LoopStager::createChannels() {
  SmallVector<Value> copied, stored;
  for (const StagedLoad &of : loads) {
    (of.store ? stored : copied).push_back(of.buffer);
    if (of.extra)
      copied.push_back(of.extra);
  }
  auto type = tile_gpu::ChannelType::get(loop.getContext(), numStages);
  auto create = [&](ValueRange buffers) {
    return buffers.empty() ? tile_gpu::ChannelOp()
                           : tile_gpu::ChannelOp::create(
                                 rewriter, loop.getLoc(), type, buffers);
  };
  channel = create(copied);
  create(stored);
}

SmallVector<Value> LoopStager::cloneOffsets(CopyableOpInterface load,
                                            IRMapping &mapping) {
  return llvm::map_to_vector(load.getOffsets(), [&](Value offset) {
    return cloneSlice(rewriter, offset, loop, mapping);
  });
}

/// Adds counters to the loop: of the fills that are copied, read, and finished,
/// and of those in which rows continue.
void LoopStager::addCounters() {
  SmallVector<Value> begin = {createCounter(0), createCounter(0)};
  if (finishesAhead())
    begin.push_back(createCounter(0));
  if (continues())
    begin.push_back(createCounter(1));
  loop = addCarried(rewriter, loop, begin);
}

/// Creates the prologue of the copies before the outer loop, and adds counters
/// and the iteration of the copies to both loops.
void LoopStager::addNest() {
  SmallVector<Value> iteration = nest->getFirst(rewriter);
  Value put = createCounter(0), get = put;
  for (unsigned ahead = getLastStage(); ahead > 0; --ahead) {
    createCopies(put, iteration);
    iteration = nest->getNext(rewriter, iteration);
    put = tile_gpu::NextOp::create(rewriter, loop.getLoc(), put);
  }
  SmallVector<Value> begin = {put, get};
  llvm::append_range(begin, iteration);
  scf::ForOp outer = addCarried(rewriter, nest->getOuter(), begin);
  SmallVector<Value> carried = llvm::to_vector_of<Value>(
      outer.getRegionIterArgs().take_back(begin.size()));
  unsigned last = outer.getNumResults() - carried.size();
  if (finishesAhead()) // The fill that is finished first is read first.
    carried.insert(carried.begin() + 2, carried[1]);
  loop = addCarried(rewriter, loop, carried);
  SmallVector<Value> ends =
      llvm::to_vector_of<Value>(loop.getResults().take_back(carried.size()));
  if (finishesAhead())
    ends.erase(ends.begin() + 2);
  outer.getBody()->getTerminator()->setOperands(last, ends.size(), ends);
  nest->setLoops(loop, outer);
}

/// Issues the copies of one iteration: that of the loop or, in a nest, the
/// given one. If the loop reads a box after that of the last iteration, the
/// copy of that box may be outside the array: it is made without the program's
/// assumption `in_bounds`.
void LoopStager::createCopies(Value put, ValueRange iteration) {
  IRMapping mapping;
  Value condition;
  if (nest) {
    nest->map(rewriter, iteration, mapping);
    condition = nest->exists(rewriter, iteration);
  } else if (readsBeyond()) {
    OpBuilder::InsertPoint inBody = rewriter.saveInsertionPoint();
    rewriter.setInsertionPoint(loop);
    Value end = arith::AddIOp::create(rewriter, loop.getLoc(),
                                      loop.getUpperBound(), loop.getStep());
    rewriter.restoreInsertionPoint(inBody);
    condition = arith::CmpIOp::create(rewriter, loop.getLoc(),
                                      arith::CmpIPredicate::slt,
                                      loop.getInductionVar(), end);
  }
  SmallVector<SmallVector<Value>> offsets;
  SmallVector<std::pair<Value, Value>> buffers;
  auto copied = llvm::make_filter_range(
      loads, [](const StagedLoad &of) { return !of.store; });
  for (const StagedLoad &of : copied) {
    Location loc = of.load->getLoc();
    offsets.push_back(cloneOffsets(of.load, mapping));
    buffers.push_back({getStage(loc, of.buffer, put),
                       of.extra ? getStage(loc, of.extra, put) : Value()});
  }
  for (auto [of, at, buffer] : llvm::zip(copied, offsets, buffers))
    tile_gpu::CopyAsyncOp::create(rewriter, of.load.getLoc(),
                                  of.load.getArray(), at, buffer.first,
                                  buffer.second, condition, of.mechanism,
                                  of.load.getInBounds() && !readsBeyond());
  if (channel)
    tile_gpu::CommitOp::create(rewriter, loop.getLoc(), channel, put);
}

/// Creates the wait for fill `current` and, if rows continue in it, for fill
/// `next`, which is null otherwise. Copies of later fills stay in flight.
void LoopStager::createWaits(Value current, Value next) {
  for (Value fill : {current, next})
    if (channel && fill)
      tile_gpu::WaitOp::create(rewriter, loop.getLoc(), channel, fill);
}

void LoopStager::createFinishes(Value finish, Value next) {
  IRMapping mapping;
  for (StagedLoad &of : loads) {
    if (of.store || !of.mechanism.isFinishedByThreads())
      continue;
    Location loc = of.load.getLoc();
    Value extra = of.isContinued ? getStage(loc, of.buffer, next)
                  : of.extra     ? getStage(loc, of.extra, finish)
                                 : Value();
    Value dest = getStage(loc, of.buffer, finish);
    of.mechanism.finish(rewriter, of.load, cloneOffsets(of.load, mapping), dest,
                        extra);
  }
}

/// Stores the converted tiles to their circular buffers. Returns the loads from
/// which they are computed.
llvm::SetVector<Operation *> LoopStager::storeConverted(Value get,
                                                        Value finish) {
  llvm::SetVector<Operation *> toRegisters;
  for (StagedLoad &of : loads) {
    if (!of.store)
      continue;
    Location loc = of.load.getLoc();
    TileType type = of.store.getType();
    bool isPadded =
        type.getShared().getBox() != SmallVector<int64_t>(type.getShape());
    ConvertedLoad converted = *findStoredLoad(of.store);
    toRegisters.insert(of.load);
    toRegisters.insert_range(converted.repeated);
    for (Operation *op : converted.ops)
      prepare(op);
    rewriter.setInsertionPoint(of.store);
    prepare([&] {
      tile_gpu::StoreSharedOp::create(rewriter, loc, of.store.getSource(),
                                      getStage(loc, of.buffer, finish),
                                      isPadded);
    });
    rewriter.replaceOpWithNewOp<tile_gpu::FromBufferOp>(
        of.store, type, getStage(loc, of.buffer, get));
  }
  return toRegisters;
}

/// Schedules a load to registers one iteration earlier than the conversion of
/// its tile. The last such load may be outside the array, so the load loses the
/// program's assumption `in_bounds`.
void LoopStager::loadToRegisters(LoadOp load) {
  rewriter.setInsertionPoint(load);
  setStage(getFinishStage() - 1, [&] {
    IRMapping mapping;
    load.getOffsetsMutable().assign(cloneOffsets(load, mapping));
  });
  load.setInBounds(false);
  load->removeAttr(kCopyAttr);
  stages[load] = getFinishStage() - 1;
  if (finishesAhead())
    behind.insert(load);
}

void LoopStager::prepareLhs(Value finish) {
  for (Operation *op : llvm::reverse(lhs)) {
    auto *of = llvm::find_if(
        loads, [&](const StagedLoad &staged) { return staged.load == op; });
    if (of == loads.end()) {
      prepare(op);
      continue;
    }
    rewriter.setInsertionPoint(op);
    prepare([&] { replaceLoad(*of, finish); });
    loads.erase(of);
  }
}

void LoopStager::replaceLoad(StagedLoad &of, Value counter) {
  Value stage = getStage(of.load.getLoc(), of.buffer, counter);
  rewriter.replaceOpWithNewOp<tile_gpu::FromBufferOp>(
      of.load, of.load.getTileType(), stage);
}

void LoopStager::replaceLoads(Value get) {
  for (StagedLoad &of : loads) {
    if (of.store)
      continue;
    rewriter.setInsertionPoint(of.load);
    replaceLoad(of, get);
  }
}

/// Advances the iteration of the copies at the end of the body.
void LoopStager::advanceIteration(ValueRange iteration) {
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  SmallVector<Value> next = nest->getNext(rewriter, iteration);
  yield->setOperands(yield->getNumOperands() - next.size(), next.size(), next);
}

/// Advances a counter at the end of the body.
void LoopStager::advance(Value counter) {
  Operation *yield = loop.getBody()->getTerminator();
  rewriter.setInsertionPoint(yield);
  yield->setOperand(cast<BlockArgument>(counter).getArgNumber() - 1,
                    tile_gpu::NextOp::create(rewriter, loop.getLoc(), counter));
}

/// Returns the operations of the body with their stages, from zero on, in the
/// order of the steady state: those that come after the matmul are last.
std::vector<std::pair<Operation *, unsigned>> LoopStager::makeSchedule() {
  unsigned first = getLastStage();
  for (auto [op, stage] : stages)
    first = std::min(first, stage);
  std::vector<std::pair<Operation *, unsigned>> schedule;
  auto add = [&](Operation *op) {
    auto known = stages.find(op);
    unsigned stage = known == stages.end() ? getLastStage() : known->second;
    schedule.push_back({op, stage - first});
  };
  for (Operation &op : loop.getBody()->without_terminator())
    if (!behind.contains(&op))
      add(&op);
  llvm::for_each(behind, add);
  return schedule;
}

StagedLoop LoopStager::run() {
  lhs = findPreparedLhs(loop);
  size_t numResults = loop.getNumResults();
  rewriter.setInsertionPoint(nest ? nest->getOuter() : loop);
  createBuffers();
  createChannels();
  if (nest)
    addNest();
  else
    addCounters();
  Block *body = loop.getBody();
  auto carried = loop.getRegionIterArgs().drop_front(numResults);
  Value put = carried[0], get = carried[1],
        finish = finishesAhead() ? carried[2] : get,
        next = continues() ? carried.back() : Value();
  SmallVector<Value> iteration;
  if (nest)
    iteration =
        llvm::to_vector_of<Value>(carried.drop_front(finishesAhead() ? 3 : 2));

  // Copies and shifts clone the operations of their offsets, so they are
  // created while those operations exist.
  Operation *first = &body->front(), *yield = body->getTerminator();
  bool isBehind = numStages >= kMinStagesBehind;
  setStage(getFinishStage(), [&] {
    rewriter.setInsertionPoint(first);
    createWaits(finish, next);
  });
  setStage(nest ? getLastStage() : 0, [&] {
    rewriter.setInsertionPoint(isBehind ? yield : first);
    createCopies(put, iteration);
    advance(put);
  });
  if (nest)
    advanceIteration(iteration);
  setStage(getFinishStage(), [&] {
    rewriter.setInsertionPoint(finishesAhead() ? yield : first);
    createFinishes(finish, next);
    if (finishesAhead())
      advance(finish);
    if (next)
      advance(next);
  });
  for (Operation *load : storeConverted(get, finish))
    loadToRegisters(cast<LoadOp>(load));
  prepareLhs(finish);
  replaceLoads(get);
  advance(get);
  return {loop, makeSchedule(), channel};
}

StagedLoop tile::stageLoads(RewriterBase &rewriter, scf::ForOp loop,
                            int64_t numStages, std::optional<CopyNest> nest) {
  return LoopStager(rewriter, loop, numStages, std::move(nest)).run();
}
