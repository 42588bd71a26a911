// PointerBoxes.cpp - accesses through pointers that are boxes of an array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A gather of cuTile Python computes addresses: i * strides[0] + j, with the
// mask i < shape[0] and j < shape[1], unsigned. A load of a box has this
// meaning itself, and accesses several elements at once.

#include "PointerBoxes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace tile;
using namespace tile::cudatile;
using namespace mlir;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

namespace {
/// Index is a tile of integers: a scalar, plus the position along `axis` if
/// that is not negative.
struct Index {
  OpFoldResult start;
  int64_t axis = -1;
  /// Whether it is a sum of 32 bits that was widened: beyond 2^31 it would be
  /// negative, and thus outside of an array whose extents have 32 bits.
  bool isNarrow = false;

  bool isScalar() const { return axis < 0; }
  bool isZero() const { return isScalar() && isConstantIntValue(start, 0); }
  bool operator==(const Index &other) const {
    return start == other.start && axis == other.axis;
  }
};
} // namespace

static ArrayRef<int64_t> getShape(Value tile) {
  return cast<TileType>(tile.getType()).getShape();
}

static unsigned getWidth(Value tile) {
  return cast<TileType>(tile.getType()).getElementTypeBitWidth();
}

static bool isWideningCast(Operation *op) {
  auto castOp = dyn_cast<CastOp>(op);
  if (!castOp || castOp.getUnsignedInteger() || castOp.getBitcast())
    return false;
  auto from = dyn_cast<IntegerType>(
      cast<TileType>(castOp.getSource().getType()).getElementType());
  auto to =
      dyn_cast<IntegerType>(cast<TileType>(castOp.getType()).getElementType());
  return from && to && from.getWidth() > 1 && from.getWidth() <= to.getWidth();
}

/// Returns the scalar that all elements of a tile are; null for other tiles.
static OpFoldResult getScalar(Value tile) {
  constexpr int kMost = 16;
  for (int i = 0; i < kMost; ++i) {
    Operation *op = tile.getDefiningOp();
    if (!op)
      return {};
    SplatElementsAttr splat;
    if (matchPattern(tile, m_Constant(&splat)))
      return splat.getElementType().isInteger()
                 ? OpFoldResult(splat.getSplatValue<Attribute>())
                 : OpFoldResult();
    IntegerAttr constant;
    if (auto fill = dyn_cast<FillOp>(op))
      return matchPattern(fill.getValue(), m_Constant(&constant))
                 ? OpFoldResult(constant)
                 : OpFoldResult(fill.getValue());
    if (!isa<BroadcastOp, ReshapeOp>(op) && !isWideningCast(op))
      return {};
    tile = op->getOperand(0);
  }
  return {};
}

/// Returns a scalar plus a position.
static std::optional<Index> add(std::optional<Index> a,
                                std::optional<Index> b) {
  if (!a || !b)
    return std::nullopt;
  if (!a->isScalar())
    std::swap(a, b);
  if (!a->isScalar() || !isConstantIntValue(b->start, 0))
    return std::nullopt;
  return Index{a->start, b->axis, a->isNarrow || b->isNarrow};
}

namespace {
/// IndexFinder finds the indices that tiles are, each of them once.
class IndexFinder {
public:
  std::optional<Index> find(Value tile);

private:
  std::optional<Index> compute(Value tile);
  std::optional<Index> move(Operation *op);

  /// The count of operations between this tile and the first one.
  int depth = 0;
  llvm::DenseMap<Value, std::optional<Index>> known;
};
} // namespace

std::optional<Index> IndexFinder::find(Value tile) {
  constexpr int kMost = 16;
  auto [found, isNew] = known.try_emplace(tile);
  if (!isNew || depth == kMost)
    return found->second;
  ++depth;
  std::optional<Index> index = compute(tile);
  --depth;
  return known[tile] = index;
}

