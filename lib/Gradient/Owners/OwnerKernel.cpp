// OwnerKernel.cpp - builds the kernels of a plan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnerKernel.h"

#include "../AccessBox.h"
#include "../ArgumentRoles.h"
#include "../AscendingLoops.h"
#include "../HoistLoads.h"
#include "../SimplifyGradient.h"
#include "../Sums/HoistFactors.h"
#include "../Sums/SumsLast.h"
#include "Copies.h"
#include "HeldTiles.h"
#include "KeptResults.h"
#include "NarrowSteps.h"
#include "PartialSums.h"
#include "PrefetchLoads.h"
#include "RecordPlan.h"
#include "WidenTiles.h"

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/DiscardableAttrs.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

namespace {
/// Cuts the kernel of a plan from the whole one, step by step.
class OwnerKernel {
public:
  OwnerKernel(const WholeKernel &whole, const KernelPlan &plan, StringRef name,
              LaunchFunction &host, ZeroKernels &zeros)
      : whole(whole), plan(plan), name(name), host(host), zeros(zeros),
        passed(whole.passed), extents(host.getGrid()) {}

  void build();

private:
  void cloneKernel();
  void loadKeptResults();
  void eraseOtherWrites();
  void promoteLoops();
  void skipPrograms(Value index, Value count);
  void widen(AtomicRMWOp update, Value index, Value &extent);
  void loopOverAxes();
  void addInSerial();
  void addInCopies();
  void sumUpdates();
  void divideLoop();
  void launchParts();
  std::string getSumName(size_t index) const;
  void launch(KernelOp launched, ArrayRef<Value> grid);

  Axis takeAxis();
  Value addArgument(Type type, Value value, StringRef name);
  void replaceAxis(Axis axis, Value index, Value count);

  const WholeKernel &whole;
  const KernelPlan &plan;
  StringRef name;
  LaunchFunction &host;
  ZeroKernels &zeros;
  SmallVector<Value> passed;
  /// The extents of the grid, values of the host.
  SmallVector<Value> extents;

  KernelOp kernel;
  /// Axes that no program index uses.
  SmallVector<Axis> freeAxes;
  /// The loop over the programs of `plan.looped`, and, with partial sums, the
  /// axis of the parts.
  scf::ForOp loop;
  std::optional<Axis> partAxis;
  /// The number of iterations of the loop, a value of the host.
  Value total;
  /// The stores of `plan.summed`. With a loop, the sums before they are rounded
  /// are its results.
  SmallVector<StoreOp> stores;
  /// The copies of `plan.copied`, values of the host.
  SmallVector<Value> copies;
};
} // namespace

static unsigned getPosition(Axis axis) { return static_cast<unsigned>(axis); }

//===----------------------------------------------------------------------===//
// The part of the whole kernel
//===----------------------------------------------------------------------===//

/// Copies the whole kernel. Its grid is that of its launch. Gradients need one
/// of the programs that differ along an unused axis.
void OwnerKernel::cloneKernel() {
  OpBuilder builder(whole.kernel);
  kernel = cast<KernelOp>(builder.clone(*whole.kernel));
  kernel.setSymName(name);
  bool hasOwnGrid = plan.looped.empty() && !plan.promotesLoops;
  if (!hasOwnGrid)
    kernel.removeGridAttr();
  if (plan.isOriginal())
    return;
  for (Axis axis : {Axis::x, Axis::y, Axis::z})
    if (!llvm::is_contained(whole.axes, axis)) {
      freeAxes.push_back(axis);
      ImplicitLocOpBuilder b(kernel.getLoc(), builder);
      b.setInsertionPointToStart(&kernel.getBody().front());
      replaceAxis(axis, arith::ConstantIndexOp::create(b, 0),
                  arith::ConstantIndexOp::create(b, 1));
      extents[getPosition(axis)] =
          arith::ConstantIndexOp::create(host.getBuilder(), 1);
    } else if (llvm::is_contained(plan.looped, axis)) {
      freeAxes.push_back(axis);
    }
}

/// Loads results of loops, unless this is the kernel that stores them.
void OwnerKernel::loadKeptResults() {
  if (plan.keepsValues)
    return;
  for (unsigned i = whole.firstKept; i < kernel.getNumArguments(); ++i)
    loadResult(kernel.getArgument(i));
}

