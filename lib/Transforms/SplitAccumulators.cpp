// SplitAccumulators.cpp - accumulators that a block cannot hold, part by part
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   scf.for %k ... iter_args(%acc) -> !tile.tile<256x256xf32> {
//     %a = tile.load %A[%i, %k] : ... -> !tile.tile<256x64xf16>
//     %b = tile.load %B[%k, %j] : ... -> !tile.tile<64x256xf16>
//     tile.matmul %a, %b, %acc
//   }
//   tile.store %acc, %C[%i, %j]
//
// becomes the same program in a loop over halves of the columns, whose offsets
// are %j and %j + 128. Each iteration loads %A again, which costs less than an
// accumulator that spills.

#include "tile/Analysis/Alignment.h"
#include "tile/IR/Decisions.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"

namespace tile {
#define GEN_PASS_DEF_SPLITACCUMULATORS
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

/// The bytes of an accumulator that 512 threads, the most for a matmul of large
/// tiles, hold in 96 of their 128 registers. The others are for operands and
/// addresses.
static constexpr int64_t kMaxBytes = 512 * 96 * 4;

static int64_t countBytes(TileType type) {
  return type.getNumElements() * getElementBytes(type.getElementType());
}

//===----------------------------------------------------------------------===//
// A dimension of the tiles of a kernel
//===----------------------------------------------------------------------===//

namespace {
/// Dimension is a dimension that tiles of a kernel share: each has it as one of
/// its own dimensions.
class Dimension {
public:
  /// Finds the tiles that share a dimension of `tile`. Fails if an operation
  /// combines elements along it, or cannot be done on parts of it.
  LogicalResult find(Value tile, int64_t dim);
  bool has(Value tile) const { return dims.contains(tile); }
  /// Whether accesses of a box move apart with the parts: in a loop, boxes of
  /// its iterations are the same or do not overlap along the dimension.
  bool isDisjoint(ArrayAccessOpInterface access) const;
  /// Does the kernel on each of `parts` equal parts of the dimension, in turn.
  void split(KernelOp kernel, int64_t parts);

private:
  LogicalResult add(Value tile, int64_t dim);
  LogicalResult addAll(ValueRange tiles, int64_t dim);
  LogicalResult visit(Operation *op, Value tile, int64_t dim);
  LogicalResult visitLoop(scf::ForOp loop, unsigned index, int64_t dim);
  LogicalResult visitBranch(scf::IfOp branch, unsigned index, int64_t dim);
  LogicalResult visitEnd(Operation *end, Value tile, int64_t dim);

  int64_t extent = 0;
  llvm::MapVector<Value, int64_t> dims;
  SmallVector<Value> open;
};
} // namespace

LogicalResult Dimension::add(Value tile, int64_t dim) {
  if (!isa<TileType>(tile.getType()))
    return failure();
  ArrayRef<int64_t> shape = cast<TileType>(tile.getType()).getShape();
  if (dims.empty() && dim < static_cast<int64_t>(shape.size()))
    extent = shape[dim];
  if (dim >= static_cast<int64_t>(shape.size()) || shape[dim] != extent)
    return failure();
  auto [found, isNew] = dims.insert({tile, dim});
  if (isNew)
    open.push_back(tile);
  return success(found->second == dim);
}

LogicalResult Dimension::addAll(ValueRange tiles, int64_t dim) {
  return success(llvm::all_of(
      tiles, [&](Value tile) { return succeeded(add(tile, dim)); }));
}

/// Adds a value that a loop carries.
LogicalResult Dimension::visitLoop(scf::ForOp loop, unsigned index,
                                   int64_t dim) {
  return addAll({loop.getInitArgs()[index], loop.getRegionIterArg(index),
                 loop.getYieldedValues()[index], loop.getResult(index)},
                dim);
}

LogicalResult Dimension::visitBranch(scf::IfOp branch, unsigned index,
                                     int64_t dim) {
  return addAll({branch.thenYield().getOperand(index),
                 branch.elseYield().getOperand(index), branch.getResult(index)},
                dim);
}

/// Adds the values with which a region's end passes a tile on.
LogicalResult Dimension::visitEnd(Operation *end, Value tile, int64_t dim) {
  for (OpOperand &operand : end->getOpOperands()) {
    if (operand.get() != tile)
      continue;
    unsigned index = operand.getOperandNumber();
    auto loop = dyn_cast<scf::ForOp>(end->getParentOp());
    auto branch = dyn_cast<scf::IfOp>(end->getParentOp());
    LogicalResult result = loop     ? visitLoop(loop, index, dim)
                           : branch ? visitBranch(branch, index, dim)
                                    : failure();
    if (failed(result))
      return failure();
  }
  return success();
}

/// Adds the tiles that have the dimension because `tile`, an operand or a
/// result of the operation, has it.
LogicalResult Dimension::visit(Operation *op, Value tile, int64_t dim) {
  if (auto parts = dyn_cast<PartsOpInterface>(op)) {
    FailureOr<SmallVector<TileDimension>> others = parts.findParts({tile, dim});
    return success(succeeded(others) &&
                   llvm::all_of(*others, [&](TileDimension other) {
                     return succeeded(add(other.tile, other.dim));
                   }));
  }
  if (isa<scf::YieldOp>(op))
    return visitEnd(op, tile, dim);
  if (auto branch = dyn_cast<scf::IfOp>(op))
    return visitBranch(branch, cast<OpResult>(tile).getResultNumber(), dim);
  if (auto loop = dyn_cast<scf::ForOp>(op)) {
    for (unsigned i = 0; i < loop.getInitArgs().size(); ++i)
      if ((loop.getInitArgs()[i] == tile || loop.getResult(i) == tile) &&
          failed(visitLoop(loop, i, dim)))
        return failure();
    return success();
  }
  SplatElementsAttr splat;
  if (op == tile.getDefiningOp() && matchPattern(tile, m_Constant(&splat)))
    return success();
  if (!op->hasTrait<OpTrait::Elementwise>())
    return failure();
  auto isTile = [](Value value) { return isa<TileType>(value.getType()); };
  return success(succeeded(addAll(
                     llvm::filter_to_vector(op->getOperands(), isTile), dim)) &&
                 succeeded(addAll(op->getResults(), dim)));
}

LogicalResult Dimension::find(Value tile, int64_t dim) {
  if (failed(add(tile, dim)))
    return failure();
  while (!open.empty()) {
    Value next = open.pop_back_val();
    int64_t own = dims.lookup(next);
    Operation *maker = next.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(next)) {
      auto loop = dyn_cast<scf::ForOp>(argument.getOwner()->getParentOp());
      if (!loop || failed(visitLoop(loop, argument.getArgNumber() - 1, own)))
        return failure();
    } else if (failed(visit(maker, next, own))) {
      return failure();
    }
    for (Operation *user : next.getUsers())
      if (failed(visit(user, next, own)))
        return failure();
  }
  return success();
}

/// Returns the operand that is the offset along a dimension of its tile.
static unsigned getOffsetOperand(ArrayAccessOpInterface access, int64_t dim) {
  OperandRange offsets = access.getOffsets();
  int64_t rank = getTileShape(access.getAccessedTile().getType()).size();
  return offsets.getBeginOperandIndex() + offsets.size() - rank + dim;
}

bool Dimension::isDisjoint(ArrayAccessOpInterface access) const {
  auto found = dims.find(access.getAccessedTile());
  if (found == dims.end())
    return false;
  Value offset = access->getOperand(getOffsetOperand(access, found->second));
  bool isInLoop = access->getParentOfType<LoopLikeOpInterface>() != nullptr;
  return !isInLoop || getKnownDivisor(offset) % extent == 0;
}

/// Adds to an offset of an access, along a dimension of its tile.
static void moveAccess(ImplicitLocOpBuilder &b, ArrayAccessOpInterface access,
                       int64_t dim, Value start) {
  unsigned operand = getOffsetOperand(access, dim);
  b.setInsertionPoint(access);
  access->setOperand(
      operand, arith::AddIOp::create(b, access->getOperand(operand), start));
}

/// Moves the operations of a kernel to a loop, which it returns.
static scf::ForOp wrap(ImplicitLocOpBuilder &b, KernelOp kernel,
                       int64_t parts) {
  Block &body = kernel.getBody().front();
  b.setInsertionPoint(body.getTerminator());
  Value zero = arith::ConstantIndexOp::create(b, 0),
        end = arith::ConstantIndexOp::create(b, parts),
        one = arith::ConstantIndexOp::create(b, 1);
  auto loop = scf::ForOp::create(b, zero, end, one);
  Block &inner = *loop.getBody();
  inner.getOperations().splice(inner.getTerminator()->getIterator(),
                               body.getOperations(), body.begin(),
                               zero.getDefiningOp()->getIterator());
  return loop;
}

void Dimension::split(KernelOp kernel, int64_t parts) {
  ImplicitLocOpBuilder b(kernel.getLoc(), kernel.getContext());
  scf::ForOp loop = wrap(b, kernel, parts);
  llvm::SetVector<Operation *> accesses;
  auto addAccess = [&](Operation *op) {
    if (isa_and_present<ArrayAccessOpInterface>(op))
      accesses.insert(op);
  };
  for (Value tile : llvm::make_first_range(dims)) {
    addAccess(tile.getDefiningOp());
    llvm::for_each(tile.getUsers(), addAccess);
  }
  b.setInsertionPointToStart(loop.getBody());
  Value start =
      arith::MulIOp::create(b, loop.getInductionVar(),
                            arith::ConstantIndexOp::create(b, extent / parts));
  for (Operation *op : accesses) {
    auto access = cast<ArrayAccessOpInterface>(op);
    moveAccess(b, access, dims.lookup(access.getAccessedTile()), start);
  }
  for (auto [tile, dim] : dims) {
    auto type = cast<TileType>(tile.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[dim] /= parts;
    auto part = TileType::get(shape, type.getElementType());
    SplatElementsAttr splat;
    if (matchPattern(tile, m_Constant(&splat)))
      tile.getDefiningOp()->setAttr("value",
                                    splat.resizeSplat(cast<ShapedType>(part)));
    tile.setType(part);
  }
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Returns the argument that an array is, or of which it is a view.
static Value getRoot(Value array) {
  while (auto view = array.getDefiningOp<ViewLikeOpInterface>())
    array = view.getViewSource();
  return array;
}

/// Whether the kernel may be run on parts in turn: it accesses arguments only,
/// reads none that it writes, and writes each of them once, in parts that do
/// not overlap.
static bool isRepeatable(KernelOp kernel, const Dimension &dimension) {
  llvm::SmallDenseSet<Value> read, written;
  WalkResult result = kernel.walk([&](Operation *op) -> WalkResult {
    if (op->getNumRegions() > 0 || isMemoryEffectFree(op))
      return WalkResult::advance();
    SmallVector<MemoryEffects::EffectInstance> effects;
    if (auto memory = dyn_cast<MemoryEffectOpInterface>(op))
      memory.getEffects(effects);
    for (const MemoryEffects::EffectInstance &effect : effects) {
      Value root = effect.getValue() ? getRoot(effect.getValue()) : Value();
      auto argument = dyn_cast_if_present<BlockArgument>(root);
      if (!argument || argument.getOwner() != &kernel.getBody().front())
        return WalkResult::interrupt();
      if (isa<MemoryEffects::Read>(effect.getEffect())) {
        read.insert(root);
        continue;
      }
      auto access = dyn_cast<ArrayAccessOpInterface>(op);
      if (!access || !dimension.isDisjoint(access) ||
          !written.insert(root).second)
        return WalkResult::interrupt();
    }
    return failure(effects.empty());
  });
  return !result.wasInterrupted() && llvm::none_of(written, [&](Value array) {
    return read.contains(array);
  });
}

static bool isLarge(MatmulOpInterface matmul) {
  return countBytes(matmul.getSumType()) > kMaxBytes;
}

/// Whether all large accumulators of a kernel have the dimension, so that none
/// is computed again for each part.
static bool hasAllLarge(KernelOp kernel, const Dimension &dimension) {
  return !kernel
              .walk([&](MatmulOpInterface matmul) -> WalkResult {
                return failure(isLarge(matmul) &&
                               !dimension.has(matmul->getResult(0)));
              })
              .wasInterrupted();
}

/// Returns the least number of parts of an extent, a power of two, of which a
/// block can hold one; nothing if there is none, or if they are too narrow for
/// the rate of an instruction.
static std::optional<int64_t> chooseParts(TileType type, int64_t extent) {
  constexpr int64_t kLeast = 32;
  for (int64_t parts = 2; extent % parts == 0 && extent / parts >= kLeast;
       parts *= 2)
    if (countBytes(type) / parts <= kMaxBytes)
      return parts;
  return std::nullopt;
}

/// Splits the accumulator of a matmul along its larger dimension, or the other
/// one.
static void splitAccumulator(KernelOp kernel, MatmulOpInterface matmul) {
  TileType type = matmul.getSumType();
  int64_t rank = type.getRank(), rows = type.getShape()[rank - 2],
          columns = type.getShape()[rank - 1];
  SmallVector<int64_t> candidates = {rank - 1, rank - 2};
  if (rows > columns)
    std::swap(candidates[0], candidates[1]);
  for (int64_t dim : candidates) {
    std::optional<int64_t> parts = chooseParts(type, type.getShape()[dim]);
    Dimension dimension;
    if (!parts || failed(dimension.find(matmul->getResult(0), dim)) ||
        !isRepeatable(kernel, dimension) || !hasAllLarge(kernel, dimension))
      continue;
    recordDecision(matmul, "accumulator",
                   Twine(*parts) + " parts, one after the other",
                   "a block cannot hold " + Twine(rows) + " x " +
                       Twine(columns) + " elements in registers");
    dimension.split(kernel, *parts);
    return;
  }
}

namespace {
struct SplitAccumulators
    : tile::impl::SplitAccumulatorsBase<SplitAccumulators> {
  void runOnOperation() override {
    KernelOp kernel = getOperation();
    MatmulOpInterface large;
    kernel.walk([&](MatmulOpInterface matmul) {
      if (!large && isLarge(matmul))
        large = matmul;
    });
    if (large && llvm::hasSingleElement(kernel.getBody()))
      splitAccumulator(kernel, large);
  }
};
} // namespace
