// MatmulWaits.cpp - the waits for a matmul in flight
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/MatmulWaits.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tile;

/// Returns the values that carry a token on through a loop or a branch.
static SmallVector<Value> getCarried(OpOperand &use) {
  Operation *user = use.getOwner();
  if (auto loop = dyn_cast<scf::ForOp>(user))
    return {loop.getTiedLoopRegionIterArg(&use), loop.getTiedLoopResult(&use)};
  if (!isa<scf::YieldOp>(user) ||
      !isa<scf::ForOp, scf::IfOp>(user->getParentOp()))
    return {};
  unsigned position = use.getOperandNumber();
  SmallVector<Value> carried = {user->getParentOp()->getResult(position)};
  if (auto loop = dyn_cast<scf::ForOp>(user->getParentOp()))
    carried.push_back(loop.getRegionIterArg(position));
  return carried;
}

SmallVector<Operation *> tile::findWaits(Operation *op) {
  llvm::SetVector<Value> tokens;
  SmallVector<Operation *> waits;
  for (Value result : op->getResults())
    if (isa<MmaTokenType>(result.getType()))
      tokens.insert(result);
  for (size_t i = 0; i < tokens.size(); ++i)
    for (OpOperand &use : tokens[i].getUses()) {
      SmallVector<Value> carried = getCarried(use);
      tokens.insert_range(carried);
      if (carried.empty())
        waits.push_back(use.getOwner());
    }
  return waits;
}
