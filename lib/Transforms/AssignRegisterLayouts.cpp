// AssignRegisterLayouts.cpp - one layout for all that is joined elementwise
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each value takes the layout of its class (LayoutClasses.h). Operations that
// relate two classes (transpose, reduce, scan, sort, broadcast, reshape,
// accesses by index) know what layout follows from the one side for the other,
// and a tile.convert_layout is inserted where the class has another.

#include "AssignLayouts.h"
#include "CombiningOps.h"
#include "LayoutClasses.h"
#include "SortLayout.h"

#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/Occupancy.h"
#include "tile/Layout/Chunks.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Making mismatches visible
//===----------------------------------------------------------------------===//

static Value convert(OpBuilder &builder, Location loc, Value value,
                     const RegisterLayout &layout) {
  auto type = cast<TileType>(value.getType());
  RegisterAttr current = type.getRegister();
  if (current && current.isResolved() &&
      current.getRegisterLayout().isEquivalent(layout))
    return value;
  auto attr = RegisterAttr::get(type.getContext(), layout);
  return ConvertLayoutOp::create(builder, loc, type.withStorage(attr), value);
}

/// Gives the result the layout that the operation leaves, and its users the
/// class's.
static void setResult(OpResult result, const RegisterLayout &made,
                      TileType wanted) {
  Operation *op = result.getOwner();
  if (wanted.getRegister().getRegisterLayout().isEquivalent(made)) {
    result.setType(wanted);
    return;
  }
  result.setType(wanted.withStorage(RegisterAttr::get(op->getContext(), made)));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto converted =
      ConvertLayoutOp::create(builder, op->getLoc(), wanted, result);
  result.replaceAllUsesExcept(converted, converted);
}

/// The layout of per-warp partial results: the axis counts its warps, and then
/// chunks.
static RegisterLayout partialLayout(const RegisterLayout &source, int64_t axis,
                                    int64_t chunks) {
  RegisterLayout::Modes warps = source.getModes(RegisterLayout::kWarp);
  SmallVector<RegisterMode *> along;
  for (RegisterMode &mode : warps)
    if (mode.dim == axis)
      along.push_back(&mode);
  llvm::sort(along, [](RegisterMode *a, RegisterMode *b) {
    return a->step < b->step;
  });
  int64_t count = 1;
  for (RegisterMode *mode : along) {
    mode->step = count;
    count *= mode->extent;
  }
  RegisterLayout squeezed = source.squeezeDimension(axis);
  std::vector<int64_t> box = squeezed.getBox();
  box[axis] = count * chunks;
  RegisterLayout::Modes values = squeezed.getModes(RegisterLayout::kValue);
  values.push_back({chunks, axis, count});
  return RegisterLayout::fromModes(squeezed.getModes(RegisterLayout::kLane),
                                   warps, values, box);
}

/// The layout in which each thread holds all partial results of its elements.
static RegisterLayout gatheredLayout(const RegisterLayout &partial,
                                     int64_t axis) {
  RegisterLayout squeezed = partial.squeezeDimension(axis);
  RegisterLayout::Modes values = squeezed.getModes(RegisterLayout::kValue);
  values.push_back({partial.getBox()[axis], axis, 1});
  return RegisterLayout::fromModes(squeezed.getModes(RegisterLayout::kLane),
                                   squeezed.getModes(RegisterLayout::kWarp),
                                   values, partial.getBox());
}

/// Per-warp partial results of an operation's sources, of all chunks or of
/// each, in every thread for its rows.
static SmallVector<Value> combineWarps(OpBuilder &builder,
                                       CombiningOpInterface op, int64_t axis,
                                       int64_t chunks) {
  Location loc = op.getLoc();
  RegisterLayout source = cast<TileType>(op.getSources().front().getType())
                              .getRegister()
                              .getRegisterLayout();
  RegisterLayout partial = partialLayout(source, axis, chunks);
  auto types =
      llvm::map_to_vector(op.getSources().getTypes(), [&](Type type) -> Type {
        auto tile = cast<TileType>(type);
        SmallVector<int64_t> shape(tile.getShape());
        shape[axis] = partial.getBox()[axis];
        return TileType::get(op.getContext(), shape, tile.getElementType(),
                             RegisterAttr::get(op.getContext(), partial));
      });
  auto combined = PartialReduceOp::create(
      builder, loc, types, op.getKindAttr(), op.getSources(),
      op.getIdentitiesAttr(), builder.getI64IntegerAttr(axis),
      op.isCommutative() && !op.getKindAttr() ? builder.getUnitAttr()
                                              : UnitAttr(),
      op->getNumRegions());
  copyCombiner(op, combined);
  return llvm::map_to_vector(combined.getResults(), [&](Value value) {
    return convert(builder, loc, value, gatheredLayout(partial, axis));
  });
}

