// HostCode.h - what of a module is the host's
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A module may have functions of the host beside its kernels. They are theirs
// who wrote them: a lowering of kernels neither changes nor removes them, and
// code of the GPU does not have them.

#ifndef TILE_ANALYSIS_HOSTCODE_H
#define TILE_ANALYSIS_HOSTCODE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace tile {

/// What can be compiled on its own: tile programs, and kernels in the LLVM
/// dialect.
bool isKernel(mlir::Operation *op);

/// The functions that no kernel calls, however indirectly, and the variables
/// that those alone use, in their order. Nothing where there is no such
/// function.
llvm::SmallVector<mlir::Operation *> collectHostCode(mlir::ModuleOp module);

/// The same without the variables and declarations.
llvm::SmallVector<mlir::Operation *>
collectHostFunctions(mlir::ModuleOp module);

/// While it lives the module is without the host's code, which comes behind the
/// rest again afterwards, as it was.
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

/// Fails at a kernel in a nested module, where nobody looks.
mlir::LogicalResult verifyNoNestedKernels(mlir::ModuleOp module);

/// Fails where there is no tile program to lower, also at a kernel in a nested
/// module, and where the only ones are lowered already.
mlir::LogicalResult verifyHasKernels(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_ANALYSIS_HOSTCODE_H
