// AssignRegisterLayouts.cpp - one layout for all that is joined elementwise
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that must agree, operands and results of elementwise operations, what
// a loop carries, a product's accumulator and result, form a class. A class
// takes its layout from, in this order: a product in it, whose accumulator or
// operand in registers it is; a class so decided that a member is broadcast,
// transposed or reshaped to; a reduction or a change of shape that defines a
// member, whose source is decided; a load or store of a member, 16 bytes a
// thread along the array's neighbours; a transpose; else rows of 16 bytes a
// thread. Operations that relate two classes (transpose, reduce, broadcast,
// reshape) know what layout follows from the one side for the other, and a
// tile.convert_layout is inserted where the class has another.

#include "AssignLayouts.h"

#include "tile/Analysis/Alignment.h"
#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/Occupancy.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/ADT/EquivalenceClasses.h"

using namespace mlir;
using namespace tile;

static bool isInRegisters(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  return type && type.getRegister();
}

/// The layout that a reshape leaves, where only extents of one come or go. None
/// where such an extent is padded: the threads along it hold padding, which
/// are no replicas.
static std::optional<RegisterLayout> reshapeLayout(const RegisterLayout &source,
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

/// The layout of a source that broadcasts to `result` without moving data.
static RegisterLayout broadcastSource(const RegisterLayout &result,
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

namespace {

/// Classes of values and their layouts.
class LayoutClasses {
public:
  LayoutClasses(KernelOp kernel, const Architecture &architecture)
      : kernel(kernel), architecture(architecture),
        numWarps(*kernel.getBlock() / kWarpSize) {}

  /// Decides every class. Each value's layout is then known.
  void build();

  /// The type of a value with its class's layout.
  TileType typeOf(Value value) {
    auto type = cast<TileType>(value.getType());
    return type.withStorage(
        RegisterAttr::get(type.getContext(), layoutOf(value)));
  }
  const RegisterLayout &layoutOf(Value value) {
    return layouts.at(classes.getLeaderValue(value.getAsOpaquePointer()));
  }
  ArrayRef<Value> getValues() const { return values; }
  int64_t getNumWarps() const { return numWarps; }
  /// Whether the program declares the layout of a value's class.
  bool isDeclared(Value value);
  /// Accesses of at most `limit` elements, as wide as the array allows, rows
  /// over the lanes.
  RegisterLayout fromBoxAccess(TileType tile, Value array, ValueRange offsets,
                               int64_t limit = kMaxAccessBytes);

private:
  void collect();
  void join(Value a, Value b) {
    if (isInRegisters(a) && isInRegisters(b))
      classes.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
  }
  void joinOperation(Operation *op);
  /// Decides a class that is not decided yet.
  void seed(Value value, const RegisterLayout &layout) {
    layouts.try_emplace(classes.getLeaderValue(value.getAsOpaquePointer()),
                        layout);
  }
  void seedProducts();
  void seedSources();
  const RegisterLayout *lookup(Value value) {
    auto it = layouts.find(classes.getLeaderValue(value.getAsOpaquePointer()));
    return it == layouts.end() ? nullptr : &it->second;
  }
  std::optional<RegisterLayout> fromShapeChange(Value value);
  std::optional<RegisterLayout> fromMemory(Value value);
  std::optional<RegisterLayout> fromTranspose(Value value);
  RegisterLayout choose(ArrayRef<Value> members);
  void decide(Value value);

  KernelOp kernel;
  const Architecture &architecture;
  int64_t numWarps;
  SmallVector<Value> values; // in program order
  llvm::EquivalenceClasses<void *> classes;
  /// By the class, until it is being decided.
  llvm::DenseMap<void *, SmallVector<Value>> members;
  llvm::DenseMap<void *, RegisterLayout> layouts;
};

} // namespace

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
  if (!op->hasTrait<OpTrait::Elementwise>() &&
      !isa<CastOp, SelectOp, AtomicRMWOp>(op))
    return;
  Value first;
  for (Value value : llvm::concat<Value>(llvm::to_vector(op->getOperands()),
                                         llvm::to_vector(op->getResults()))) {
    if (!isInRegisters(value))
      continue;
    if (first)
      join(first, value);
    first = value;
  }
}

bool LayoutClasses::isDeclared(Value value) {
  return llvm::any_of(
      classes.members(value.getAsOpaquePointer()), [](void *member) {
        Type type = Value::getFromOpaquePointer(member).getType();
        return cast<TileType>(type).getRegister().isResolved();
      });
}

/// Where a product takes an operand in registers: as its instruction has the
/// fragments, and of FMA each thread has what it multiplies.
static RegisterLayout getOperandLayout(MatmulOp op, int operand,
                                       const Tiling &tiling, int64_t numWarps) {
  int64_t k = op.getK();
  if (!tiling.instruction->isFma())
    return getFragmentLayout(tiling, operand, k, numWarps);
  Value value = op->getOperand(operand);
  auto type = cast<TileType>(value.getType());
  // A thread's vectors lie in one product of a batch.
  int64_t fastest = std::max(getLoadedDimension(value), type.getRank() - 2);
  return getOperandPlan(tiling, operand, getOperandBox(tiling, operand, k),
                        fastest, getElementBytes(type.getElementType()),
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

std::optional<RegisterLayout> LayoutClasses::fromShapeChange(Value value) {
  Operation *op = value.getDefiningOp();
  if (!isa_and_nonnull<ReduceOp, ReshapeOp>(op))
    return std::nullopt;
  const RegisterLayout *source = lookup(op->getOperand(0));
  if (!source)
    return std::nullopt;
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return source->dropDimension(*reduce.getAxis());
  return reshapeLayout(*source,
                       cast<TileType>(op->getOperand(0).getType()).getShape(),
                       cast<TileType>(value.getType()).getShape());
}

RegisterLayout LayoutClasses::fromBoxAccess(TileType tile, Value array,
                                            ValueRange offsets, int64_t limit) {
  auto type = cast<MemRefType>(array.getType());
  std::optional<int64_t> dim = getContiguousDimension(type, tile.getRank());
  std::vector<int64_t> shape = tile.getShape().vec();
  if (!dim)
    return RegisterLayout::blocked(shape, 1, numWarps);
  int64_t vector =
      std::min(limit, getVectorWidth(array, offsets,
                                     getBoxExtents(type, tile.getShape()),
                                     type.getRank() - tile.getRank() + *dim));
  while (shape[*dim] % vector != 0)
    vector /= 2;
  std::vector<int64_t> order = {*dim};
  for (int64_t d = tile.getRank(); d-- > 0;)
    if (d != *dim)
      order.push_back(d);
  return RegisterLayout::blocked(shape, vector, numWarps, order);
}

std::optional<RegisterLayout> LayoutClasses::fromMemory(Value value) {
  auto tile = cast<TileType>(value.getType());
  auto load = value.getDefiningOp<LoadOp>();
  if (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    load = convert.getSource().getDefiningOp<LoadOp>();
  if (load)
    return fromBoxAccess(tile, load.getSource(), load.getOffsets());
  for (Operation *user : value.getUsers())
    if (auto store = dyn_cast<StoreOp>(user))
      return fromBoxAccess(tile, store.getDest(), store.getOffsets());
  // Atomics go element by element, so neighbours are for neighbouring lanes.
  for (Operation *user : value.getUsers())
    if (auto atomic = dyn_cast<AtomicRMWOp>(user))
      return fromBoxAccess(tile, atomic.getDest(), atomic.getOffsets(),
                           /*limit=*/1);
  return std::nullopt;
}

std::optional<RegisterLayout> LayoutClasses::fromTranspose(Value value) {
  auto op = value.getDefiningOp<TransposeOp>();
  const RegisterLayout *source =
      op && isInRegisters(op.getSource()) ? lookup(op.getSource()) : nullptr;
  if (!source)
    return std::nullopt;
  return source->transpose(op.getPermutation().vec());
}

/// The layout of a class without a product.
RegisterLayout LayoutClasses::choose(ArrayRef<Value> members) {
  for (Value member : members)
    if (RegisterAttr declared = cast<TileType>(member.getType()).getRegister();
        declared.isResolved())
      return declared.getRegisterLayout();
  using Source = std::optional<RegisterLayout> (LayoutClasses::*)(Value);
  for (Source source :
       {&LayoutClasses::fromShapeChange, &LayoutClasses::fromMemory,
        &LayoutClasses::fromTranspose})
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
    if (Operation *op = member.getDefiningOp();
        isa_and_nonnull<ReduceOp, ReshapeOp>(op))
      decide(op->getOperand(0));
  RegisterLayout layout = choose(list);
  layouts.try_emplace(leader, layout);
}

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
static void setResult(Operation *op, const RegisterLayout &made,
                      TileType wanted) {
  Value result = op->getResult(0);
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

/// The layout of per-warp partial results: the axis counts its warps.
static RegisterLayout partialLayout(const RegisterLayout &source,
                                    int64_t axis) {
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
  box[axis] = count;
  return RegisterLayout::fromModes(
      squeezed.getModes(RegisterLayout::kLane), warps,
      squeezed.getModes(RegisterLayout::kValue), box);
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

static void rewriteReduce(ReduceOp op, TileType wanted) {
  int64_t axis = *op.getAxis();
  auto type = op.getSource().getType();
  RegisterLayout source = type.getRegister().getRegisterLayout();
  if (source.getExtent(RegisterLayout::kWarp, axis) > 1) {
    OpBuilder builder(op);
    RegisterLayout partial = partialLayout(source, axis);
    SmallVector<int64_t> shape(type.getShape());
    shape[axis] = partial.getBox()[axis];
    auto partialType =
        TileType::get(op.getContext(), shape, type.getElementType(),
                      RegisterAttr::get(op.getContext(), partial));
    Value value = PartialReduceOp::create(builder, op.getLoc(), partialType,
                                          op.getKindAttr(), op.getSource(),
                                          builder.getI64IntegerAttr(axis));
    source = gatheredLayout(partial, axis);
    op.getSourceMutable().assign(convert(builder, op.getLoc(), value, source));
  }
  setResult(op, source.dropDimension(axis), wanted);
}

static void rewriteReshape(ReshapeOp op, TileType wanted) {
  auto type = op.getSource().getType();
  std::optional<RegisterLayout> made =
      reshapeLayout(type.getRegister().getRegisterLayout(), type.getShape(),
                    wanted.getShape());
  if (made)
    return setResult(op, *made, wanted);
  // Through shared memory, where row-major order is the address.
  OpBuilder builder(op);
  auto shared =
      SharedAttr::get(op.getContext(), LayoutAttr(), SwizzleAttr(), 16);
  Value stored = ConvertLayoutOp::create(
      builder, op.getLoc(), op.getSource().getType().withStorage(shared),
      op.getSource());
  op.getSourceMutable().assign(stored);
  op.getResult().setType(wanted.withStorage(shared));
  builder.setInsertionPointAfter(op);
  auto loaded =
      ConvertLayoutOp::create(builder, op.getLoc(), wanted, op.getResult());
  op.getResult().replaceAllUsesExcept(loaded, loaded);
}

/// Brings operands and result of one operation to layouts that it can do.
static void rewriteOperation(Operation *op, LayoutClasses &classes,
                             const Architecture &architecture,
                             ArrayRef<TileType> wanted) {
  OpBuilder builder(op);
  if (auto transpose = dyn_cast<TransposeOp>(op)) {
    RegisterLayout source =
        transpose.getSource().getType().getRegister().getRegisterLayout();
    return setResult(op, source.transpose(transpose.getPermutation().vec()),
                     wanted[0]);
  }
  if (auto reduce = dyn_cast<ReduceOp>(op))
    return rewriteReduce(reduce, wanted[0]);
  if (auto reshape = dyn_cast<ReshapeOp>(op))
    return rewriteReshape(reshape, wanted[0]);
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
    setResult(op, layout, wanted[0]);
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
  RegisterLayout wide =
      classes.fromBoxAccess(type, store.getDest(), store.getOffsets());
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
  for (auto &[store, layout] : stores) {
    OpBuilder builder(store);
    store.getValueMutable().assign(
        convert(builder, store.getLoc(), store.getValue(), layout));
  }
}
