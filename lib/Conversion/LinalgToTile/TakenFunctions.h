// TakenFunctions.h - functions that become kernels and launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_TAKENFUNCTIONS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_TAKENFUNCTIONS_H

#include "tile/Conversion/LinalgToTile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Calls `convert` for each function of tensors or of linalg in a module, until
/// one call fails. Also fails, with an error at the operation, if linalg is in
/// a nested module or outside of functions.
llvm::LogicalResult convertTaken(
    mlir::ModuleOp module,
    llvm::function_ref<llvm::LogicalResult(mlir::func::FuncOp)> convert);

/// Whether a function has groups.
bool hasGroups(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_TAKENFUNCTIONS_H
