// LayoutClasses.cpp - classes of tiles in registers that share a layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that must have one layout form a class: operands and results of
// elementwise operations, loop-carried values, a matmul's accumulator and
// result. A class takes its layout from the first item of this list that
// applies:
// - a layout that the program declares for a member;
// - an operation whose instructions have a member in a certain layout, as a
//   matmul has its accumulator and its operands in registers;
// - an operation that supports only one layout of a member;
// - an operation whose source is a member: the source layout that it infers
//   from the layout of its result, if one of the items above decides that;
// - an operation whose result is a member and always follows its source: the
//   layout that it infers from that of its source;
// - a gather or scatter whose indices are a member: each thread has the indices
//   of the elements that it accesses;
// - a broadcast of a member that is loaded or constant;
// - an access of an array: 16 bytes a thread along the contiguous dimension of
//   the array. If it costs nothing, each part that views take of a member has
//   the same value indices in every thread (AccessLayouts.h);
// - any other operation whose result is a member: the layout that it infers;
// - an operation that prefers a layout for its source, which is a member;
// - rows of 16 bytes a thread.

#include "LayoutClasses.h"
#include "AssignLayouts.h"

#include "tile/Analysis/Occupancy.h"
#include "tile/IR/Participants.h"

#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"

using namespace mlir;
using namespace tile;

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

/// Gives the classes of operands and results the layouts that `getLayout`
/// returns for them, except for layouts that the program declares. If several
/// operations share a class, the first one decides; conversions are inserted
/// for the others.
void LayoutClasses::seedTiles(GetTileLayout getLayout) {
  kernel.walk([&](LayoutOpInterface op) {
    for (ValueRange tiles :
         {ValueRange(op->getResults()), ValueRange(op->getOperands())})
      for (Value tile : llvm::make_filter_range(tiles, isInRegisters))
        if (!isDeclared(tile))
          if (auto layout = getLayout(op, tile))
            seed(tile, *layout);
  });
}

/// Seeds the layouts in which instructions have tiles.
void LayoutClasses::seedInstructions() {
  seedTiles([&](LayoutOpInterface op, Value tile) {
    return op.getInstructionLayout(tile, getParticipants(op).numWarps);
  });
}

/// Whether a tile is loaded or stored, and it is better to access the array in
/// a layout with rows over the lanes, with a conversion from or to `layout`
/// through shared memory, than to access it in `layout`.
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

/// Seeds the only layouts of tiles that operations support.
void LayoutClasses::seedRequired() {
  seedTiles([&](LayoutOpInterface op, Value tile) {
    std::optional<RegisterLayout> layout =
        op.getRequiredLayout(tile, getParticipants(op).numWarps);
    bool isSeeded = layout && !isBetterInRows(tile, *layout);
    return isSeeded ? layout : std::nullopt;
  });
}

/// Gives the classes of sources the layouts that operations infer from results
/// with known layouts. Users are visited before definitions.
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

/// Returns the operation that defines a value and whose result layout always
/// follows from its source layout; null if the value has no such definition.
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

/// Whether all users compute or store each element independently of the others,
/// so that it does not matter which thread has an element.
static bool isByElement(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return user->hasTrait<OpTrait::Elementwise>() ||
           isa<ArrayAccessOpInterface>(user) ||
           user->hasTrait<OpTrait::IsTerminator>();
  });
}

/// Returns the layout for a tile of indices, or for a tile that is reshaped to
/// a tile of indices, in which each thread has the indices of the elements that
/// it accesses.
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

/// Returns the layout for a loaded tile or constant whose only use is a
/// broadcast: each thread has the elements that it needs of the result.
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

/// Returns a rank by which accesses are ordered: the lower it is, the more the
/// access gains by a layout in which a thread has adjacent elements. Accesses
/// of rows come first, then accesses by index, then accesses element by
/// element.
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

/// Returns the layout for the accesses of the first member that has any. If
/// some access of a member is not of rows, and another layout touches less than
/// half as many sectors over all accesses, the best such layout is returned
/// instead: otherwise, if a mask of bytes comes first, a thread would access
/// eight elements of f32.
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
      if (auto layout = op.getPreferredLayout(getParticipants(op).numWarps))
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
  return rows.get(members.front(), isSpread, parts);
}

void LayoutClasses::build() {
  collect();
  kernel.walk([&](Operation *op) { joinOperation(op); });
  seedInstructions();
  seedRequired();
  seedSources();
  for (Value value : values)
    members[classes.getLeaderValue(value.getAsOpaquePointer())].push_back(
        value);
  for (Value value : values)
    decide(value);
}

/// Chooses the layout of a value's class. If an operation defines a member and
/// always follows its source, the class of the source is decided first, since
/// in a loop the source may come later in program order.
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