/// Brings the sources to the layout in which they are combined.
static RegisterLayout convertSources(CombiningOpInterface op, int64_t axis) {
  OpBuilder builder(op);
  auto type = cast<TileType>(op.getSources().front().getType());
  RegisterLayout layout =
      getCombiningLayout(op, axis, type.getRegister().getRegisterLayout());
  for (OpOperand &source : op->getOpOperands())
    source.set(convert(builder, op.getLoc(), source.get(), layout));
  return layout;
}

static void setResults(Operation *op, const RegisterLayout &made,
                       ArrayRef<TileType> wanted) {
  for (auto [result, type] : llvm::zip_equal(op->getResults(), wanted))
    setResult(result, made, type);
}

static void rewriteReduce(ReduceOp op, ArrayRef<TileType> wanted) {
  int64_t axis = *op.getAxis();
  RegisterLayout layout = convertSources(op, axis);
  if (layout.getExtent(RegisterLayout::kWarp, axis) > 1) {
    OpBuilder builder(op);
    op.getSourcesMutable().assign(
        combineWarps(builder, op, axis, /*chunks=*/1));
    layout = cast<TileType>(op.getSources().front().getType())
                 .getRegister()
                 .getRegisterLayout();
  }
  setResults(op, layout.dropDimension(axis), wanted);
}

static void rewriteScan(ScanOp op, ArrayRef<TileType> wanted) {
  int64_t axis = *op.getAxis();
  RegisterLayout layout = convertSources(op, axis);
  int64_t chunks = getNumChunks(layout, axis);
  if (chunks == 1 && layout.getExtent(RegisterLayout::kWarp, axis) == 1)
    return setResults(op, layout, wanted);
  OpBuilder builder(op);
  auto scan = PartialScanOp::create(
      builder, op.getLoc(), op.getSources().getTypes(), op.getKindAttr(),
      op.getSources(), combineWarps(builder, op, axis, chunks),
      op.getIdentitiesAttr(), op.getAxisAttr(), op.getExclusiveAttr(),
      op.getReverseAttr(), op->getNumRegions());
  copyCombiner(op, scan);
  op->replaceAllUsesWith(scan.getResults());
  op->erase();
  setResults(scan, layout, wanted);
}

/// The pairs at the begin of a network's steps that are all within the warps of
/// a layout, or all not.
static ArrayRef<int64_t> getStepsAlike(ArrayRef<int64_t> steps,
                                       const RegisterLayout &layout,
                                       int64_t axis) {
  auto isWithin = [&](size_t step) {
    return isWithinWarps(layout, axis, int64_t(1) << steps[step + 1]);
  };
  size_t count = 0;
  while (count < steps.size() && isWithin(count) == isWithin(0))
    count += 2;
  return steps.take_front(count);
}

/// Cuts a network into parts within warps. Where it goes from warp to warp,
/// those along the axis change places with lanes.
static void rewritePartialSort(PartialSortOp op, ArrayRef<TileType> wanted) {
  OpBuilder builder(op);
  int64_t axis = op.getAxis();
  auto type = cast<TileType>(op.getSources().front().getType());
  RegisterLayout layout = getSortLayout(type.getRegister().getRegisterLayout(),
                                        type.getShape(), axis);
  RegisterLayout exchanged = exchangeWarps(layout, axis);
  PartialSortOp part;
  SmallVector<Value> tiles(op.getSources());
  ArrayRef<int64_t> left = op.getSteps();
  do {
    ArrayRef<int64_t> steps = getStepsAlike(left, layout, axis);
    left = left.drop_front(steps.size());
    bool isWithin =
        steps.empty() || isWithinWarps(layout, axis, int64_t(1) << steps[1]);
    for (Value &tile : tiles)
      tile = convert(builder, op.getLoc(), tile, isWithin ? layout : exchanged);
    part = PartialSortOp::create(builder, op.getLoc(), TypeRange(tiles), tiles,
                                 axis, steps);
    tiles = llvm::to_vector_of<Value>(part.getResults());
  } while (!left.empty());
  op->replaceAllUsesWith(part.getResults());
  op->erase();
  // The last step, of neighbours, is within the layout's warps.
  setResults(part, layout, wanted);
}

