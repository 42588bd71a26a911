// NarrowMatmuls.h - matmuls of narrow elements instead of widened ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_NARROWMATMULS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_NARROWMATMULS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tile::fromlinalg {

/// Replaces matmuls of widened elements by matmuls of the narrow ones, which
/// tensor cores multiply. The function's operations are generics.
void narrowMatmuls(mlir::func::FuncOp function);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_NARROWMATMULS_H
