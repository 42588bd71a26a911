// OwnerKernel.h - builds the kernels of a plan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_OWNERKERNEL_H
#define TILE_LIB_GRADIENT_OWNERKERNEL_H

#include "../LaunchFunction.h"
#include "KernelPlan.h"
#include "ZeroKernels.h"

namespace tile {

/// The transposed program, from which the kernels of plans are cut.
struct WholeKernel {
  KernelOp kernel;
  /// Values of the host for the arguments.
  llvm::SmallVector<mlir::Value> passed;
  /// The first argument that is an array of values that loops carry, or the
  /// length of a segment, and the first that is an array of results that
  /// kernels keep for others.
  unsigned firstStates, firstKept;
  /// Arguments that are arrays of gradients, and those among them whose loops
  /// may run more iterations, which load zeros.
  llvm::SmallVector<unsigned> gradients, extensible;
  /// Arguments that are arrays which the original kernel stores, if the
  /// derivative does.
  llvm::SmallVector<unsigned> outputs;
  /// The axes of the grid.
  llvm::SmallVector<Axis> axes;
};

/// Creates the kernel of a plan, under the name `name`, and those which add up
/// its partial sums, `name` followed by `__sum`, and launches them. `zeros`
/// fills copies of arrays.
void buildOwnerKernel(const WholeKernel &whole, const KernelPlan &plan,
                      llvm::StringRef name, LaunchFunction &host,
                      ZeroKernels &zeros);

/// Erases those of the first `count` arguments that a kernel does not use,
/// except those that its grid names, and their values in `passed`.
void eraseUnusedArguments(KernelOp kernel, unsigned count,
                          llvm::SmallVectorImpl<mlir::Value> &passed);

} // namespace tile

#endif // TILE_LIB_GRADIENT_OWNERKERNEL_H
