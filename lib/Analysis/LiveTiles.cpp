// LiveTiles.cpp - how much of a kernel's tiles is live at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/LiveTiles.h"

#include "tile/Analysis/Alignment.h"

#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Whether products alone read a tile, transposed perhaps.
static bool isForProducts(Value tile) {
  return llvm::all_of(tile.getUses(), [](OpOperand &use) {
    if (isAlias(use.getOwner()))
      return isForProducts(use.getOwner()->getResult(0));
    return isa<ProductOpInterface>(use.getOwner()) &&
           use.getOperandNumber() < 2;
  });
}

/// Whether a tile is in no registers of its own: each thread makes its elements
/// wherever they are needed, or it has a buffer.
static bool isElsewhere(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op)
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>() || op->hasTrait<Rematerializable>())
    return true;
  return (isa<CopyableOpInterface>(op) || isAlias(op)) && isForProducts(tile);
}

static int64_t countBytes(Value value) {
  auto type = dyn_cast<TileType>(value.getType());
  if (!type || isElsewhere(value))
    return 0;
  return type.getNumElements() * getElementBytes(type.getElementType());
}

namespace {
/// What is live at a place of a block, of what the block defines.
class LiveValues {
public:
  explicit LiveValues(Block &block) : block(block) {}

  void begin(Value value) {
    if (value.getParentBlock() == &block && live.insert(value).second)
      bytes += countBytes(value);
  }
  void end(Value value) {
    if (live.erase(value))
      bytes -= countBytes(value);
  }
  int64_t getBytes() const { return bytes; }

private:
  Block &block;
  llvm::DenseSet<Value> live;
  int64_t bytes = 0;
};
} // namespace

/// The most bytes within a block, `outer` of which are live across it.
static int64_t countInBlock(Block &block, int64_t outer) {
  LiveValues live(block);
  int64_t most = outer;
  for (Operation &op : llvm::reverse(block)) {
    for (Value result : op.getResults())
      live.end(result);
    // What a region reads may be read again in its next iteration.
    llvm::SetVector<Value> read;
    getUsedValuesDefinedAbove(op.getRegions(), read);
    for (Value value : read)
      live.begin(value);
    for (Region &region : op.getRegions())
      for (Block &inner : region)
        most = std::max(most, countInBlock(inner, outer + live.getBytes()));
    for (Value operand : op.getOperands())
      live.begin(operand);
    most = std::max(most, outer + live.getBytes());
  }
  return most;
}

int64_t tile::countLiveTileBytes(KernelOp kernel) {
  int64_t most = 0;
  for (Block &block : kernel.getBody())
    most = std::max(most, countInBlock(block, /*outer=*/0));
  return most;
}