/// Makes an operation's result in shared memory, and loads it from there.
static void setSharedResult(Operation *op, TileType wanted) {
  SharedAttr shared = getAnyShared(op->getContext());
  Value result = op->getResult(0);
  result.setType(wanted.withStorage(shared));
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto loaded = ConvertLayoutOp::create(builder, op->getLoc(), wanted, result);
  result.replaceAllUsesExcept(loaded, loaded);
}

/// An insert or put: elements are written into a copy of the tile.
template <typename Op>
static void rewriteInsert(Op op, TileType wanted) {
  OpBuilder builder(op);
  SharedAttr shared = getAnyShared(op.getContext());
  op.getDestMutable().assign(ConvertLayoutOp::create(
      builder, op.getLoc(), op.getDest().getType().withStorage(shared),
      op.getDest()));
  setSharedResult(op, wanted);
}

static void rewriteReshape(ReshapeOp op, TileType wanted) {
  auto type = op.getSource().getType();
  std::optional<RegisterLayout> made =
      reshapeLayout(type.getRegister().getRegisterLayout(), type.getShape(),
                    wanted.getShape());
  if (made)
    return setResult(op->getResult(0), *made, wanted);
  // Through shared memory, where row-major order is the address.
  OpBuilder builder(op);
  SharedAttr shared = getAnyShared(op.getContext());
  op.getSourceMutable().assign(ConvertLayoutOp::create(
      builder, op.getLoc(), type.withStorage(shared), op.getSource()));
  setSharedResult(op, wanted);
}

/// Brings what a thread has and yields to the thread.
static void rewritePerThread(PerThreadOp op, int64_t numWarps,
                             ArrayRef<TileType> wanted) {
  OpBuilder builder(op);
  for (OpOperand &input : op->getOpOperands())
    input.set(convert(
        builder, op.getLoc(), input.get(),
        getThreadLayout(getTileShape(input.get().getType()), numWarps)));
  for (auto [result, type] : llvm::zip_equal(op->getResults(), wanted))
    setResult(result, getThreadLayout(type.getShape(), numWarps), type);
}

/// Brings the indices of an access to the threads that need them.
static void convertIndices(IndexedOpInterface op) {
  auto type = cast<TileType>(op.getIndexedTile().getType());
  OpOperand &indices = op.getIndicesMutable();
  OpBuilder builder(op);
  indices.set(convert(builder, op.getLoc(), indices.get(),
                      broadcastSource(type.getRegister().getRegisterLayout(),
                                      getTileShape(indices.get().getType()),
                                      type.getShape())));
}

