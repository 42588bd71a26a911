// ShiftInvariance.cpp - maxima that no output depends on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShiftInvariance.h"

using namespace mlir;
using namespace tile;

/// Whether every stored value is independent of a shift. `loop` carries it, if
/// any loop does.
static bool isInvariant(KernelOp kernel, ShiftedValues &values,
                        scf::ForOp loop = {}) {
  return !kernel
              ->walk<WalkOrder::PreOrder>([&](Operation *op) {
                if (!values.visit(op))
                  return WalkResult::interrupt();
                return op == loop ? WalkResult::skip() : WalkResult::advance();
              })
              .wasInterrupted();
}

SmallVector<Value> tile::listShifts(KernelOp kernel) {
  SmallVector<Value> shifts;
  kernel.walk([&](ReduceOp op) {
    bool isExtreme =
        op.getKind() == ReduceKind::max || op.getKind() == ReduceKind::min;
    ShiftedValues values(op.getResult(0));
    if (isExtreme && isInvariant(kernel, values))
      shifts.push_back(op.getResult(0));
  });
  return shifts;
}

/// Whether a loop makes the value that it carries at `index` the maximum, or
/// the minimum, of it and another value.
static bool isRunningExtreme(scf::ForOp loop, unsigned index) {
  Operation *op = loop.getYieldedValues()[index].getDefiningOp();
  return isa_and_present<arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp,
                         arith::MinNumFOp>(op) &&
         op->getParentOp() == loop &&
         llvm::is_contained(op->getOperands(), loop.getRegionIterArgs()[index]);
}

SmallVector<RunningShift> tile::listRunningShifts(KernelOp kernel) {
  SmallVector<RunningShift> shifts;
  kernel.walk([&](scf::ForOp loop) {
    for (unsigned index = 0; index < loop.getNumResults(); ++index) {
      ShiftedValues values(loop, index);
      if (!isRunningExtreme(loop, index) || !isInvariant(kernel, values, loop))
        continue;
      auto getForm = [&](Value value) { return values.get(value); };
      shifts.push_back(
          {loop, index, llvm::map_to_vector(loop.getResults(), getForm)});
      return;
    }
  });
  return shifts;
}
