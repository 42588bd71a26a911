// LayoutClasses.cpp - classes of tiles in registers that share a layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that must have one layout form a class: operands and results of
// elementwise operations, loop-carried values, a matmul's accumulator and
// result. A class takes its layout from the first of these that applies:
// - a matmul whose accumulator or operand in registers is a member;
// - an operation that supports only one layout of a member;
// - the source layout that an operation infers from a class so decided;
// - the result layout of an operation that follows its source, which is
//   decided;
// - a gather or scatter whose indices are a member, and whose elements are
//   decided;
// - an access of an array, 16 bytes a thread along its contiguous dimension;
//   each part that views take is in some of every thread's values if that
//   costs nothing (AccessLayouts.h);
// - the result layout that another operation infers;
// - the layout that an operation prefers for its source;
// - rows of 16 bytes a thread.

#include "LayoutClasses.h"
#include "AssignLayouts.h"

#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/Occupancy.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tile;

/// Returns the dimension of the value along which a load reads contiguous
/// elements, so that the loads of a thread may be vectors.
static int64_t getLoadedDimension(Value value) {
  if (auto transpose = value.getDefiningOp<TransposeOp>())
    return llvm::find(transpose.getPermutation(),
                      getLoadedDimension(transpose.getSource())) -
           transpose.getPermutation().begin();
  Operation *op = value.getDefiningOp();
  if (op && op->hasTrait<OpTrait::Elementwise>() && op->getNumOperands() == 1)
    return getLoadedDimension(op->getOperand(0));
  int64_t rank = cast<TileType>(value.getType()).getRank();
  auto load = value.getDefiningOp<CopyableOpInterface>();
  if (!load)
    return rank - 1;
  auto array = cast<MemRefType>(load.getArray().getType());
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
  // A thread's vectors lie in one matmul of a batch.
  int64_t contiguous = std::max(getLoadedDimension(value), type.getRank() - 2);
  return getOperandPlan(tiling, operand, getOperandBox(tiling, operand, k),
                        contiguous, getElementBytes(type.getElementType()),
                        numWarps)
      .layout;
}

/// Decides classes by their first matmul. Conversions reach the others.
void LayoutClasses::seedMatmuls() {
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

/// Whether a tile is loaded or stored, and is better accessed in rows over the
/// lanes and converted through shared memory, if it fits there, than in
/// `layout`.
bool LayoutClasses::isBetterInRows(Value tile, const RegisterLayout &layout) {
  auto type = cast<TileType>(tile.getType());
  int64_t bytes =
      type.getNumElements() * getElementBytes(type.getElementType());
  if (bytes * kMaxScratchShare > getSharedBytesLimit(kernel, architecture))
    return false;
  auto isBetter = [&](Operation *op) {
    auto access = dyn_cast_or_null<ArrayAccessOpInterface>(op);
    return access && access.getAccessedTile() == tile &&
           !access.isPerElement() && rows.isScattered(access, layout);
  };
  return isBetter(tile.getDefiningOp()) ||
         llvm::any_of(tile.getUsers(), isBetter);
}

/// Decides the classes of tiles for which an operation requires one layout.
void LayoutClasses::seedRequired() {
  kernel.walk([&](LayoutOpInterface op) {
    for (ValueRange tiles :
         {ValueRange(op->getResults()), ValueRange(op->getOperands())})
      for (Value tile : llvm::make_filter_range(tiles, isInRegisters))
        if (!isDeclared(tile))
          if (auto layout = op.getRequiredLayout(tile, numWarps))
            if (!isBetterInRows(tile, *layout))
              seed(tile, *layout);
  });
}

/// Decides the classes of sources by results that are already decided. Users
/// are visited before definitions.
void LayoutClasses::seedSources() {
  kernel.walk<WalkOrder::PostOrder, mlir::ReverseIterator>(
      [&](LayoutOpInterface op) {
        if (op->getNumOperands() == 0 || op->getNumResults() == 0)
          return;
        Value source = op->getOperand(0), result = op->getResult(0);
        if (!isInRegisters(source) || isDeclared(source) ||
            !isInRegisters(result))
          return;
        if (const RegisterLayout *known = lookup(result))
          if (auto layout = op.inferSourceLayout(*known))
            if (!isBetterInRows(source, *layout))
              seed(source, *layout);
      });
}

/// Returns the operation that decides a value's layout by the layout of its
/// source; null if there is none.
static LayoutOpInterface getFollowing(Value value) {
  auto op = value.getDefiningOp<LayoutOpInterface>();
  return op && op.followsSource() ? op : LayoutOpInterface();
}

std::optional<RegisterLayout> LayoutClasses::inferResult(LayoutOpInterface op) {
  if (!op || op->getNumOperands() == 0 || !isInRegisters(op->getOperand(0)))
    return std::nullopt;
  const RegisterLayout *source = lookup(op->getOperand(0));
  return source ? op.inferResultLayout(*source) : std::nullopt;
}

std::optional<RegisterLayout> LayoutClasses::fromSource(Value value) {
  std::optional<RegisterLayout> layout = inferResult(getFollowing(value));
  bool isKept = layout && !isBetterInRows(value, *layout);
  return isKept ? layout : std::nullopt;
}

/// Whether each element is only computed with, and stored, independently of
/// others: no user depends on which thread has it.
static bool isByElement(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::Elementwise>() ||
           isa<ArrayAccessOpInterface>(user) ||
           user->hasTrait<OpTrait::IsTerminator>();
  });
}