void OwnerKernel::eraseOtherWrites() {
  for (unsigned array : whole.gradients)
    if (!plan.updates(array))
      eraseWrites(kernel.getArgument(array));
  if (!plan.storesOutputs)
    for (unsigned array : whole.outputs)
      eraseWrites(kernel.getArgument(array));
  eraseDeadOperations(kernel);
  ascendLoops(kernel);
  // An array of states that nothing loads is not stored, either.
  for (unsigned i = whole.firstStates; i < whole.firstKept; ++i) {
    Value states = kernel.getArgument(i);
    if (!isa<MemRefType>(states.getType()))
      continue; // the length of a segment
    bool isLoaded = llvm::any_of(
        states.getUsers(), [](Operation *user) { return isa<LoadOp>(user); });
    if (!isLoaded)
      eraseWrites(states);
  }
  eraseDeadOperations(kernel);
}

//===----------------------------------------------------------------------===//
// Axes
//===----------------------------------------------------------------------===//

Axis OwnerKernel::takeAxis() {
  Axis axis = freeAxes.front();
  freeAxes.erase(freeAxes.begin());
  return axis;
}

Value OwnerKernel::addArgument(Type type, Value value, StringRef argumentName) {
  unsigned index = kernel.getNumArguments();
  Builder builder(kernel.getContext());
  auto attributes = builder.getDictionaryAttr(builder.getNamedAttr(
      kArgumentNameAttr, builder.getStringAttr(argumentName)));
  (void)kernel.insertArgument(index, type, attributes, kernel.getLoc());
  passed.push_back(value);
  return kernel.getArgument(index);
}

/// Replaces the index of the program along an axis, and the axis' extent.
void OwnerKernel::replaceAxis(Axis axis, Value index, Value count) {
  SmallVector<Operation *> replaced;
  kernel.walk([&](ProgramIdOp id) {
    if (id.getAxis() == axis) {
      id.getResult().replaceAllUsesWith(index);
      replaced.push_back(id);
    }
  });
  kernel.walk([&](NumProgramsOp programs) {
    if (programs.getAxis() == axis) {
      programs.getResult().replaceAllUsesWith(count);
      replaced.push_back(programs);
    }
  });
  for (Operation *op : replaced)
    op->erase();
}

/// Makes each loop around the updates an axis of the grid: the program runs one
/// iteration. The transposed program's loops run from 0 by 1.
void OwnerKernel::promoteLoops() {
  unsigned array = plan.summed.front();
  AtomicRMWOp original = listUpdates(whole.kernel, array).front();
  AtomicRMWOp update = listUpdates(kernel, array).front();
  IRRewriter rewriter(kernel.getContext());
  for (Operation *op = original->getParentOp(); op != whole.kernel;
       op = op->getParentOp()) {
    Axis axis = takeAxis();
    Value &extent = extents[getPosition(axis)];
    extent = host.getRange(cast<scf::ForOp>(op).getUpperBound())->high;
    auto around = cast<scf::ForOp>(update->getParentOp());
    rewriter.setInsertionPoint(loop ? loop.getOperation() : around);
    Value index = ProgramIdOp::create(rewriter, op->getLoc(), axis);
    if (!isUniform(around.getUpperBound()))
      skipPrograms(index, around.getUpperBound());
    rewriter.eraseOp(around.getBody()->getTerminator());
    rewriter.inlineBlockBefore(around.getBody(), around, {index});
    rewriter.eraseOp(around);
    bool isOnly = plan.summed.size() == 1 && op == original->getParentOp() &&
                  isa<KernelOp>(op->getParentOp()) &&
                  llvm::is_contained(whole.extensible, array);
    if (isOnly)
      widen(update, index, extent);
  }
}

