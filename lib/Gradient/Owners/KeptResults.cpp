// KeptResults.cpp - results of loops that another kernel needs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KeptResults.h"

#include "../Dependence.h"
#include "../Rules/KeptStates.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

static int64_t countElements(Value value) {
  auto tile = dyn_cast<TileType>(value.getType());
  return tile ? tile.getNumElements() : 1;
}

namespace {
/// Walks from the values that a loop uses to the results of loops before it, or
/// to values that are computed from several results and have fewer elements.
class LoopResults {
public:
  void add(Value value) {
    const ValueSet &results = find(value);
    if (results.empty())
      return;
    int64_t elements = 0;
    for (Value result : results)
      elements += countElements(result);
    if (results.contains(value) || countElements(value) < elements)
      kept.insert(value);
    else
      for (Value operand : value.getDefiningOp()->getOperands())
        add(operand);
  }
  SmallVector<Value> take() { return kept.takeVector(); }

private:
  /// Finds the results of loops that a value is computed from, which is itself
  /// if it is one.
  const ValueSet &find(Value value) {
    auto [known, isNew] = found.try_emplace(value);
    if (!isNew)
      return *known->second;
    known->second = std::make_unique<ValueSet>();
    ValueSet &results = *known->second;
    Operation *op = value.getDefiningOp();
    if (isa_and_present<scf::ForOp>(op))
      results.insert(value);
    else if (op)
      for (Value operand : op->getOperands())
        results.insert_range(find(operand));
    // The result of a reduction is one, too, if it takes longer to compute than
    // to load.
    constexpr int64_t kManyElements = 16;
    if (isa_and_present<ReduceOp>(op) &&
        (!results.empty() || countElements(op->getOperand(0)) >=
                                 kManyElements * countElements(value)))
      results = {value};
    return results;
  }

  llvm::SetVector<Value> kept;
  llvm::DenseMap<Value, std::unique_ptr<ValueSet>> found;
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