/// Returns the layout of indices, or of a tile that is reshaped to indices:
/// each thread has the indices of its elements.
std::optional<RegisterLayout> LayoutClasses::fromIndexUse(Value value) {
  for (Operation *user : value.getUsers()) {
    if (LayoutOpInterface shaped = user->getNumResults() == 1
                                       ? getFollowing(user->getResult(0))
                                       : LayoutOpInterface();
        shaped && shaped->getOperand(0) == value)
      if (auto layout = fromIndexUse(user->getResult(0)))
        if (auto source = shaped.inferSourceLayout(*layout))
          return source;
    auto indexed = dyn_cast<IndexedOpInterface>(user);
    if (!indexed ||
        llvm::none_of(indexed.getIndexOperands(), [&](OpOperand *indices) {
          return indices->get() == value;
        }))
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

/// Returns the layout of a loaded tile or constant that is only broadcast: each
/// thread has the elements that it needs.
std::optional<RegisterLayout> LayoutClasses::fromBroadcast(Value value) {
  Operation *op = value.getDefiningOp();
  if (!value.hasOneUse() || !op ||
      !(isa<ArrayAccessOpInterface>(op) ||
        op->hasTrait<OpTrait::ConstantLike>()))
    return std::nullopt;
  auto broadcast = dyn_cast<BroadcastOp>(*value.user_begin());
  if (!broadcast)
    return std::nullopt;
  decide(broadcast.getResult());
  const RegisterLayout *layout = lookup(broadcast.getResult());
  return layout ? LayoutOpInterface(broadcast).inferSourceLayout(*layout)
                : std::nullopt;
}

/// Returns the access that loads a value, perhaps to another storage; null if
/// there is none.
static ArrayAccessOpInterface findLoad(Value value) {
  if (auto convert = value.getDefiningOp<ConvertLayoutOp>())
    value = convert.getSource();
  auto load = value.getDefiningOp<ArrayAccessOpInterface>();
  return load && load.getAccessedTile() == value ? load
                                                 : ArrayAccessOpInterface();
}

/// Returns a lower rank for an access that gains more by a layout of adjacent
/// elements: rows, then elements by indices, then elements that are accessed
/// one by one.
static int64_t getRank(ArrayAccessOpInterface access) {
  return access.isPerElement() ? 2 : isa<IndexedOpInterface>(*access) ? 1 : 0;
}

/// Returns the memory accesses that load or store a value.
static SmallVector<ArrayAccessOpInterface> listAccesses(Value value) {
  SmallVector<ArrayAccessOpInterface> accesses;
  if (ArrayAccessOpInterface load = findLoad(value))
    accesses.push_back(load);
  for (Operation *user : value.getUsers())
    if (auto access = dyn_cast<ArrayAccessOpInterface>(user))
      if (access.getAccessedTile() == value)
        accesses.push_back(access);
  return accesses;
}

/// Returns the value's load, if it does not access single elements, else the
/// first of the accesses that gain most by adjacent elements.
static ArrayAccessOpInterface
findBest(ArrayRef<ArrayAccessOpInterface> accesses, Value value) {
  if (accesses.empty())
    return {};
  ArrayAccessOpInterface first = accesses.front();
  bool isLoad = first == findLoad(value);
  if (isLoad && !first.isPerElement())
    return first;
  return *llvm::min_element(
      accesses, [](ArrayAccessOpInterface a, ArrayAccessOpInterface b) {
        return getRank(a) < getRank(b);
      });
}

/// Returns the layout of the first member that has accesses. If not all
/// accesses are of rows, returns the layout with which the accesses of all
/// members touch fewest sectors, if these are less than half of the sectors of
/// the first: a mask of bytes would have a thread take eight elements of f32.
std::optional<RegisterLayout>
LayoutClasses::fromMemory(ArrayRef<Value> members, bool isSpread,
                          ArrayRef<int64_t> parts) {
  SmallVector<ArrayAccessOpInterface> all;
  SmallVector<RegisterLayout> layouts;
  for (Value member : members) {
    SmallVector<ArrayAccessOpInterface> own = listAccesses(member);
    llvm::append_range(all, own);
    ArrayAccessOpInterface best = findBest(own, member);
    if (!best)
      continue;
    RegisterLayout layout = rows.get(best, isSpread, parts);
    if (!llvm::is_contained(layouts, layout))
      layouts.push_back(std::move(layout));
  }
  if (layouts.empty())
    return std::nullopt;
  auto count = [&](const RegisterLayout &layout) {
    int64_t sectors = 0;
    for (ArrayAccessOpInterface access : all)
      sectors += rows.countSectors(access, layout);
    return sectors;
  };
  bool isInRows = llvm::all_of(
      all, [](ArrayAccessOpInterface access) { return getRank(access) == 0; });
  if (isInRows || layouts.size() == 1)
    return layouts.front();
  SmallVector<int64_t> sectors = llvm::map_to_vector(layouts, count);
  size_t least = llvm::min_element(sectors) - sectors.begin();
  return 2 * sectors[least] < sectors.front() ? layouts[least]
                                              : layouts.front();
}

std::optional<RegisterLayout> LayoutClasses::fromHint(Value value) {
  return inferResult(value.getDefiningOp<LayoutOpInterface>());
}

/// Returns the layout that a user of `value` prefers.
std::optional<RegisterLayout> LayoutClasses::fromPreference(Value value) {
  for (Operation *user : value.getUsers())
    if (auto op = dyn_cast<LayoutOpInterface>(user))
      if (auto layout = op.getPreferredLayout(numWarps))
        return layout;
  return std::nullopt;
}

/// Returns the layout of a class without a matmul.
RegisterLayout LayoutClasses::choose(ArrayRef<Value> members) {
  for (Value member : members)
    if (RegisterAttr declared = cast<TileType>(member.getType()).getRegister();
        declared.isResolved())
      return declared.getRegisterLayout();
  auto find = [&](auto source) -> std::optional<RegisterLayout> {
    for (Value member : members)
      if (std::optional<RegisterLayout> layout = source(member))
        return layout;
    return std::nullopt;
  };
  bool isSpread = llvm::all_of(members, isByElement);
  SmallVector<int64_t> parts = getParts(members);
  if (auto layout = find([&](Value value) { return fromSource(value); }))
    return *layout;
  if (auto layout = find([&](Value value) { return fromIndexUse(value); }))
    return *layout;
  if (auto layout = find([&](Value value) { return fromBroadcast(value); }))
    return *layout;
  if (auto layout = fromMemory(members, isSpread, parts))
    return *layout;
  if (auto layout = find([&](Value value) { return fromHint(value); }))
    return *layout;
  if (auto layout = find([&](Value value) { return fromPreference(value); }))
    return *layout;
  auto tile = cast<TileType>(members.front().getType());
  return rows.get(tile, isSpread, parts);
}

void LayoutClasses::build() {
  collect();
  kernel.walk([&](Operation *op) { joinOperation(op); });
  seedMatmuls();
  seedRequired();
  seedSources();
  for (Value value : values)
    members[classes.getLeaderValue(value.getAsOpaquePointer())].push_back(
        value);
  for (Value value : values)
    decide(value);
}

/// Decides the class of a value, after the sources of operations that define
/// its members and follow their source: in a loop they may come after it.
void LayoutClasses::decide(Value value) {
  void *leader = classes.getLeaderValue(value.getAsOpaquePointer());
  SmallVector<Value> list = std::move(members[leader]);
  if (list.empty() || layouts.contains(leader))
    return;
  for (Value member : list)
    if (LayoutOpInterface op = getFollowing(member))
      decide(op->getOperand(0));
  RegisterLayout layout = choose(list);
  layouts.try_emplace(leader, layout);
}
