// KernelPlan.h - kernels that add up the gradients of several programs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transposed program updates the gradient of an array by atomic additions
// if several programs of the grid load the same elements. Each element then
// gets an owner instead, a program that adds up all of its updates in order:
//
//   axes of the grid that move the updated box    owners: stay axes
//   loops that move it                            owners: become axes
//   other axes                                    become a loop of the owner
//
// If there are few owners, the loop is divided among several programs, each of
// which stores a partial sum; a second kernel adds these up in order. If a
// program updates an array several times, or while a loop carries values, the
// partial sum is a copy of the array.

#ifndef TILE_LIB_GRADIENT_KERNELPLAN_H
#define TILE_LIB_GRADIENT_KERNELPLAN_H

#include "../LaunchFunction.h"

#include <vector>

namespace tile {

/// The updates of one kernel. Arrays of gradients are indices of arguments.
struct KernelPlan {
  /// Arrays whose updates stay as they are, since no two programs update the
  /// same element.
  llvm::SmallVector<unsigned> exclusive;
  /// Arrays with one update, which a loop over `looped` adds up. Several arrays
  /// have their updates in the same loops.
  llvm::SmallVector<unsigned> summed;
  /// Arrays whose updates add to the array in each iteration of that loop.
  llvm::SmallVector<unsigned> serial;
  /// Arrays whose updates add to a copy of the array, one for each part.
  llvm::SmallVector<unsigned> copied;
  /// The axes of the grid that become a loop.
  llvm::SmallVector<Axis> looped;
  /// Whether the loops around the updates become axes of the grid.
  bool promotesLoops = false;
  /// Whether the kernel stores values that kernels after it load.
  bool keepsValues = false;
  /// Whether the kernel stores what the original one does.
  bool storesOutputs = false;
  /// Whether the iterations are divided among programs, which store partial
  /// sums of `summed`.
  bool inParts = false;

  /// Whether the kernel updates an array.
  bool updates(unsigned array) const;

  bool updatesNothing() const {
    return exclusive.empty() && summed.empty() && serial.empty() &&
           copied.empty();
  }

  /// Whether the kernel is the original one.
  bool isOriginal() const {
    return storesOutputs && !keepsValues && updatesNothing();
  }

  /// Whether the kernel runs each program of the grid once, with few others in
  /// turn.
  bool runsPrograms() const {
    return !promotesLoops && (looped.empty() || inParts);
  }
};

/// Plans the kernels that compute gradients: arguments of `kernel`, `exclusive`
/// ones, of which no two programs update the same element, and `shared` ones.
/// `outputs` are arrays that the original kernel stores, `axes` are those of
/// the grid. Fails, after an error at the kernel, if the updates of an array
/// have no owners.
mlir::FailureOr<std::vector<KernelPlan>>
planKernels(KernelOp kernel, llvm::ArrayRef<unsigned> exclusive,
            llvm::ArrayRef<unsigned> shared, llvm::ArrayRef<unsigned> outputs,
            llvm::ArrayRef<Axis> axes, LaunchFunction &host);

/// Returns the innermost loop that a plan makes an axis, in the kernel that is
/// planned.
mlir::Operation *getPromotedLoop(KernelOp kernel, const KernelPlan &plan);

/// Returns the updates of an array by atomic additions.
llvm::SmallVector<AtomicRMWOp> listUpdates(KernelOp kernel, unsigned array);

} // namespace tile

#endif // TILE_LIB_GRADIENT_KERNELPLAN_H
