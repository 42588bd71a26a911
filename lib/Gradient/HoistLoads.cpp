// HoistLoads.cpp - moves loads out of loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HoistLoads.h"

#include "ArgumentRoles.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tile;

static bool canHoist(LoadOp load, scf::ForOp loop) {
  // Views of an argument may be written, too.
  auto array = dyn_cast<BlockArgument>(load.getSource());
  bool isReadOnly = array && isa<KernelOp>(array.getOwner()->getParentOp()) &&
                    !getArrayAccess(array).writes;
  return isReadOnly && !load.getInBounds() &&
         llvm::all_of(load->getOperands(), [&](Value operand) {
           return loop.isDefinedOutsideOfLoop(operand);
         });
}

void tile::hoistLoads(scf::ForOp loop) {
  moveLoopInvariantCode(loop);
  for (auto load : llvm::make_early_inc_range(loop.getBody()->getOps<LoadOp>()))
    if (canHoist(load, loop))
      load->moveBefore(loop);
}
