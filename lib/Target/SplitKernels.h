// SplitKernels.h - the kernels of a module, side by side
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_SPLITKERNELS_H
#define TILE_LIB_TARGET_SPLITKERNELS_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// A module's kernels, each in a module of its own with copies of what it uses.
/// At the end of this object's life they are in their places again, as they
/// have become, with what has been declared beside them: once, if several
/// declared the same name. What was copied must not have changed.
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
  /// All of the module in its order: another operation, or the next part.
  llvm::SmallVector<mlir::Operation *> order;
  llvm::SmallVector<mlir::ModuleOp> parts;
};

} // namespace tile

#endif // TILE_LIB_TARGET_SPLITKERNELS_H
