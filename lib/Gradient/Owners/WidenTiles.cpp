// WidenTiles.cpp - larger tiles for owners along a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WidenTiles.h"

#include "tile/Gradient/ValueBuilder.h"
#include "tile/IR/PermutedAccess.h"

#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tile;

/// The extent of a side of an accumulator, and its elements, at most: those of
/// the tile of one block of four warps.
constexpr int64_t kMostSide = 128;
constexpr int64_t kMostElements = kMostSide * kMostSide;

namespace {
/// Finds the dimension along which each tile moves with the iteration.
class MovedTiles {
public:
  explicit MovedTiles(Value index) { indices.insert(index); }

  /// Visits the operations of a kernel. Returns false if one of them cannot be
  /// widened.
  bool visit(KernelOp kernel);

  void widen(int64_t factor);

  using Dim = std::optional<int64_t>;
  Dim lookup(Value tile) const;

private:
  bool visit(Operation *op);
  Dim getMovedDim(Operation *op);
  template <typename Access>
  Dim getAccessDim(Access access);
  Dim getElementwiseDim(Operation *op);
  Dim getMatmulDim(MatmulOp op);
  bool uses(Operation *op) const;

  /// Integers that depend on the iteration.
  llvm::DenseSet<Value> indices;
  llvm::MapVector<Value, int64_t> moved;
  /// Constants with one value that are operands together with moved tiles, and
  /// the dimension to widen.
  SmallVector<std::pair<OpOperand *, int64_t>> constants;
};
} // namespace

MovedTiles::Dim MovedTiles::lookup(Value tile) const {
  auto found = moved.find(tile);
  return found == moved.end() ? Dim() : found->second;
}

/// Whether an operation, or one in its regions, uses the iteration or a moved
/// tile.
bool MovedTiles::uses(Operation *op) const {
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return indices.contains(operand) || moved.count(operand);
  });
}

/// Returns the tile's dimension that an access moves along.
template <typename Access>
MovedTiles::Dim MovedTiles::getAccessDim(Access access) {
  if (access.getMask())
    return {};
  Dim found;
  unsigned count = 0;
  for (auto [dim, offset] : llvm::enumerate(access.getOffsets())) {
    if (!indices.contains(offset))
      continue;
    ++count;
    auto type = cast<TileType>(access.getAccessedTile().getType());
    for (int64_t i = 0; i < type.getRank(); ++i)
      if (getArrayDimension(access, i) == static_cast<int64_t>(dim))
        found = i;
  }
  return count == 1 ? found : Dim();
}

static bool isSplat(Value value) {
  SplatElementsAttr splat;
  return matchPattern(value, m_Constant(&splat));
}

/// Returns the dimension of an operation on elements: that of all its tiles,
/// apart from constants.
MovedTiles::Dim MovedTiles::getElementwiseDim(Operation *op) {
  Dim found;
  for (OpOperand &operand : op->getOpOperands()) {
    if (Dim dim = lookup(operand.get())) {
      if (found && found != dim)
        return {};
      found = dim;
    } else if (!isSplat(operand.get())) {
      return {};
    }
  }
  for (OpOperand &operand : op->getOpOperands())
    if (found && !lookup(operand.get()))
      constants.emplace_back(&operand, *found);
  return found;
}

/// The rows of lhs are those of the result, and the columns of rhs.
MovedTiles::Dim MovedTiles::getMatmulDim(MatmulOp op) {
  Dim lhs = lookup(op.getLhs()), rhs = lookup(op.getRhs());
  bool isPlain = cast<TileType>(op.getLhs().getType()).getRank() == 2 &&
                 cast<TileType>(op.getRhs().getType()).getRank() == 2 &&
                 isSplat(op.getAcc());
  bool isSide = (lhs == 0 && !rhs) || (rhs == 1 && !lhs);
  if (!isPlain || !isSide)
    return {};
  Dim dim = lhs ? lhs : rhs;
  constants.emplace_back(&op.getAccMutable(), *dim);
  return dim;
}

MovedTiles::Dim MovedTiles::getMovedDim(Operation *op) {
  return llvm::TypeSwitch<Operation *, Dim>(op)
      .Case<LoadOp>([&](LoadOp load) {
        return load.getPad() ? Dim() : getAccessDim(load);
      })
      .Case<MatmulOp>([&](MatmulOp matmul) { return getMatmulDim(matmul); })
      .Case<TransposeOp>([&](TransposeOp transpose) -> Dim {
        Dim source = lookup(transpose.getSource());
        auto position = llvm::find(transpose.getPermutation(), *source);
        return std::distance(transpose.getPermutation().begin(), position);
      })
      .Default([&](Operation *other) -> Dim {
        bool isElementwise =
            isa<CastOp>(other) || OpTrait::hasElementwiseMappableTraits(other);
        return isElementwise ? getElementwiseDim(other) : Dim();
      });
}

bool MovedTiles::visit(Operation *op) {
  if (!uses(op))
    return true;
  if (auto update = dyn_cast<AtomicRMWOp>(op)) {
    Dim dim = lookup(update.getValue());
    return dim && getAccessDim(update) == dim;
  }
  bool isInteger = op->getNumResults() == 1 &&
                   op->getResult(0).getType().isIntOrIndex() &&
                   isa<arith::ArithDialect>(op->getDialect());
  if (isInteger) {
    indices.insert(op->getResult(0));
    return true;
  }
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return false;
  Dim dim = getMovedDim(op);
  if (dim)
    moved[op->getResult(0)] = *dim;
  return dim.has_value();
}

bool MovedTiles::visit(KernelOp kernel) {
  return !kernel
              ->walk<WalkOrder::PreOrder>([&](Operation *op) {
                return op == kernel || visit(op) ? WalkResult::advance()
                                                 : WalkResult::interrupt();
              })
              .wasInterrupted();
}

static TileType getWideType(Type type, int64_t dim, int64_t factor) {
  auto tile = cast<TileType>(type);
  SmallVector<int64_t> shape(tile.getShape());
  shape[dim] *= factor;
  return TileType::get(shape, tile.getElementType())
      .withStorage(tile.getStorage());
}

void MovedTiles::widen(int64_t factor) {
  for (auto [operand, dim] : constants) {
    TileType type = getWideType(operand->get().getType(), dim, factor);
    SplatElementsAttr splat;
    (void)matchPattern(operand->get(), m_Constant(&splat));
    OpBuilder builder(operand->getOwner());
    operand->set(arith::ConstantOp::create(
        builder, operand->getOwner()->getLoc(),
        DenseElementsAttr::get(cast<ShapedType>(Type(type)),
                               splat.getSplatValue<Attribute>())));
  }
  for (auto [tile, dim] : moved) {
    tile.setType(getWideType(tile.getType(), dim, factor));
    // A box that is larger may reach over the end of the array.
    if (auto load = tile.getDefiningOp<LoadOp>())
      load.setInBounds(false);
  }
}

int64_t tile::widenTiles(KernelOp kernel, Value index, AtomicRMWOp update) {
  MovedTiles tiles(index);
  auto type = cast<TileType>(update.getValue().getType());
  if (type.getRank() != 2 || !tiles.visit(kernel))
    return 1;
  int64_t extent = type.getDimSize(*tiles.lookup(update.getValue()));
  int64_t elements = llvm::product_of(type.getShape());
  int64_t most = std::min(kMostSide / extent, kMostElements / elements);
  if (most <= 1)
    return 1;
  int64_t factor = llvm::bit_floor<uint64_t>(most);
  tiles.widen(factor);
  update.setInBounds(false);
  return factor;
}
