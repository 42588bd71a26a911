// SplitKernels.h - the kernels of a module, side by side
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_SPLITKERNELS_H
#define TILE_LIB_TARGET_SPLITKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// The kernels of a module, each in a module of its own with copies of the
/// operations that it uses. The destructor moves the kernels back to their
/// positions, as they are then, with the declarations that were added next to
/// them: once, if several added the same name. The copied operations must not
/// have changed.
class SplitKernels {
public:
  explicit SplitKernels(mlir::ModuleOp module);
  ~SplitKernels();
  SplitKernels(const SplitKernels &) = delete;
  SplitKernels &operator=(const SplitKernels &) = delete;

  size_t size() const { return parts.size(); }
  /// Runs on the context's threads, one kernel each. Diagnostics come in the
  /// order of the kernels.
  mlir::LogicalResult
  forEach(llvm::function_ref<mlir::LogicalResult(size_t, mlir::ModuleOp)> run);

private:
  mlir::ModuleOp module;
  /// Operations of the module in order: another operation, or the next part.
  llvm::SmallVector<mlir::Operation *> order;
  llvm::SmallVector<mlir::ModuleOp> parts;
};

} // namespace tile

#endif // TILE_LIB_TARGET_SPLITKERNELS_H