/// Makes the loop start at the first program that runs the iteration `index`.
/// The number of iterations, `count`, grows with the program's index, so that
/// all later programs run it, too, and a binary search finds the first one.
void OwnerKernel::skipPrograms(Value index, Value count) {
  SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.filter = [&](Operation *op) { return loop->isProperAncestor(op); };
  options.inclusive = true;
  (void)getBackwardSlice(count, &slice, options);
  ImplicitLocOpBuilder b(count.getLoc(), count.getContext());
  b.setInsertionPoint(loop);
  Type type = b.getIndexType();
  // The programs from `low` to before `high` may or may not run it.
  auto search = scf::WhileOp::create(
      b, TypeRange{type, type},
      ValueRange{loop.getLowerBound(), loop.getUpperBound()},
      [](OpBuilder &builder, Location loc, ValueRange range) {
        Value goesOn = arith::CmpIOp::create(
            builder, loc, arith::CmpIPredicate::slt, range[0], range[1]);
        scf::ConditionOp::create(builder, loc, goesOn, range);
      },
      [&](OpBuilder &builder, Location loc, ValueRange range) {
        Value one = arith::ConstantIndexOp::create(builder, loc, 1);
        Value sum = arith::AddIOp::create(builder, loc, range[0], range[1]);
        Value middle = arith::ShRUIOp::create(builder, loc, sum, one);
        IRMapping mapping;
        mapping.map(loop.getInductionVar(), middle);
        for (Operation *op : slice)
          builder.clone(*op, mapping);
        Value isSkipped =
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle,
                                  mapping.lookupOrDefault(count), index);
        Value next = arith::AddIOp::create(builder, loc, middle, one);
        Value low =
            arith::SelectOp::create(builder, loc, isSkipped, next, range[0]);
        Value high =
            arith::SelectOp::create(builder, loc, isSkipped, range[1], middle);
        scf::YieldOp::create(builder, loc, ValueRange{low, high});
      });
  loop.setLowerBound(search.getResult(0));
}

/// Makes a program compute several iterations by larger tiles, if it can.
/// `index` is the iteration, the index of the program, of which there are
/// `extent`.
void OwnerKernel::widen(AtomicRMWOp update, Value index, Value &extent) {
  int64_t factor = widenTiles(kernel, index, update);
  if (factor == 1)
    return;
  ImplicitLocOpBuilder b(index.getLoc(), index.getContext());
  b.setInsertionPointAfterValue(index);
  Value wide = arith::ConstantIndexOp::create(b, factor);
  Value first = arith::MulIOp::create(b, index, wide);
  index.replaceAllUsesExcept(first, first.getDefiningOp());
  ImplicitLocOpBuilder &h = host.getBuilder();
  extent = arith::CeilDivSIOp::create(
      h, extent, arith::ConstantIndexOp::create(h, factor));
}

/// Runs the program once for each program along the axes that become a loop.
void OwnerKernel::loopOverAxes() {
  if (plan.looped.empty())
    return;
  Block &body = kernel.getBody().front();
  SmallVector<Operation *> operations;
  for (Operation &op : body.without_terminator())
    operations.push_back(&op);
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  ImplicitLocOpBuilder &h = host.getBuilder();
  b.setInsertionPoint(body.getTerminator());
  Value last = arith::ConstantIndexOp::create(b, 1);
  total = arith::ConstantIndexOp::create(h, 1);
  SmallVector<Value> counts;
  for (Axis axis : plan.looped) {
    Value &extent = extents[getPosition(axis)];
    counts.push_back(addArgument(b.getIndexType(), extent,
                                 "programs_" + stringifyAxis(axis).str()));
    last = arith::MulIOp::create(b, last, counts.back());
    total = arith::MulIOp::create(h, total, extent);
    extent = arith::ConstantIndexOp::create(h, 1);
  }
  loop = scf::ForOp::create(b, arith::ConstantIndexOp::create(b, 0), last,
                            arith::ConstantIndexOp::create(b, 1));
  for (Operation *op : operations)
    op->moveBefore(loop.getBody()->getTerminator());
  b.setInsertionPointToStart(loop.getBody());
  Value rest = loop.getInductionVar();
  SmallVector<Value> indices;
  for (auto [axis, count] : llvm::zip_equal(plan.looped, counts)) {
    bool isLast = axis == plan.looped.back();
    indices.push_back(
        isLast ? rest : arith::RemUIOp::create(b, rest, count).getResult());
    if (!isLast)
      rest = arith::DivUIOp::create(b, rest, count);
  }
  // This erases operations of the body, also the one at the insertion point.
  for (auto [axis, index, count] :
       llvm::zip_equal(plan.looped, indices, counts))
    replaceAxis(axis, index, count);
}

