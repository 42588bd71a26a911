// KeptResults.cpp - results of loops that another kernel needs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KeptResults.h"

#include "../Rules/KeptStates.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

namespace {
/// Walks from the values that a loop uses to the results of loops before it.
class LoopResults {
public:
  void add(Value value) {
    Operation *op = value.getDefiningOp();
    if (!op || !dependsOnLoop(op))
      return;
    if (isa<scf::ForOp, ReduceOp>(op))
      results.insert(value);
    else if (walked.insert(op).second)
      for (Value operand : op->getOperands())
        add(operand);
  }
  SmallVector<Value> take() { return results.takeVector(); }

private:
  bool dependsOnLoop(Operation *op) {
    if (isa<scf::ForOp>(op))
      return true;
    auto [found, isNew] = known.try_emplace(op, false);
    if (isNew) {
      bool depends = llvm::any_of(op->getOperands(), [&](Value operand) {
        Operation *source = operand.getDefiningOp();
        return source && dependsOnLoop(source);
      });
      known[op] = depends;
    }
    return known.lookup(op);
  }

  llvm::SetVector<Value> results;
  llvm::DenseSet<Operation *> walked;
  llvm::DenseMap<Operation *, bool> known;
};
} // namespace

SmallVector<Value> tile::listLoopResults(Operation *loop) {
  llvm::SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  LoopResults found;
  for (Value value : used)
    found.add(value);
  SmallVector<Value> results = found.take();
  bool areTiles = llvm::all_of(
      results, [](Value value) { return isa<TileType>(value.getType()); });
  return areTiles ? results : SmallVector<Value>();
}

void tile::keepResult(Value value, Value array) {
  ValueBuilder b(value.getLoc(), value.getContext());
  b.setInsertionPointAfterValue(value);
  Value program = getProgramIndex(b, value.getDefiningOp());
  storeState(b, value, array, program, arith::ConstantIndexOp::create(b, 0));
}

void tile::loadResult(Value array) {
  auto store = cast<StoreOp>(*array.getUsers().begin());
  Value value = store.getValue();
  ValueBuilder b(store.getLoc(), store.getContext());
  b.setInsertionPoint(store);
  Value loaded = loadState(b, value.getType(), array, store.getOffsets()[0],
                           store.getOffsets()[1]);
  store.erase();
  value.replaceAllUsesWith(loaded);
}
