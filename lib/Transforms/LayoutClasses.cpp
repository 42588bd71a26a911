// LayoutClasses.cpp - which tiles in registers share a layout, and which one
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that must agree, operands and results of elementwise operations, what
// a loop carries, a product's accumulator and result, form a class. A class
// takes its layout from, in this order: a product in it, whose accumulator or
// operand in registers it is; a tile.per_thread; a class so decided that a
// member is broadcast, transposed or reshaped to; a reduction, a scan, a sort
// or a change of shape that defines a member, whose source is decided; a gather
// or scatter for which a member has the indices, whose elements are decided; a
// load, gather, store or scatter of a member, 16 bytes a thread along the
// array's neighbours; a transpose; a sort of a member; else rows of 16 bytes a
// thread.

#include "LayoutClasses.h"
#include "AssignLayouts.h"
#include "SortLayout.h"

#include "tile/Analysis/AccessWidth.h"
#include "tile/Analysis/Fragments.h"
#include "tile/Layout/Chunks.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tile;

bool tile::isInRegisters(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.getRegister();
}

std::optional<RegisterLayout> tile::reshapeLayout(const RegisterLayout &source,
                                                  ArrayRef<int64_t> from,
                                                  ArrayRef<int64_t> to) {
  RegisterLayout layout = source;
  size_t dim = 0;
  for (int64_t extent : from) {
    while (dim < to.size() && to[dim] == 1 && extent != 1)
      layout = layout.insertDimension(dim++);
    if (dim < to.size() && to[dim] == extent) {
      ++dim;
      continue;
    }
    if (extent != 1 || layout.getBox()[dim] != 1)
      return std::nullopt;
    layout = layout.dropDimension(dim);
  }
  for (; dim < to.size(); ++dim) {
    if (to[dim] != 1)
      return std::nullopt;
    layout = layout.insertDimension(dim);
  }
  return layout;
}

RegisterLayout tile::broadcastSource(const RegisterLayout &result,
                                     ArrayRef<int64_t> from,
                                     ArrayRef<int64_t> to) {
  RegisterLayout layout = result;
  for (size_t leading = to.size() - from.size(); leading > 0; --leading)
    layout = layout.dropDimension(0);
  ArrayRef<int64_t> kept = to.take_back(from.size());
  for (size_t dim = 0; dim < from.size(); ++dim)
    if (from[dim] == 1 && kept[dim] != 1)
      layout = layout.squeezeDimension(dim);
  return layout;
}

/// The dimension of the value along which a load finds neighbours, so that the
/// loads of a thread may be vectors.
static int64_t getLoadedDimension(Value value) {
  if (auto transpose = value.getDefiningOp<TransposeOp>())
    return llvm::find(transpose.getPermutation(),
                      getLoadedDimension(transpose.getSource())) -
           transpose.getPermutation().begin();
  if (auto cast = value.getDefiningOp<CastOp>())
    return getLoadedDimension(cast.getSource());
  int64_t rank = cast<TileType>(value.getType()).getRank();
  auto load = value.getDefiningOp<LoadOp>();
  if (!load)
    return rank - 1;
  auto array = cast<MemRefType>(load.getSource().getType());
  return getContiguousDimension(array, rank).value_or(rank - 1);
}

void LayoutClasses::collect() {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) {
    auto add = [&](Value value) {
      if (!isInRegisters(value))
        return;
      values.push_back(value);
      classes.insert(value.getAsOpaquePointer());
    };
    llvm::for_each(op->getResults(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArguments(), add);
  });
}

void LayoutClasses::joinOperation(Operation *op) {
  if (auto branch = dyn_cast<RegionBranchOpInterface>(op)) {
    RegionBranchSuccessorMapping mapping;
    branch.getSuccessorOperandInputMapping(mapping);
    for (auto &[operand, inputs] : mapping)
      for (Value input : inputs)
        join(operand->get(), input);
    return;
  }
  if (auto matmul = dyn_cast<MatmulOp>(op))
    return join(matmul.getAcc(), matmul.getResult());
  for (ArrayRef<Value> group : getLayoutGroups(op))
    for (Value value : group)
      join(group.front(), value);
}

