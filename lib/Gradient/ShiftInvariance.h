// ShiftInvariance.h - maxima that no output depends on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax subtracts the maximum m of its row before exponentials, which then
// do not overflow. In exact arithmetic the results do not depend on m: the
// factors exp(-m) cancel. The derivative by m is zero, and so are the sums that
// would compute it.

#ifndef TILE_LIB_GRADIENT_SHIFTINVARIANCE_H
#define TILE_LIB_GRADIENT_SHIFTINVARIANCE_H

#include "ShiftedValues.h"

namespace tile {

/// Lists the results of reductions by `max` or `min` in a kernel of which every
/// stored value is independent. Each value that depends on such a result m is
/// proved to have the form v + s m or v exp(s m), where v does not depend on m;
/// stored values have s = 0.
llvm::SmallVector<mlir::Value> listShifts(KernelOp kernel);

/// RunningShift is a maximum, or minimum, that is the result `index` of a loop,
/// which carries it from one iteration to the next. All results
/// of the loop have the form v + s m or v exp(s m).
struct RunningShift {
  mlir::scf::ForOp loop;
  unsigned index;
  llvm::SmallVector<ShiftForm> forms; ///< of the loop's results
};

/// Lists maxima that loops carry, at most one for each loop, of which every
/// stored value is independent: with each maximum m' the sums so far are
/// multiplied by exp(m - m'), as in the softmax of a row that is read block by
/// block.
llvm::SmallVector<RunningShift> listRunningShifts(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SHIFTINVARIANCE_H
