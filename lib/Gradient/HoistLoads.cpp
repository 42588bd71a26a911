// HoistLoads.cpp - moves loads out of loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HoistLoads.h"

#include "ArgumentRoles.h"

#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

using namespace mlir;
using namespace tile;

static bool canHoist(LoadOp load, scf::ForOp loop) {
  return isReadOnlyArgument(load.getSource()) && !load.getInBounds() &&
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
