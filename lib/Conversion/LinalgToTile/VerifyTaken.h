// VerifyTaken.h - what the conversion takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Refuses a function that is no straight line of tensors, and what upstream's
/// patterns would not bring to a form that is taken. Before `prepareLinalg`.
llvm::LogicalResult verifyFunction(mlir::func::FuncOp function);

/// Refuses operations, behind `prepareLinalg`, that no kernel can compute. What
/// is accepted is converted.
llvm::LogicalResult verifyOperations(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H