bool LayoutClasses::isDeclared(Value value) {
  return llvm::any_of(
      classes.members(value.getAsOpaquePointer()), [](void *member) {
        Type type = Value::getFromOpaquePointer(member).getType();
        return cast<TileType>(type).getRegister().isResolved();
      });
}

RegisterLayout tile::getOperandLayout(MatmulOp op, int operand,
                                      const Tiling &tiling, int64_t numWarps) {
  int64_t k = op.getK();
  if (!tiling.instruction->isFma())
    return getFragmentLayout(tiling, operand, k, numWarps);
  Value value = op->getOperand(operand);
  auto type = cast<TileType>(value.getType());
  // A thread's vectors lie in one product of a batch.
  int64_t contiguous = std::max(getLoadedDimension(value), type.getRank() - 2);
  return getOperandPlan(tiling, operand, getOperandBox(tiling, operand, k),
                        contiguous, getElementBytes(type.getElementType()),
                        numWarps)
      .layout;
}

/// The first product of a class decides; others are converted to and from.
void LayoutClasses::seedProducts() {
  kernel.walk([&](MatmulOp op) {
    Tiling tiling = getTiling(op, architecture);
    seed(op.getResult(), getAccumulatorLayout(tiling, numWarps));
    for (int operand : {0, 1})
      if (isInRegisters(op->getOperand(operand)) &&
          !isDeclared(op->getOperand(operand)))
        seed(op->getOperand(operand),
             getOperandLayout(op, operand, tiling, numWarps));
  });
}

RegisterLayout tile::getThreadLayout(ArrayRef<int64_t> shape,
                                     int64_t numWarps) {
  RegisterLayout::Modes values;
  for (int64_t dim = shape.size(); dim-- > 1;)
    values.push_back({shape[dim], dim, 1});
  return RegisterLayout::fromModes({{kWarpSize, 0, 1}},
                                   {{numWarps, 0, kWarpSize}}, values,
                                   {shape.begin(), shape.end()});
}

/// What threads have and yield.
void LayoutClasses::seedThreads() {
  kernel.walk([&](PerThreadOp op) {
    for (ValueRange tiles :
         {ValueRange(op.getResults()), ValueRange(op.getInputs())})
      for (Value tile : tiles)
        if (!isDeclared(tile))
          seed(tile, getThreadLayout(cast<TileType>(tile.getType()).getShape(),
                                     numWarps));
  });
}

/// What a tile that is repeated or renamed must be, where the result is decided
/// by a product: users before definitions.
void LayoutClasses::seedSources() {
  kernel.walk<WalkOrder::PostOrder, mlir::ReverseIterator>([&](Operation *op) {
    if (!isa<BroadcastOp, TransposeOp, ReshapeOp>(op) ||
        !isInRegisters(op->getOperand(0)) || isDeclared(op->getOperand(0)))
      return;
    Value source = op->getOperand(0);
    const RegisterLayout *result = lookup(op->getResult(0));
    if (!result)
      return;
    ArrayRef<int64_t> from = cast<TileType>(source.getType()).getShape();
    ArrayRef<int64_t> to =
        cast<TileType>(op->getResult(0).getType()).getShape();
    std::optional<RegisterLayout> layout;
    if (auto transpose = dyn_cast<TransposeOp>(op)) {
      SmallVector<int64_t> inverse =
          invertPermutationVector(transpose.getPermutation());
      layout = result->transpose({inverse.begin(), inverse.end()});
    } else if (isa<ReshapeOp>(op)) {
      layout = reshapeLayout(*result, to, from);
    } else {
      layout = broadcastSource(*result, from, to);
    }
    if (layout)
      seed(source, *layout);
  });
}