/// Returns the index that a tile with the elements of another one is.
std::optional<Index> IndexFinder::move(Operation *op) {
  Value from = op->getOperand(0);
  std::optional<Index> index = find(from);
  auto reshape = dyn_cast<ReshapeOp>(op);
  if (!index || index->isScalar() || !reshape)
    return index;
  FailureOr<SmallVector<TileDimension>> same =
      reshape.findParts({from, index->axis});
  if (failed(same))
    return std::nullopt;
  index->axis = same->front().dim;
  return index;
}

std::optional<Index> IndexFinder::compute(Value tile) {
  if (OpFoldResult scalar = getScalar(tile))
    return Index{scalar};
  Operation *op = tile.getDefiningOp();
  if (!op)
    return std::nullopt;
  if (auto iota = dyn_cast<IotaOp>(op)) {
    int64_t axis = iota.getAxis();
    return Index{Builder(op->getContext()).getIndexAttr(0),
                 getShape(tile)[axis] == 1 ? -1 : axis};
  }
  if (isa<arith::AddIOp>(op))
    return add(find(op->getOperand(0)), find(op->getOperand(1)));
  if (isWideningCast(op)) {
    std::optional<Index> index = move(op);
    if (!index || getWidth(op->getOperand(0)) < 32)
      return std::nullopt;
    index->isNarrow |= getWidth(op->getOperand(0)) < getWidth(tile);
    return index;
  }
  auto broadcast = dyn_cast<BroadcastOp>(op);
  bool keepsAxes =
      broadcast && !broadcast.getDims() &&
      getShape(broadcast.getSource()).size() == getShape(tile).size();
  return keepsAxes || isa<ReshapeOp>(op) ? move(op) : std::nullopt;
}

/// Returns the operands of a tree of `Op`; none if there are many.
template <typename Op>
static SmallVector<Value> getLeaves(Value tile) {
  constexpr size_t kMost = 16;
  SmallVector<Value> leaves, open = {tile};
  while (!open.empty() && leaves.size() <= kMost) {
    Value value = open.pop_back_val();
    if (auto op = value.getDefiningOp<Op>())
      open.append({op.getLhs(), op.getRhs()});
    else
      leaves.push_back(value);
  }
  return open.empty() ? leaves : SmallVector<Value>();
}

//===----------------------------------------------------------------------===//
// Boxes
//===----------------------------------------------------------------------===//

namespace {
/// Box is the elements of an array that an access through pointers has.
struct Box {
  /// The access; the index along each dimension of the array.
  Operation *access;
  SmallVector<Index> indices;
  /// Whether the last dimension has stride 1.
  bool isContiguous = false;
  bool isMasked = false;
  /// The shape of the tile of pointers.
  ArrayRef<int64_t> shape;
};

/// BoxFinder finds the box of an access, or fails.
class BoxFinder {
public:
  BoxFinder(KernelOp kernel, ArrayRef<unsigned> parameters,
            const llvm::SmallDenseSet<unsigned> &sizes, IndexFinder &indices,
            unsigned base)
      : kernel(kernel), parameters(parameters), sizes(sizes), indices(indices),
        base(base) {}

  std::optional<Box> find(Operation *access);

private:
  std::optional<int64_t> findPosition(OpFoldResult scalar);
  LogicalResult findExtents(Value mask);
  LogicalResult findStrides(Value offsets);
  LogicalResult addTerm(Value leaf);
  LogicalResult addIndex(Value tile);
  LogicalResult setIndex(int64_t dim, std::optional<Index> index);
  bool coversTile() const;

  KernelOp kernel;
  ArrayRef<unsigned> parameters;
  const llvm::SmallDenseSet<unsigned> &sizes;
  IndexFinder &indices;
  /// The parameter of the array's address.
  unsigned base;
  Box box;
  SmallVector<bool> hasStride;
  /// The sum of the terms without a stride.
  std::optional<Index> last;
};
} // namespace

