// ShiftInvariance.cpp - maxima that no output depends on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ShiftInvariance.h"

#include "ShiftedValues.h"

using namespace mlir;
using namespace tile;

/// Whether every stored value is independent of a shift. `loop` carries it, if
/// any loop does.
static bool isInvariant(KernelOp kernel, ShiftedValues values,
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
    if (isExtreme && isInvariant(kernel, ShiftedValues(op.getResult(0))))
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
    for (unsigned index = 0; index < loop.getNumResults(); ++index)
      if (isRunningExtreme(loop, index) &&
          isInvariant(kernel, ShiftedValues(loop, index), loop)) {
        shifts.push_back({loop, index});
        return;
      }
  });
  return shifts;
}
