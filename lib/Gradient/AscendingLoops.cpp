// AscendingLoops.cpp - transposed loops whose iterations may run in any order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AscendingLoops.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace tile;

/// Whether a loop uses a carried value only to add to it.
static bool isSum(scf::ForOp loop, unsigned index) {
  BlockArgument argument = loop.getRegionIterArgs()[index];
  Value next = loop.getYieldedValues()[index];
  Operation *op = next.getDefiningOp();
  if (!argument.hasOneUse() || !next.hasOneUse() ||
      *argument.getUsers().begin() != op)
    return false;
  auto matmul = dyn_cast<MatmulOp>(op);
  return isa<arith::AddFOp>(op) || (matmul && matmul.getAcc() == argument);
}

/// Whether `value` is `count` - 1.
static bool isLast(Value value, Value count) {
  std::optional<int64_t> last = getConstantIntValue(value),
                         trips = getConstantIntValue(count);
  if (last && trips)
    return *last == *trips - 1;
  auto sub = value.getDefiningOp<arith::SubIOp>();
  return sub && sub.getLhs() == count && getConstantIntValue(sub.getRhs()) == 1;
}

static void ascend(scf::ForOp loop) {
  bool isCounting = getConstantIntValue(loop.getLowerBound()) == 0 &&
                    getConstantIntValue(loop.getStep()) == 1;
  bool areSums = llvm::all_of(llvm::seq(loop.getNumResults()),
                              [&](unsigned i) { return isSum(loop, i); });
  Value iteration = loop.getInductionVar();
  if (!isCounting || !areSums || iteration.use_empty())
    return;
  SmallVector<arith::SubIOp> reversed;
  for (Operation *user : iteration.getUsers()) {
    auto sub = dyn_cast<arith::SubIOp>(user);
    if (!sub || sub.getRhs() != iteration ||
        !isLast(sub.getLhs(), loop.getUpperBound()))
      return;
    reversed.push_back(sub);
  }
  for (arith::SubIOp sub : reversed)
    sub.getResult().replaceAllUsesWith(iteration);
}

void tile::ascendLoops(KernelOp kernel) {
  kernel.walk([](scf::ForOp loop) { ascend(loop); });
}