/// Returns how many parameters after the array's address an extent or a stride
/// is; nothing for other scalars.
std::optional<int64_t> BoxFinder::findPosition(OpFoldResult scalar) {
  auto value = dyn_cast_if_present<Value>(scalar);
  while (value && isa_and_present<arith::ExtSIOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  auto argument = dyn_cast_if_present<BlockArgument>(value);
  if (!argument || argument.getOwner() != &kernel.getBody().front())
    return std::nullopt;
  unsigned parameter = parameters[argument.getArgNumber()];
  if (!sizes.contains(parameter) || parameter <= base)
    return std::nullopt;
  return parameter - base;
}

/// Whether the scalar with which a tile is filled is a widened one of 32 bits.
static bool has32Bits(Value tile) {
  auto scalar = dyn_cast_if_present<Value>(getScalar(tile));
  auto widened = scalar ? scalar.getDefiningOp<arith::ExtSIOp>() : nullptr;
  return widened && widened.getIn().getType().isInteger(32);
}

/// Finds the index along each dimension by the tests of a mask.
LogicalResult BoxFinder::findExtents(Value mask) {
  SmallVector<Value> tests = getLeaves<arith::AndIOp>(mask);
  if (tests.empty())
    return failure();
  box.isMasked = true;
  box.indices.resize(tests.size());
  SmallVector<bool> isTested(tests.size());
  for (Value test : tests) {
    auto compare = test.getDefiningOp<arith::CmpIOp>();
    if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult)
      return failure();
    std::optional<int64_t> position = findPosition(getScalar(compare.getRhs()));
    std::optional<Index> index = indices.find(compare.getLhs());
    if (!position || *position > int64_t(tests.size()) || !index ||
        (index->isNarrow && !has32Bits(compare.getRhs())) ||
        std::exchange(isTested[*position - 1], true))
      return failure();
    box.indices[*position - 1] = *index;
  }
  return success();
}

/// Verifies that an index that a stride multiplies is that along `dim`.
LogicalResult BoxFinder::setIndex(int64_t dim, std::optional<Index> index) {
  bool isSame = index && dim >= 0 && dim < int64_t(box.indices.size()) &&
                *index == box.indices[dim];
  return success(isSame && !std::exchange(hasStride[dim], true));
}

/// Adds an index without a stride.
LogicalResult BoxFinder::addIndex(Value tile) {
  std::optional<Index> index = indices.find(tile);
  last = last ? add(last, index) : index;
  return success(last.has_value());
}

LogicalResult BoxFinder::addTerm(Value leaf) {
  int64_t rank = box.indices.size();
  auto term = leaf.getDefiningOp<arith::MulIOp>();
  if (!term)
    return addIndex(leaf);
  for (auto [factor, other] : {std::pair(term.getRhs(), term.getLhs()),
                               std::pair(term.getLhs(), term.getRhs())}) {
    OpFoldResult stride = getScalar(factor);
    if (isConstantIntValue(stride, 1))
      return addIndex(other);
    std::optional<int64_t> position = findPosition(stride);
    if (position && *position > rank && *position <= 2 * rank)
      return setIndex(*position - 1 - rank, indices.find(other));
  }
  return failure();
}

/// Verifies that the offsets are the sum of the indices along all dimensions,
/// each multiplied by its stride.
LogicalResult BoxFinder::findStrides(Value offsets) {
  SmallVector<Value> leaves = indices.find(offsets)
                                  ? SmallVector<Value>({offsets})
                                  : getLeaves<arith::AddIOp>(offsets);
  if (leaves.empty())
    return failure();
  if (!box.isMasked)
    box.indices.resize(1);
  hasStride.assign(box.indices.size(), false);
  for (Value leaf : leaves)
    if (failed(addTerm(leaf)))
      return failure();
  if (last) {
    box.isContiguous = true;
    if (!box.isMasked)
      box.indices.back() = *last;
    if (failed(setIndex(box.indices.size() - 1, last)))
      return failure();
  }
  return success(llvm::all_of(hasStride, [](bool has) { return has; }));
}

/// Whether one index has the position along each axis of the tile.
bool BoxFinder::coversTile() const {
  for (int64_t axis = 0, rank = box.shape.size(); axis < rank; ++axis) {
    int64_t count = llvm::count_if(
        box.indices, [&](const Index &index) { return index.axis == axis; });
    if (box.shape[axis] > 1 && count != 1)
      return false;
  }
  return true;
}

