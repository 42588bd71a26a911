// FinalMaxima.h - loops that use the final maximum in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax whose row is read block by block (Milakov, Gimelshein, "Online
// normalizer calculation for softmax", 2018) carries the maximum so far, and
// rescales its sums when this grows. The results do not depend on the maxima in
// exact arithmetic (ShiftInvariance.h), so that each iteration may use the
// final one. The sums then have no factors, and their derivatives need no value
// of an earlier iteration.

#ifndef TILE_LIB_GRADIENT_FINALMAXIMA_H
#define TILE_LIB_GRADIENT_FINALMAXIMA_H

#include "ShiftInvariance.h"

namespace tile {

/// A loop that computes the results of `original`, with the final maximum,
/// result `index` of `original`, in each iteration.
struct FinalMaximum {
  mlir::scf::ForOp original, loop;
  unsigned index;
};

/// Adds such a loop after each loop of listRunningShifts(), and makes all
/// operations after it use its results. The final maximum is a constant for
/// derivatives.
llvm::SmallVector<FinalMaximum> useFinalMaxima(KernelOp kernel);

/// Makes all operations use the results of the original loop again.
void restoreResults(llvm::ArrayRef<FinalMaximum> maxima);

} // namespace tile

#endif // TILE_LIB_GRADIENT_FINALMAXIMA_H