/// Whether the result's layout follows from the source's.
static bool followsSource(Operation *op) {
  return isa_and_nonnull<ReduceOp, ScanOp, PartialSortOp, ReshapeOp>(op);
}

/// Chunks of a row up to which eleven shuffles for each take less than an
/// exchange before and after a scan.
static constexpr int64_t kMaxChunks = 4;

RegisterLayout tile::getCombiningLayout(CombiningOpInterface op, int64_t axis,
                                        const RegisterLayout &source) {
  bool isAnyOrder = isa<ReduceOp>(*op) && op.isCommutative();
  int64_t chunks = isa<ScanOp>(*op) ? getNumChunks(source, axis) : 0;
  bool isInFewChunks = 1 <= chunks && chunks <= kMaxChunks;
  if (isAnyOrder || isInFewChunks || source.isOrdered(axis))
    return source;
  auto type = cast<TileType>(op.getSources().front().getType());
  return RegisterLayout::ordered(type.getShape().vec(), axis,
                                 source.getNumWarps());
}

std::optional<RegisterLayout> LayoutClasses::fromShapeChange(Value value) {
  Operation *op = value.getDefiningOp();
  if (!followsSource(op))
    return std::nullopt;
  const RegisterLayout *source = lookup(op->getOperand(0));
  if (!source)
    return std::nullopt;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return getCombiningLayout(reduce, *reduce.getAxis(), *source)
        .dropDimension(*reduce.getAxis());
  if (auto scan = dyn_cast<ScanOp>(op))
    return getCombiningLayout(scan, *scan.getAxis(), *source);
  if (auto sort = dyn_cast<PartialSortOp>(op))
    return getSortLayout(*source, cast<TileType>(value.getType()).getShape(),
                         sort.getAxis());
  return reshapeLayout(*source,
                       cast<TileType>(op->getOperand(0).getType()).getShape(),
                       cast<TileType>(value.getType()).getShape());
}

RegisterLayout LayoutClasses::fromAccess(ArrayAccessOpInterface access) {
  auto tile = cast<TileType>(access.getAccessedTile().getType());
  std::optional<int64_t> dim = getContiguousDimension(
      cast<MemRefType>(access.getArray().getType()), tile.getRank());
  std::vector<int64_t> shape = tile.getShape().vec();
  if (!dim)
    return RegisterLayout::blocked(shape, 1, numWarps);
  int64_t vector = getAccessWidth(access);
  while (shape[*dim] % vector != 0)
    vector /= 2;
  std::vector<int64_t> order = {*dim};
  for (int64_t d = tile.getRank(); d-- > 0;)
    if (d != *dim)
      order.push_back(d);
  return RegisterLayout::blocked(shape, vector, numWarps, order);
}

/// Of indices, or what is reshaped to them: each thread has those of its
/// elements.
std::optional<RegisterLayout> LayoutClasses::fromIndexUse(Value value) {
  for (Operation *user : value.getUsers()) {
    if (auto reshape = dyn_cast<ReshapeOp>(user))
      if (std::optional<RegisterLayout> layout =
              fromIndexUse(reshape.getResult()))
        return reshapeLayout(*layout, reshape.getType().getShape(),
                             cast<TileType>(value.getType()).getShape());
    auto indexed = dyn_cast<IndexedOpInterface>(user);
    if (!indexed || indexed.getIndicesMutable().get() != value)
      continue;
    Value tile = indexed.getIndexedTile();
    decide(tile);
    if (const RegisterLayout *layout = lookup(tile))
      return broadcastSource(*layout,
                             cast<TileType>(value.getType()).getShape(),
                             cast<TileType>(tile.getType()).getShape());
  }
  return std::nullopt;
}

