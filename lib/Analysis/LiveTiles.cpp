// LiveTiles.cpp - how much of a kernel's tiles is live at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/LiveTiles.h"

#include "tile/Analysis/Alignment.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Whether only matmuls read a tile, possibly transposed.
static bool isForMatmuls(Value tile) {
  return llvm::all_of(tile.getUses(), [](OpOperand &use) {
    if (isAlias(use.getOwner()))
      return isForMatmuls(use.getOwner()->getResult(0));
    return isa<MatmulOpInterface>(use.getOwner()) && use.getOperandNumber() < 2;
  });
}

namespace {
/// Counts the bytes that a tile takes in the registers of all threads together.
/// They are zero for a tile in a buffer, and for a tile that each thread
/// computes where it is needed.
class RegisterBytes {
public:
  int64_t operator()(Value value) {
    auto type = dyn_cast<TileType>(value.getType());
    if (!type || isMadeAnywhere(value) || hasBuffer(value))
      return 0;
    return type.getNumElements() * getElementBytes(type.getElementType());
  }

private:
  /// Whether each thread can compute any elements of the tile where they are
  /// needed, from scalars and coordinates only.
  bool isMadeAnywhere(Value value) {
    if (!isa<TileType>(value.getType()))
      return true;
    Operation *op = value.getDefiningOp();
    if (!op)
      return false;
    auto [found, isNew] = madeAnywhere.try_emplace(op, false);
    if (!isNew)
      return found->second;
    bool isMade =
        op->hasTrait<OpTrait::ConstantLike>() ||
        op->hasTrait<Rematerializable>() ||
        (op->hasTrait<OpTrait::Elementwise>() && op->getNumRegions() == 0 &&
         llvm::all_of(op->getOperands(),
                      [&](Value operand) { return isMadeAnywhere(operand); }));
    return madeAnywhere[op] = isMade;
  }

  static bool hasBuffer(Value tile) {
    Operation *op = tile.getDefiningOp();
    return op && (isa<CopyableOpInterface>(op) || isAlias(op)) &&
           isForMatmuls(tile);
  }

  llvm::DenseMap<Operation *, bool> madeAnywhere;
};

/// Values that a block defines and that are live at one point of the block.
class LiveValues {
public:
  LiveValues(Block &block, CountBytes count) : block(block), count(count) {}

  void begin(Value value) {
    if (value.getParentBlock() == &block && live.insert(value).second)
      bytes += count(value);
  }
  void end(Value value) {
    if (live.erase(value))
      bytes -= count(value);
  }
  int64_t getBytes() const { return bytes; }

private:
  Block &block;
  CountBytes count;
  llvm::DenseSet<Value> live;
  int64_t bytes = 0;
};
} // namespace

/// Returns the maximum of the live bytes within a block, including `outer`
/// bytes that are live in the whole block.
static int64_t countInBlock(Block &block, int64_t outer, CountBytes count) {
  LiveValues live(block, count);
  int64_t most = outer;
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      live.end(result);
    // Values that a region reads may be read again in its next iteration.
    llvm::SetVector<Value> read;
    getUsedValuesDefinedAbove(op.getRegions(), read);
    for (Value value : read)
      live.begin(value);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        most =
            std::max(most, countInBlock(inner, outer + live.getBytes(), count));
    for (Value operand : op.getOperands())
      live.begin(operand);
    most = std::max(most, outer + live.getBytes());
  }
  return most;
}

int64_t tile::countLiveBytes(KernelOp kernel, CountBytes count) {
  int64_t most = 0;
  for (Block &block : kernel.getBody())
    most = std::max(most, countInBlock(block, /*outer=*/0, count));
  return most;
}

int64_t tile::countLiveTileBytes(KernelOp kernel) {
  RegisterBytes registers;
  return countLiveBytes(kernel, registers);
}
