// SplitKernels.h - split a module into one module for each kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_SPLITKERNELS_H
#define TILE_LIB_TARGET_SPLITKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Splits the kernels of a module into modules of their own, with copies of the
/// operations that they use. The destructor moves the kernels, with all
/// changes, back to their positions. Declarations that were added to the
/// modules are moved as well; of several with one name, only one. The copied
/// operations must not be changed.
class SplitKernels {
public:
  explicit SplitKernels(mlir::ModuleOp module);
  ~SplitKernels();
  SplitKernels(const SplitKernels &) = delete;
  SplitKernels &operator=(const SplitKernels &) = delete;

  size_t size() const { return parts.size(); }
  /// Runs a function on each part, in parallel on the context's threads.
  /// Diagnostics are in the order of the kernels.
  mlir::LogicalResult
  forEach(llvm::function_ref<mlir::LogicalResult(size_t, mlir::ModuleOp)> run);

private:
  mlir::ModuleOp module;
  /// The operations of the module, in order; null stands for the kernel of the
  /// next part.
  llvm::SmallVector<mlir::Operation *> order;
  llvm::SmallVector<mlir::ModuleOp> parts;
};

} // namespace tile

#endif // TILE_LIB_TARGET_SPLITKERNELS_H
