// PartLayouts.cpp - parts of a tile as some of each thread's values
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Along each dimension lanes and warps repeat after a period
// (RegisterLayout::getPeriod). A part that starts at a multiple of the period
// has the same value indices in every thread, so it is cut out, joined to
// others or replaced without moving an element. Example, columns 64 to 127 of a
// 64x128 tile, in which 16 lanes with 4 adjacent elements each have half of a
// row, and both halves of each of the four warps have a row of their own:
//
//   ((16,2),4,(4,8,2)) : ((4,128),256,(1,1024,64))   the tile
//   ((16,2),4,(4,8))   : ((4,64),128,(1,512))        its part: values 32 to 63
//
// Other parts go through shared memory.

#include "tile/IR/ConvertLayout.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tile;

/// Number of bytes of a tile that a thread may hold without a loss, even if
/// other threads hold less: two accesses of 16 bytes.
static constexpr int64_t kThreadBytes = 32;

/// Whether the tile is spread over the threads: none has more than twice the
/// elements of an even split.
static bool isSpread(const RegisterLayout &layout, TileType tile) {
  int64_t bytes = getElementBytes(tile.getElementType());
  int64_t share =
      llvm::divideCeil(tile.getNumElements(), layout.getNumWarps() * kWarpSize);
  return layout.getNumValues() <= std::max(kThreadBytes / bytes, 2 * share);
}

/// Whether padding is at most a quarter of the values of a part, if the whole
/// has none.
static bool isFilled(const RegisterLayout &whole, TileType wholeType,
                     const RegisterLayout &part, TileType partType) {
  return 3 * part.getNumValues() * wholeType.getNumElements() <=
         4 * whole.getNumValues() * partType.getNumElements();
}

/// Returns the layout of a tile of shape `to`, in the same threads: one of the
/// shapes `from` and `to` is the whole tile, the other its part at `offsets`.
/// Returns nothing if the part does not start at the same value in all threads.
static std::optional<RegisterLayout> resizeLayout(const RegisterLayout &layout,
                                                  ArrayRef<int64_t> from,
                                                  ArrayRef<int64_t> to,
                                                  ArrayRef<int64_t> offsets) {
  RegisterLayout resized = layout;
  for (auto [dim, offset] : llvm::enumerate(offsets)) {
    if (offset % layout.getPeriod(dim) != 0)
      return std::nullopt;
    if (from[dim] != to[dim])
      resized = resized.resizeDimension(dim, to[dim]);
  }
  return resized;
}

/// Whether the conversion of a tile from one layout to another needs no shared
/// memory.
static bool isNear(TileType tile, const RegisterLayout &from,
                   const RegisterLayout &to) {
  auto in = [&](const RegisterLayout &layout) {
    return tile.withStorage(RegisterAttr::get(tile.getContext(), layout));
  };
  return getRegisterMove(in(from), in(to)) != RegisterMove::exchange;
}

static bool isNear(Value tile, const RegisterLayout &to) {
  return isNear(cast<TileType>(tile.getType()), getRegisterLayout(tile), to);
}

static bool isNear(const RegisterLayout &made, TileType wanted) {
  return isNear(wanted, made, wanted.getRegister().getRegisterLayout());
}

//===----------------------------------------------------------------------===//
// ViewOp
//===----------------------------------------------------------------------===//

bool ViewOp::followsSource() { return true; }

std::optional<RegisterLayout>
ViewOp::inferResultLayout(const RegisterLayout &source) {
  std::optional<SmallVector<int64_t>> offsets = getConstantOffsets();
  if (!offsets)
    return std::nullopt;
  TileType whole = getSource().getType();
  auto made =
      resizeLayout(source, whole.getShape(), getType().getShape(), *offsets);
  return made && isFilled(source, whole, *made, getType()) ? made
                                                           : std::nullopt;
}

std::optional<RegisterLayout>
ViewOp::inferSourceLayout(const RegisterLayout &result) {
  std::optional<SmallVector<int64_t>> offsets = getConstantOffsets();
  return offsets ? resizeLayout(result, getType().getShape(),
                                getSource().getType().getShape(), *offsets)
                 : std::nullopt;
}

SmallVector<int64_t> ViewOp::getSourceParts() {
  std::optional<SmallVector<int64_t>> offsets = getConstantOffsets();
  if (!offsets)
    return {};
  SmallVector<int64_t> parts;
  for (auto [offset, extent, whole] : llvm::zip_equal(
           *offsets, getType().getShape(), getSource().getType().getShape())) {
    int64_t end = offset + extent;
    parts.push_back(end == whole ? offset : std::gcd(offset, end));
  }
  return parts;
}

