// FinalMaxima.h - loops that use the final maximum in each iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A softmax whose row is read block by block (Milakov, Gimelshein, "Online
// normalizer calculation for softmax", 2018) carries the maximum so far, and
// rescales its sums when this grows. The results do not depend on the maxima in
// exact arithmetic (ShiftInvariance.h), so that each iteration may use the
// final one, or any other value. The sums then have no factors, and their
// derivatives need no value of an earlier iteration.
//
// If the loop also sums the exponentials, the value used is the maximum plus
// the logarithm of that sum, with which the sum is one: exponentials are
// probabilities, and nothing is divided by the sum.

#ifndef TILE_LIB_GRADIENT_FINALMAXIMA_H
#define TILE_LIB_GRADIENT_FINALMAXIMA_H

#include "ShiftInvariance.h"

namespace tile {

/// FinalMaximum is a loop that computes the same as a loop before it, and uses
/// `shift` in place of the maximum in each iteration. `results` are its
/// results, computed from those of the loop before it.
struct FinalMaximum {
  mlir::scf::ForOp loop;
  mlir::Value shift;
  llvm::SmallVector<mlir::Value> results;
  /// `total` is the result that is one, the sum of the exponentials
  /// exp(x + s m); `scale` is s.
  std::optional<unsigned> total;
  double scale = 0;
};

/// Adds such a loop after each loop of listRunningShifts(), and makes all
/// operations after it use its results. `shift` is a constant for derivatives.
llvm::SmallVector<FinalMaximum> useFinalMaxima(KernelOp kernel);

/// Makes all operations use `results`, and not those of the loop; the maximum
/// plus the logarithm of the sum is the shift.
void restoreResults(llvm::ArrayRef<FinalMaximum> maxima);

} // namespace tile

#endif // TILE_LIB_GRADIENT_FINALMAXIMA_H