/// Returns a tile before it was flattened.
static Value skipFlattening(Value tile) {
  auto reshape = tile.getDefiningOp<ReshapeOp>();
  return reshape ? reshape.getSource() : tile;
}

std::optional<Box> BoxFinder::find(Operation *access) {
  box.access = access;
  Value offsets, mask;
  if (auto gather = dyn_cast<GatherOp>(access)) {
    offsets = gather.getIndices().front();
    mask = gather.getMask();
  } else if (auto scatter = dyn_cast<ScatterOp>(access);
             scatter && !scatter.getKind()) {
    offsets = scatter.getIndices().front();
    mask = scatter.getMask();
  } else {
    return std::nullopt;
  }
  offsets = skipFlattening(offsets);
  box.shape = getShape(offsets);
  if (mask) {
    mask = skipFlattening(mask);
    if (getShape(mask) != box.shape || failed(findExtents(mask)))
      return std::nullopt;
  }
  if (failed(findStrides(offsets)) || !coversTile())
    return std::nullopt;
  return box;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// BoxAccess creates the load or store of a box.
class BoxAccess {
public:
  BoxAccess(const Box &box, Value array)
      : box(box), array(array), b(box.access->getLoc(), box.access) {}

  void create();

private:
  void load(GatherOp gather);
  void store(ScatterOp scatter);
  TileType getType() const;
  DenseI64ArrayAttr getDims();

  const Box &box;
  Value array;
  ImplicitLocOpBuilder b;
  SmallVector<Value> starts;
  /// The dimension of the array, and the extent, of each axis of the tile.
  SmallVector<int64_t> dims, extents;
};
} // namespace

TileType BoxAccess::getType() const {
  return TileType::get(extents,
                       cast<MemRefType>(array.getType()).getElementType());
}

/// Returns the dimensions of the array that the tile has; null for the last
/// ones in their order.
DenseI64ArrayAttr BoxAccess::getDims() {
  int64_t rank = box.indices.size(), first = rank - int64_t(dims.size());
  bool areLast = llvm::equal(dims, llvm::seq<int64_t>(first, rank));
  return areLast ? DenseI64ArrayAttr() : b.getDenseI64ArrayAttr(dims);
}

void BoxAccess::load(GatherOp gather) {
  Value loaded = LoadOp::create(
      b, getType(), array, starts, gather.getPad(), /*mask=*/Value(),
      box.isMasked ? UnitAttr() : b.getUnitAttr(), getDims());
  gather.replaceAllUsesWith(
      b.createOrFold<ReshapeOp>(gather.getType(), loaded));
  gather.erase();
}

void BoxAccess::store(ScatterOp scatter) {
  Value value = b.createOrFold<ReshapeOp>(getType(), scatter.getValue());
  StoreOp::create(b, value, array, starts, /*mask=*/Value(),
                  box.isMasked ? UnitAttr() : b.getUnitAttr(), getDims());
  scatter.erase();
}

void BoxAccess::create() {
  for (const Index &index : box.indices) {
    std::optional<int64_t> constant = getConstantIntValue(index.start);
    starts.push_back(
        constant ? arith::ConstantIndexOp::create(b, *constant).getResult()
                 : b.createOrFold<arith::IndexCastOp>(
                       b.getIndexType(), cast<Value>(index.start)));
  }
  for (auto [axis, extent] : llvm::enumerate(box.shape))
    for (auto [dim, index] : llvm::enumerate(box.indices))
      if (index.axis == int64_t(axis)) {
        dims.push_back(dim);
        extents.push_back(extent);
      }
  if (dims.empty()) {
    dims.push_back(box.indices.size() - 1);
    extents.push_back(1);
  }
  if (auto gather = dyn_cast<GatherOp>(box.access))
    load(gather);
  else
    store(cast<ScatterOp>(box.access));
}

//===----------------------------------------------------------------------===//
// Arrays
//===----------------------------------------------------------------------===//

