// VerifyTaken.h - operations that the conversion accepts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Refuses a function that is no straight line of tensors, and operations that
/// upstream's patterns would not bring to an accepted form. Runs before
/// `prepareLinalg`.
llvm::LogicalResult verifyFunction(mlir::func::FuncOp function);

/// Refuses operations, after `prepareLinalg`, that no kernel can compute.
/// Accepted operations are converted.
llvm::LogicalResult verifyOperations(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H