/// Brings operands and result of one operation to layouts that it can do.
static void rewriteOperation(Operation *op, LayoutClasses &classes,
                             const Architecture &architecture,
                             ArrayRef<TileType> wanted) {
  OpBuilder builder(op);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    RegisterLayout source =
        transpose.getSource().getType().getRegister().getRegisterLayout();
    return setResult(op->getResult(0),
                     source.transpose(transpose.getPermutation().vec()),
                     wanted[0]);
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return rewriteReduce(reduce, wanted);
  if (auto scan = dyn_cast<ScanOp>(op))
    return rewriteScan(scan, wanted);
  if (auto sort = dyn_cast<PartialSortOp>(op))
    return rewritePartialSort(sort, wanted);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return rewriteReshape(reshape, wanted[0]);
  if (auto insert = dyn_cast<InsertOp>(op))
    return rewriteInsert(insert, wanted[0]);
  if (auto put = dyn_cast<PutOp>(op))
    return rewriteInsert(put, wanted[0]);
  if (isa<JoinOp>(op))
    return setSharedResult(op, wanted[0]);
  if (auto broadcast = dyn_cast<BroadcastOp>(op)) {
    RegisterLayout needed = broadcastSource(
        wanted[0].getRegister().getRegisterLayout(),
        broadcast.getSource().getType().getShape(), wanted[0].getShape());
    broadcast.getSourceMutable().assign(
        convert(builder, op->getLoc(), broadcast.getSource(), needed));
    return;
  }
  if (auto matmul = dyn_cast<MatmulOp>(op)) {
    Tiling tiling = getTiling(matmul, architecture);
    for (int operand : {0, 1})
      if (isInRegisters(matmul->getOperand(operand)))
        matmul->setOperand(
            operand, convert(builder, op->getLoc(), matmul->getOperand(operand),
                             getOperandLayout(matmul, operand, tiling,
                                              classes.getNumWarps())));
    RegisterLayout layout = getAccumulatorLayout(tiling, classes.getNumWarps());
    matmul.getAccMutable().assign(
        convert(builder, op->getLoc(), matmul.getAcc(), layout));
    setResult(op->getResult(0), layout, wanted[0]);
    // The accumulator has the result's type, not only its layout.
    if (matmul.getAcc().getType() != matmul.getType())
      matmul.getAccMutable().assign(ConvertLayoutOp::create(
          builder, op->getLoc(), matmul.getType(), matmul.getAcc()));
  }
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

/// What a cache moves at least (CUDA C++ Best Practices Guide, "Coalesced
/// Access to Global Memory").
static constexpr int64_t kSectorBytes = 32;
/// The part of a block's shared memory that a tile may take on its way to an
/// array.
static constexpr int64_t kMaxScratchShare = 3;

/// Bytes side by side along a dimension that a warp has in one access.
static int64_t getRunBytes(const RegisterLayout &layout, int64_t dim,
                           Type element) {
  int64_t run = layout.getContiguity(dim);
  for (const RegisterMode &mode : layout.getModes(RegisterLayout::kLane))
    if (mode.dim == dim && mode.step == run)
      run *= mode.extent;
  return run * getElementBytes(element);
}

/// The layout for a store whose warps would write parts of sectors, as those of
/// a product's f16 do; none where it would write no more at a time.
static std::optional<RegisterLayout>
getWideLayout(StoreOp store, LayoutClasses &classes,
              const Architecture &architecture) {
  Value value = store.getValue();
  auto type = cast<TileType>(value.getType());
  auto array = cast<MemRefType>(store.getDest().getType());
  std::optional<int64_t> dim = getContiguousDimension(array, type.getRank());
  int64_t bytes = getElementBytes(type.getElementType());
  if (!dim || !isInRegisters(value) || classes.isDeclared(value) ||
      type.getNumElements() * bytes * kMaxScratchShare >
          getSharedBytesLimit(store->getParentOfType<KernelOp>(), architecture))
    return std::nullopt;
  RegisterLayout wide = classes.fromAccess(store);
  bool isPart = getRunBytes(classes.layoutOf(value), *dim,
                            type.getElementType()) < kSectorBytes;
  bool isWide = wide.getContiguity(*dim) * bytes == kMaxAccessBytes &&
                getRunBytes(wide, *dim, type.getElementType()) >= kSectorBytes;
  if (!isPart || !isWide)
    return std::nullopt;
  return wide;
}

void tile::assignRegisterLayouts(KernelOp kernel,
                                 const Architecture &architecture) {
  LayoutClasses classes(kernel, architecture);
  classes.build();
  SmallVector<std::pair<StoreOp, RegisterLayout>> stores;
  kernel.walk([&](StoreOp store) {
    if (auto wide = getWideLayout(store, classes, architecture))
      stores.push_back({store, *wide});
  });
  SmallVector<std::pair<Value, TileType>> types;
  for (Value value : classes.getValues())
    types.push_back({value, classes.typeOf(value)});
  llvm::MapVector<Operation *, SmallVector<TileType>> operations;
  for (auto &[value, type] : types) {
    value.setType(type);
    if (auto constant = value.getDefiningOp<arith::ConstantOp>())
      constant.setValueAttr(DenseElementsAttr::getFromRawBuffer(
          type, cast<DenseElementsAttr>(constant.getValue()).getRawData()));
    if (Operation *op = value.getDefiningOp())
      operations[op].push_back(type);
  }
  for (auto &[op, wanted] : operations)
    rewriteOperation(op, classes, architecture, wanted);
  kernel.walk([&](PerThreadOp op) {
    rewritePerThread(op, classes.getNumWarps(), operations.lookup(op));
  });
  kernel.walk(convertIndices);
  for (auto &[store, layout] : stores) {
    OpBuilder builder(store);
    store.getValueMutable().assign(
        convert(builder, store.getLoc(), store.getValue(), layout));
  }
}