/// Makes a result in shared memory and loads it before each use. If it were
/// loaded elsewhere, a barrier would be necessary before the next write.
static void readAtUses(OpResult result, TileType wanted) {
  result.setType(wanted.withStorage(getAnyShared(result.getContext())));
  for (OpOperand &use : llvm::make_early_inc_range(result.getUses())) {
    OpBuilder builder(use.getOwner());
    use.set(convertTo(builder, result.getLoc(), result, wanted.getStorage()));
  }
}

void ViewOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  auto made = inferResultLayout(getRegisterLayout(getSource()));
  if (made && isNear(*made, wanted[0]))
    return setResult(getOperation()->getResult(0), *made, wanted[0]);
  // If the source was itself loaded from shared memory, that tile is used.
  auto read = getSource().getDefiningOp<ConvertLayoutOp>();
  if (read && isInShared(read.getSource()))
    getSourceMutable().assign(read.getSource());
  else
    convertToShared(getSourceMutable());
  readAtUses(getOperation()->getResult(0), wanted[0]);
}

//===----------------------------------------------------------------------===//
// JoinOp
//===----------------------------------------------------------------------===//

/// A part that any thread can compute, such as a constant, is grouped with the
/// first part, so that it is created in the layout of that part.
SmallVector<SmallVector<Value>> JoinOp::getLayoutGroups() {
  SmallVector<Value> group = {getParts().front()};
  for (Value part : getParts().drop_front()) {
    Operation *op = part.getDefiningOp();
    if (op && part.getType() == group.front().getType() &&
        (op->hasTrait<OpTrait::ConstantLike>() ||
         op->hasTrait<Rematerializable>()))
      group.push_back(part);
  }
  return {group};
}

bool JoinOp::followsSource() { return true; }

std::optional<RegisterLayout>
JoinOp::inferResultLayout(const RegisterLayout &source) {
  for (int64_t begin : getBegins())
    if (begin != getType().getDimSize(getAxis()) &&
        begin % source.getPeriod(getAxis()) != 0)
      return std::nullopt;
  RegisterLayout made =
      source.resizeDimension(getAxis(), getType().getDimSize(getAxis()));
  return isSpread(made, getType()) ? std::optional(made) : std::nullopt;
}

std::optional<RegisterLayout>
JoinOp::inferSourceLayout(const RegisterLayout &result) {
  RegisterLayout part = getPartLayout(result, 0);
  return inferResultLayout(part) ? std::optional(part) : std::nullopt;
}

RegisterLayout JoinOp::getPartLayout(const RegisterLayout &result,
                                     unsigned part) {
  SmallVector<int64_t> begins = getBegins();
  return result.resizeDimension(getAxis(), begins[part + 1] - begins[part]);
}

void JoinOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  auto made = inferResultLayout(getRegisterLayout(getParts().front()));
  bool isInThreads = made && isNear(*made, wanted[0]);
  for (auto [index, part] : llvm::enumerate(getParts()))
    isInThreads = isInThreads && isNear(part, getPartLayout(*made, index));
  if (!isInThreads)
    return setSharedResult(*this, wanted[0]);
  OpBuilder builder(*this);
  for (auto [index, part] : llvm::enumerate(getPartsMutable()))
    part.set(
        convertTo(builder, getLoc(), part.get(), getPartLayout(*made, index)));
  setResult(getOperation()->getResult(0), *made, wanted[0]);
}

//===----------------------------------------------------------------------===//
// InsertOp
//===----------------------------------------------------------------------===//

std::optional<RegisterLayout>
InsertOp::inferPartLayout(const RegisterLayout &dest) {
  std::optional<SmallVector<int64_t>> offsets = getConstantOffsets();
  if (!offsets)
    return std::nullopt;
  ArrayRef<int64_t> whole = getType().getShape();
  SmallVector<int64_t> box = getBox();
  for (auto [dim, offset] : llvm::enumerate(*offsets)) {
    int64_t end = offset + box[dim];
    if (end != whole[dim] && end % dest.getPeriod(dim) != 0)
      return std::nullopt;
  }
  return resizeLayout(dest, whole, box, *offsets);
}

/// Replaces the elements in registers if each thread can hold the part's
/// elements that replace its own; otherwise they are written into a copy of the
/// tile in shared memory.
void InsertOp::adaptToLayouts(ArrayRef<TileType> wanted, int64_t) {
  TileType type = wanted[0];
  RegisterLayout layout = type.getRegister().getRegisterLayout();
  std::optional<RegisterLayout> part = inferPartLayout(layout);
  if (part && isNear(getDest(), layout) && isNear(getPart(), *part)) {
    OpBuilder builder(*this);
    if (getDest().getType() != type)
      getDestMutable().assign(
          convertTo(builder, getLoc(), getDest(), type.getStorage()));
    getPartMutable().assign(convertTo(builder, getLoc(), getPart(), *part));
    getResult().setType(type);
    return;
  }
  convertToShared(getDestMutable());
  setSharedResult(*this, wanted[0]);
}