/// The access that a value is loaded by, perhaps to another storage; null where
/// there is none.
static ArrayAccessOpInterface findLoad(Value value) {
  if (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSource();
  auto load = value.getDefiningOp<ArrayAccessOpInterface>();
  return load && load.getAccessedTile() == value ? load
                                                 : ArrayAccessOpInterface();
}

/// What gains by a layout of adjacent elements comes first: rows, then elements
/// by indices, then those that are accessed one by one.
static int64_t getRank(ArrayAccessOpInterface access) {
  return access.isPerElement() ? 2 : isa<IndexedOpInterface>(*access) ? 1 : 0;
}

/// Of the accesses to memory that a value is loaded or stored by. Those of one
/// element each want adjacent elements in adjacent lanes.
std::optional<RegisterLayout> LayoutClasses::fromMemory(Value value) {
  ArrayAccessOpInterface best = findLoad(value);
  if (!best || best.isPerElement())
    for (Operation *user : value.getUsers()) {
      auto access = dyn_cast<ArrayAccessOpInterface>(user);
      if (access && access.getAccessedTile() == value &&
          (!best || getRank(access) < getRank(best)))
        best = access;
    }
  if (!best)
    return std::nullopt;
  return fromAccess(best);
}

std::optional<RegisterLayout> LayoutClasses::fromTranspose(Value value) {
  auto op = value.getDefiningOp<TransposeOp>();
  const RegisterLayout *source =
      op && isInRegisters(op.getSource()) ? lookup(op.getSource()) : nullptr;
  if (!source)
    return std::nullopt;
  return source->transpose(op.getPermutation().vec());
}

/// Of what is sorted, if nothing else wants it otherwise.
std::optional<RegisterLayout> LayoutClasses::fromSort(Value value) {
  for (Operation *user : value.getUsers())
    if (auto sort = dyn_cast<PartialSortOp>(user))
      return makeSortLayout(cast<TileType>(value.getType()).getShape(),
                            sort.getAxis(), numWarps);
  return std::nullopt;
}

/// The layout of a class without a product.
RegisterLayout LayoutClasses::choose(ArrayRef<Value> members) {
  for (Value member : members)
    if (RegisterAttr declared = cast<TileType>(member.getType()).getRegister();
        declared.isResolved())
      return declared.getRegisterLayout();
  using Source = std::optional<RegisterLayout> (LayoutClasses::*)(Value);
  for (Source source :
       {&LayoutClasses::fromShapeChange, &LayoutClasses::fromIndexUse,
        &LayoutClasses::fromMemory, &LayoutClasses::fromTranspose,
        &LayoutClasses::fromSort})
    for (Value member : members)
      if (std::optional<RegisterLayout> layout = (this->*source)(member))
        return *layout;
  auto tile = cast<TileType>(members.front().getType());
  int64_t vector = 1;
  if (tile.getRank() > 0)
    while (vector * 2 * getElementBytes(tile.getElementType()) <=
               kMaxAccessBytes &&
           tile.getShape().back() % (vector * 2) == 0)
      vector *= 2;
  return RegisterLayout::blocked(tile.getShape().vec(), vector, numWarps);
}

void LayoutClasses::build() {
  collect();
  kernel.walk([&](Operation *op) { joinOperation(op); });
  seedProducts();
  seedThreads();
  seedSources();
  for (Value value : values)
    members[classes.getLeaderValue(value.getAsOpaquePointer())].push_back(
        value);
  for (Value value : values)
    decide(value);
}

/// Decides the class of a value, after the sources of changes of shape that
/// define its members: in a loop, they may come behind it.
void LayoutClasses::decide(Value value) {
  void *leader = classes.getLeaderValue(value.getAsOpaquePointer());
  SmallVector<Value> list = std::move(members[leader]);
  if (list.empty() || layouts.contains(leader))
    return;
  for (Value member : list)
    if (Operation *op = member.getDefiningOp(); followsSource(op))
      decide(op->getOperand(0));
  RegisterLayout layout = choose(list);
  layouts.try_emplace(leader, layout);
}