/// Divides the iterations of the loop among programs along an axis, as many as
/// the tiles that each holds have room on the GPU. Neighbouring programs run
/// neighbouring iterations at a time, as those of the original kernel do, so
/// that the memory accesses of a moment are close to each other.
void OwnerKernel::divideLoop() {
  ResidentBlocks resident = chooseResidentBlocks(kernel, loop);
  if (!plan.copied.empty()) // Each part has copies of whole arrays.
    resident.count = std::min<int64_t>(resident.count, 2);
  kernel.setBlock(resident.threads);
  if (!kernel->hasAttr(kBlocksPerProcessorAttr))
    kernel->setAttr(
        kBlocksPerProcessorAttr,
        Builder(kernel.getContext()).getI64IntegerAttr(resident.count));
  partAxis = takeAxis();
  Value owners = arith::ConstantIndexOp::create(host.getBuilder(), 1);
  for (Value extent : extents)
    owners = arith::MulIOp::create(host.getBuilder(), owners, extent);
  Value parts = createPartCount(host, total, owners, resident.count);
  for (unsigned array : plan.copied)
    parts = limitCopies(host, host.getArgument(array), parts);
  extents[getPosition(*partAxis)] = parts;
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  b.setInsertionPoint(loop);
  loop.setLowerBound(ProgramIdOp::create(b, *partAxis));
  loop.setStep(NumProgramsOp::create(b, *partAxis));
}

//===----------------------------------------------------------------------===//
// Updates
//===----------------------------------------------------------------------===//

/// Adds to the array in program order.
void OwnerKernel::addInSerial() {
  for (unsigned array : plan.serial)
    for (AtomicRMWOp update : listUpdates(kernel, array)) {
      ValueBuilder b(update.getLoc(), update.getContext());
      b.setInsertionPoint(update);
      Value array = update.getDest();
      Value sum = b.add(loadBox(b, update, array), update.getValue());
      storeBox(b, update, sum, array);
      update->erase();
    }
}

/// Adds to the copy of the part, in program order.
void OwnerKernel::addInCopies() {
  for (unsigned array : plan.copied) {
    copies.push_back(allocateCopies(host, host.getArgument(array),
                                    extents[getPosition(*partAxis)]));
    zeros.launch(copies.back());
    Value argument = addArgument(copies.back().getType(), copies.back(),
                                 getInputName(kernel, array) + "__copies");
    ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
    b.setInsertionPointToStart(&kernel.getBody().front());
    Value part = ProgramIdOp::create(b, *partAxis);
    for (AtomicRMWOp update : listUpdates(kernel, array))
      addToCopy(update, argument, part);
  }
}

/// Returns the elements that an update adds, zero where its mask is false
/// unless the mask can be that of the store after the loop.
static Value getAddend(ValueBuilder &b, AtomicRMWOp update, bool keepsMask) {
  Value value = skipRounding(update.getValue());
  if (!update.getMask() || keepsMask)
    return value;
  return b.select(update.getMask(), value, Value());
}

/// Adds up the updates over the iterations of the loop, in f32 at least, and
/// stores the sums after the loop.
void OwnerKernel::sumUpdates() {
  for (unsigned array : plan.summed) {
    AtomicRMWOp update = listUpdates(kernel, array).front();
    ValueBuilder b(update.getLoc(), update.getContext());
    b.setInsertionPoint(update);
    bool keepsMask = update.getMask() &&
                     (!loop || loop.isDefinedOutsideOfLoop(update.getMask()));
    Value addend = getAddend(b, update, keepsMask);
    Value sum = addend;
    if (loop) {
      b.setInsertionPoint(loop);
      Value zero = b.zero(getSumType(addend));
      IRRewriter rewriter(kernel.getContext());
      auto yield = [&](OpBuilder &builder, Location loc,
                       ArrayRef<BlockArgument> carried) {
        ValueBuilder inside(loc, builder.getContext());
        inside.setInsertionPoint(builder.getInsertionBlock(),
                                 builder.getInsertionPoint());
        return SmallVector<Value>{
            inside.accumulate(carried.back(), addend, addend.hasOneUse())};
      };
      loop = cast<scf::ForOp>(*loop.replaceWithAdditionalYields(
          rewriter, ValueRange{zero}, /*replaceInitOperandUsesInLoop=*/false,
          yield));
      b.setInsertionPointAfter(loop);
      sum = loop.getResults().back();
    }
    bool keepsBounds = update.getInBounds() && (!update.getMask() || keepsMask);
    auto store = StoreOp::create(
        b, b.cast(sum, getElementType(update.getValue().getType())),
        update.getDest(), update.getOffsets(),
        keepsMask ? update.getMask() : Value(), keepsBounds,
        update.getDimsAttr());
    update->erase();
    stores.push_back(store);
  }
}

