// ConvertedLoad.cpp - loaded tiles that are converted on their way to memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/ConvertedLoad.h"

#include "tile/Analysis/MatmulChain.h"
#include "tile/IR/ConvertLayout.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

namespace {
/// Collects the operations of a block that compute a tile from one load.
class Computation {
public:
  explicit Computation(Block *block) : block(block) {}

  /// Adds the operations that compute a value, which is repeated by a broadcast
  /// if `isRepeated`. Returns false if the value is not computed as
  /// findConvertedLoad requires.
  bool collect(Value value, bool isRepeated = false);
  /// Returns nothing if there is no load.
  std::optional<ConvertedLoad> getResult();

private:
  bool addLoad(CopyableOpInterface op, bool isRepeated);
  bool isFromLoad(Operation *op) {
    return llvm::any_of(op->getOperands(), [&](Value operand) {
      return converted.contains(operand.getDefiningOp());
    });
  }

  Block *block;
  CopyableOpInterface load;
  SmallVector<CopyableOpInterface> repeated;
  llvm::SetVector<Operation *> ops;
  /// The load, and the operations that compute with its tile.
  llvm::SmallPtrSet<Operation *, 8> converted;
};
} // namespace

/// Whether an operation computes a tile element by element or anywhere, or
/// changes its layout in registers.
static bool isElementwise(Operation *op) {
  if (auto convert = dyn_cast<ConvertLayoutOp>(op))
    return isInRegisters(convert.getSource()) && isInRegisters(convert);
  return op->hasTrait<OpTrait::Elementwise>() || isMadeAnywhere(op);
}

/// Whether a loop carries the argument of a block from iteration to iteration.
static bool isCarried(Value argument) {
  auto loop =
      dyn_cast<LoopLikeOpInterface>(argument.getParentBlock()->getParentOp());
  return loop && loop.getSingleInductionVar() != argument;
}

bool Computation::addLoad(CopyableOpInterface op, bool isRepeated) {
  if (op.getPad() || op.getMask() || !op->hasOneUse() || (!isRepeated && load))
    return false;
  if (isRepeated) {
    repeated.push_back(op);
    return true;
  }
  load = op;
  converted.insert(op);
  return true;
}

bool Computation::collect(Value value, bool isRepeated) {
  Operation *op = value.getDefiningOp();
  if (!op)
    return value.getParentBlock() != block || !isCarried(value);
  if (op->getBlock() != block)
    return true;
  if (ops.contains(op))
    return true;
  if (auto loaded = dyn_cast<LoadOp>(op))
    return addLoad(loaded, isRepeated);
  bool isKnown = op->getNumRegions() == 0 && isPure(op) &&
                 (!isa<TileType>(value.getType()) || isElementwise(op)) &&
                 llvm::all_of(op->getOperands(), [&](Value operand) {
                   return collect(operand, isRepeated || isa<BroadcastOp>(op));
                 });
  if (!isKnown || (isFromLoad(op) && !op->hasOneUse()))
    return false;
  if (isFromLoad(op))
    converted.insert(op);
  return ops.insert(op);
}

std::optional<ConvertedLoad> Computation::getResult() {
  if (!load)
    return std::nullopt;
  ConvertedLoad result{load, repeated, ops.takeVector()};
  llvm::sort(result.ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return result;
}

std::optional<ConvertedLoad> tile::findConvertedLoad(Value tile) {
  Operation *op = tile.getDefiningOp();
  if (!op || !op->hasTrait<OpTrait::Elementwise>())
    return std::nullopt;
  Computation computation(op->getBlock());
  return computation.collect(tile) ? computation.getResult() : std::nullopt;
}

ConvertLayoutOp tile::getStoredCopy(CopyableOpInterface load) {
  Value value = load.getAccessedTile();
  while (isInRegisters(value) && value.hasOneUse()) {
    Operation *user = *value.user_begin();
    auto copy = dyn_cast<ConvertLayoutOp>(user);
    if (copy && isInShared(copy)) {
      std::optional<ConvertedLoad> stored = findStoredLoad(copy);
      if (stored && stored->load == load)
        return copy;
      return {};
    }
    if (!copy && !user->hasTrait<OpTrait::Elementwise>())
      return {};
    value = user->getResult(0);
  }
  return {};
}

std::optional<ConvertedLoad> tile::findStoredLoad(Value tile) {
  auto copy = tile.getDefiningOp<ConvertLayoutOp>();
  return copy && isInShared(copy) && isInRegisters(copy.getSource())
             ? findConvertedLoad(copy.getSource())
             : std::nullopt;
}
