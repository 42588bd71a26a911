// LoadOnce.cpp - one load for boxes that several loops load
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LoadOnce.h"

#include "AccessBox.h"
#include "ArgumentRoles.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tile;

/// kMostBytes limits the shared memory, in bytes, of all boxes of a kernel that
/// are loaded once.
static constexpr int64_t kMostBytes = 32 << 10;

namespace {
/// LoopLoad is a load in a loop. The boxes of the iterations are contiguous
/// along one dimension.
struct LoopLoad {
  LoadOp load;
  scf::ForOp loop;
  Box whole; ///< of all iterations
  /// arrayDim and tileDim are the dimensions of the array and of the tile along
  /// which the boxes are contiguous.
  int64_t arrayDim, tileDim;
};
} // namespace

static int64_t countBytes(TileType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

/// Returns the type of the tile of all iterations.
static TileType getWholeType(LoopLoad load) {
  TileType type = load.load.getType();
  SmallVector<int64_t> shape(type.getShape());
  shape[load.tileDim] = load.whole.extents[load.arrayDim];
  return TileType::get(shape, type.getElementType());
}

/// Whether the loop moves an offset, each iteration by `extent`.
static bool isMovedBy(const Offset &offset, const Mover &loop, int64_t extent) {
  auto found = offset.movers.find(loop);
  return found != offset.movers.end() && found->second == extent;
}

static std::optional<LoopLoad> readLoad(LoadOp load) {
  auto loop = dyn_cast<scf::ForOp>(load->getParentOp());
  std::optional<APInt> trips = loop ? loop.getStaticTripCount() : std::nullopt;
  bool isPlain = isReadOnlyArgument(load.getSource()) && !load.getMask() &&
                 !load.getPad() && !load.getType().getStorage();
  std::optional<Box> box = isPlain ? readBox(load) : std::nullopt;
  if (!box || !trips || trips->ult(2) || trips->getActiveBits() > 31)
    return std::nullopt;
  LoopLoad found{load, loop, *box, -1, -1};
  Mover mover(std::nullopt, loop);
  for (auto [dim, extent] : llvm::enumerate(load.getType().getShape())) {
    int64_t arrayDim = getArrayDimension(load, dim);
    if (isMovedBy(box->offsets[arrayDim], mover, extent)) {
      found.arrayDim = arrayDim;
      found.tileDim = dim;
    }
  }
  if (found.tileDim < 0)
    return std::nullopt;
  found.whole.offsets[found.arrayDim].movers.erase(mover);
  found.whole.extents[found.arrayDim] *= trips->getSExtValue();
  // Nothing else moves the box within the program.
  for (const Offset &offset : found.whole.offsets)
    if (!offset.isKnown || llvm::any_of(offset.movers, [](const auto &other) {
          return !other.first.first && other.second != 0;
        }))
      return std::nullopt;
  return found;
}

static bool isSame(const Offset &a, const Offset &b) {
  return a.constant == b.constant && a.movers == b.movers &&
         a.others == b.others;
}

/// Whether both loads are of the same box, from the same array, by loops of one
/// block.
static bool isSame(LoopLoad a, LoopLoad b) {
  return a.load.getSource() == b.load.getSource() &&
         a.loop->getBlock() == b.loop->getBlock() &&
         a.load.getDimsAttr() == b.load.getDimsAttr() &&
         a.load.getInBounds() == b.load.getInBounds() &&
         a.whole.extents == b.whole.extents &&
         getWholeType(a) == getWholeType(b) &&
         llvm::equal(
             a.whole.offsets, b.whole.offsets,
             [](const Offset &x, const Offset &y) { return isSame(x, y); });
}

/// Creates the value of an offset, which no loop moves.
static Value createOffset(ImplicitLocOpBuilder &b, const Offset &offset) {
  Value sum = arith::ConstantIndexOp::create(b, offset.constant);
  auto add = [&](Value value, int64_t factor) {
    Value multiple = b.createOrFold<arith::MulIOp>(
        value, arith::ConstantIndexOp::create(b, factor).getResult());
    sum = b.createOrFold<arith::AddIOp>(multiple, sum);
  };
  for (auto &[mover, factor] : offset.movers)
    if (factor != 0)
      add(ProgramIdOp::create(b, *mover.first), factor);
  for (auto &[value, factor] : offset.others)
    add(toIndex(b, Value::getFromOpaquePointer(value)), factor);
  return sum;
}

/// Whether the value that an offset depends on is known before `op`. The order
/// of several values would differ between compilations.
static bool isKnownBefore(const Offset &offset, Operation *op) {
  if (offset.others.size() > 1)
    return false;
  return llvm::all_of(offset.others, [&](const auto &other) {
    Operation *source =
        Value::getFromOpaquePointer(other.first).getDefiningOp();
    Operation *user =
        source ? source->getBlock()->findAncestorOpInBlock(*op) : nullptr;
    return !source || (user && source->isBeforeInBlock(user));
  });
}

/// Replaces loads of the same box by views of one load before the first loop.
static void loadWhole(ArrayRef<LoopLoad> loads) {
  LoopLoad first = loads.front();
  ImplicitLocOpBuilder b(first.load.getLoc(), first.loop);
  SmallVector<Value> offsets;
  for (const Offset &offset : first.whole.offsets)
    offsets.push_back(createOffset(b, offset));
  auto whole = LoadOp::create(
      b, getWholeType(first), first.load.getSource(), offsets, /*pad=*/Value(),
      /*mask=*/Value(), first.load.getInBounds(), first.load.getDimsAttr());
  for (LoopLoad load : loads) {
    b.setLoc(load.load.getLoc());
    b.setInsertionPoint(load.load);
    SmallVector<Value> starts(load.load.getType().getRank(),
                              arith::ConstantIndexOp::create(b, 0));
    starts[load.tileDim] = b.createOrFold<arith::SubIOp>(
        load.load.getOffsets()[load.arrayDim], offsets[load.arrayDim]);
    auto view = ViewOp::create(b, load.load.getType(), whole, starts,
                               /*steps=*/DenseI64ArrayAttr());
    load.load.getResult().replaceAllUsesWith(view.getResult());
    load.load.erase();
  }
}

void tile::loadOnce(KernelOp kernel) {
  SmallVector<LoopLoad> loads;
  kernel.walk([&](LoadOp load) {
    if (std::optional<LoopLoad> found = readLoad(load))
      loads.push_back(*found);
  });
  int64_t bytes = 0;
  while (!loads.empty()) {
    LoopLoad first = loads.front();
    SmallVector<LoopLoad> same, others;
    for (LoopLoad load : loads)
      (isSame(first, load) ? same : others).push_back(load);
    loads = std::move(others);
    bool isReused = llvm::any_of(
        same, [&](LoopLoad load) { return load.loop != first.loop; });
    bool isKnown = llvm::all_of(first.whole.offsets, [&](const Offset &offset) {
      return isKnownBefore(offset, first.loop);
    });
    int64_t size = countBytes(getWholeType(first));
    if (!isReused || !isKnown || size > kMostBytes - bytes)
      continue;
    bytes += size;
    loadWhole(same);
  }
}