/// Returns the name of a kernel that adds up parts.
std::string OwnerKernel::getSumName(size_t index) const {
  bool isOnly = !stores.empty() + copies.size() == 1;
  return (name + "__sum").str() + (isOnly ? "" : std::to_string(index));
}

/// Makes programs store parts of the sums, and launches the kernel before those
/// that add the parts up.
void OwnerKernel::launchParts() {
  PartialKernel partial{kernel, std::nullopt, *partAxis, extents, passed};
  for (Axis axis : whole.axes)
    if (!llvm::is_contained(plan.looped, axis))
      partial.owner = axis;
  SmallVector<PartialSum> sums;
  for (auto [index, store] : llvm::enumerate(stores))
    sums.push_back({store, loop.getResult(index)});
  std::optional<SumKernel> sum;
  if (!sums.empty())
    sum = splitSums(partial, sums, getSumName(0), host);
  passed = partial.passed;
  prefetchLoads(loop);
  launch(kernel, extents);
  if (sum)
    launch(sum->kernel, sum->extents);
  for (auto [index, copied] : llvm::enumerate(copies))
    launchSumOfCopies(kernel, getSumName(!sums.empty() + index), host, copied,
                      host.getArgument(plan.copied[index]));
}

void OwnerKernel::launch(KernelOp launched, ArrayRef<Value> grid) {
  eraseDeadOperations(launched);
  hoistFactors(launched);
  moveSumsLast(launched);
  SmallVector<Value> values(
      ArrayRef(passed).take_front(launched.getNumArguments()));
  eraseUnusedArguments(launched, launched.getNumArguments(), values);
  host.launch(launched, launched.getGrid() ? ArrayRef<Value>() : grid, values);
}

void OwnerKernel::build() {
  cloneKernel();
  loadKeptResults();
  eraseOtherWrites();
  recordPlan(kernel, plan);
  recordKeptValues(kernel, whole.firstStates, kernel.getNumArguments());
  loopOverAxes();
  if (plan.promotesLoops)
    promoteLoops();
  eraseDeadOperations(kernel);
  if (loop)
    hoistLoads(loop);
  if (plan.inParts)
    divideLoop();
  addInSerial();
  addInCopies();
  sumUpdates();
  if (loop)
    narrowSteps(loop);
  if (plan.inParts)
    launchParts();
  else
    launch(kernel, extents);
}

void tile::buildOwnerKernel(const WholeKernel &whole, const KernelPlan &plan,
                            StringRef name, LaunchFunction &host,
                            ZeroKernels &zeros) {
  OwnerKernel(whole, plan, name, host, zeros).build();
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// Returns the grid with the sources' arguments renumbered.
static GridAttr renumber(GridAttr grid, ArrayRef<int64_t> newIndices) {
  Builder builder(grid.getContext());
  SmallVector<Attribute> sources;
  for (Attribute source : grid.getSources()) {
    SmallVector<Attribute> parts(cast<ArrayAttr>(source).getValue());
    auto index = cast<IntegerAttr>(parts[0]);
    parts[0] =
        builder.getIntegerAttr(index.getType(), newIndices[index.getInt()]);
    sources.push_back(builder.getArrayAttr(parts));
  }
  return GridAttr::get(grid.getContext(), grid.getMap(),
                       builder.getArrayAttr(sources), grid.getFactors());
}

void tile::eraseUnusedArguments(KernelOp kernel, unsigned count,
                                SmallVectorImpl<Value> &passed) {
  llvm::BitVector unused(kernel.getNumArguments());
  for (unsigned i = 0; i < count; ++i)
    unused[i] = kernel.getArgument(i).use_empty();
  std::optional<GridAttr> grid = kernel.getGrid();
  if (grid)
    for (Attribute source : grid->getSources())
      unused.reset(cast<IntegerAttr>(cast<ArrayAttr>(source)[0]).getInt());
  SmallVector<int64_t> newIndices;
  for (unsigned i = 0, next = 0; i < kernel.getNumArguments(); ++i)
    newIndices.push_back(unused[i] ? -1 : next++);
  if (grid)
    kernel.setGridAttr(renumber(*grid, newIndices));
  (void)kernel.eraseArguments(unused);
  for (int i = unused.find_last(); i >= 0; i = unused.find_prev(i))
    passed.erase(passed.begin() + i);
}
