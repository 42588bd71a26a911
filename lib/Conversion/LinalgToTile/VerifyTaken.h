// VerifyTaken.h - operations that the conversion accepts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Refuses a function of tensors that has control flow, and operations that
/// upstream's patterns would not bring to an accepted form. Runs before the
/// function is brought to normal form (LinalgNormalize.cpp).
llvm::LogicalResult verifyFunction(mlir::func::FuncOp function);

/// Refuses operations that no kernel can compute. Runs on a function in normal
/// form. The conversion does not fail for the operations that are accepted.
llvm::LogicalResult verifyOperations(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_VERIFYTAKEN_H