/// Returns the boxes of all accesses of an array; none if one is no box, or if
/// they disagree on the array's form.
static SmallVector<Box> findBoxes(KernelOp kernel,
                                  ArrayRef<unsigned> parameters,
                                  const llvm::SmallDenseSet<unsigned> &sizes,
                                  IndexFinder &indices, BlockArgument array) {
  SmallVector<Box> boxes;
  for (Operation *access : array.getUsers()) {
    BoxFinder finder(kernel, parameters, sizes, indices,
                     parameters[array.getArgNumber()]);
    std::optional<Box> box = finder.find(access);
    if (!box || (!boxes.empty() &&
                 (box->indices.size() != boxes.front().indices.size() ||
                  box->isContiguous != boxes.front().isContiguous)))
      return {};
    boxes.push_back(std::move(*box));
  }
  return boxes;
}

/// Whether something else than the boxes of an array uses its extents or
/// strides. They then stay parameters, and an array with extents of its own
/// could contradict them.
static bool haveOtherUses(KernelOp kernel, ArrayRef<unsigned> parameters,
                          const llvm::SmallDenseSet<unsigned> &sizes,
                          BlockArgument array, ArrayRef<Box> boxes) {
  if (llvm::none_of(boxes, [](const Box &box) { return box.isMasked; }))
    return false;
  unsigned base = parameters[array.getArgNumber()];
  unsigned count = 2 * boxes.front().indices.size();
  llvm::SmallPtrSet<Operation *, 8> accesses, seen;
  SmallVector<Value> open;
  for (const Box &box : boxes)
    accesses.insert(box.access);
  for (BlockArgument argument : kernel.getArguments()) {
    unsigned parameter = parameters[argument.getArgNumber()];
    if (sizes.contains(parameter) && parameter > base &&
        parameter <= base + count)
      open.push_back(argument);
  }
  while (!open.empty())
    for (OpOperand &use : open.pop_back_val().getUses()) {
      Operation *user = use.getOwner();
      auto scatter = dyn_cast<ScatterOp>(user);
      bool isStored = scatter && use.get() == scatter.getValue();
      if (accesses.contains(user) && !isStored)
        continue;
      if (!isPure(user) || user->getNumRegions() != 0)
        return true;
      if (seen.insert(user).second)
        llvm::append_range(open, user->getResults());
    }
  return false;
}

/// Returns the type of an array with extents and strides.
static MemRefType getArrayType(Type element, const Box &box) {
  int64_t rank = box.indices.size();
  SmallVector<int64_t> unknown(rank, ShapedType::kDynamic), strides = unknown;
  if (box.isContiguous)
    strides.back() = 1;
  if (rank == 1 && box.isContiguous)
    return MemRefType::get(unknown, element);
  return MemRefType::get(
      unknown, element,
      StridedLayoutAttr::get(element.getContext(), /*offset=*/0, strides));
}

void tile::cudatile::boxPointerAccesses(
    KernelOp kernel, SmallVectorImpl<unsigned> &parameters,
    const llvm::SmallDenseSet<unsigned> &sizes) {
  IndexFinder indices;
  for (unsigned i = 0; i < kernel.getNumArguments(); ++i) {
    BlockArgument array = kernel.getArgument(i);
    auto type = dyn_cast<MemRefType>(array.getType());
    // Pointers have an array without strides; views have one with them.
    if (!type || isa<StridedLayoutAttr>(type.getLayout()))
      continue;
    SmallVector<Box> boxes =
        findBoxes(kernel, parameters, sizes, indices, array);
    if (boxes.empty() || haveOtherUses(kernel, parameters, sizes, array, boxes))
      continue;
    MemRefType shaped = getArrayType(type.getElementType(), boxes.front());
    DictionaryAttr attributes = kernel.getArgAttrDict(i);
    parameters.insert(parameters.begin() + i, parameters[i]);
    (void)kernel.insertArgument(++i, shaped, attributes, array.getLoc());
    for (const Box &box : boxes)
      BoxAccess(box, kernel.getArgument(i)).create();
  }
}
