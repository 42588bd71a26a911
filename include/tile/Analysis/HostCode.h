// HostCode.h - the host code of a module
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module may have functions of the host in addition to its kernels. They
// belong to the author of the program: the lowering of kernels neither changes
// nor removes them, and they do not become GPU code.

#ifndef TILE_ANALYSIS_HOSTCODE_H
#define TILE_ANALYSIS_HOSTCODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tile {

/// Whether an operation can be compiled on its own: a tile program, or a kernel
/// in the LLVM dialect.
bool isKernel(mlir::Operation *op);

/// Returns the functions that no kernel calls, directly or indirectly, and the
/// variables that only these functions use, in the order of the module. The
/// list is empty if there is no such function.
llvm::SmallVector<mlir::Operation *> collectHostCode(mlir::ModuleOp module);

/// Returns the function definitions among collectHostCode(module).
llvm::SmallVector<mlir::Operation *>
collectHostFunctions(mlir::ModuleOp module);

/// Removes the host's code from the module during its lifetime. The destructor
/// appends that code unchanged to the rest of the module.
class HostCodeAside {
public:
  explicit HostCodeAside(mlir::ModuleOp module);
  ~HostCodeAside();
  HostCodeAside(const HostCodeAside &) = delete;
  HostCodeAside &operator=(const HostCodeAside &) = delete;

private:
  mlir::ModuleOp module;
  mlir::OwningOpRef<mlir::ModuleOp> aside;
};

/// Fails at a kernel in a nested module, which would be ignored.
mlir::LogicalResult verifyNoNestedKernels(mlir::ModuleOp module);

/// Fails if there is no tile program to lower, if a kernel is in a nested
/// module, or if all tile programs are already lowered.
mlir::LogicalResult verifyHasKernels(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_ANALYSIS_HOSTCODE_H
