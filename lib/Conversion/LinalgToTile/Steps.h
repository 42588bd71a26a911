// Steps.h - the steps of -convert-linalg-to-tile
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each step is also a pass (LinalgToTile.td). Between the steps a module may be
// invalid: host code that calls a function of linalg already passes arrays, but
// the function takes tensors until the last step.

#ifndef TILE_LIB_CONVERSION_LINALGTOTILE_STEPS_H
#define TILE_LIB_CONVERSION_LINALGTOTILE_STEPS_H

#include "tile/Analysis/Architecture.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile::fromlinalg {

llvm::LogicalResult linalgFromBuffers(mlir::ModuleOp module);
llvm::LogicalResult linalgNormalize(mlir::ModuleOp module);
llvm::LogicalResult formGroups(mlir::ModuleOp module);
llvm::LogicalResult tileGroups(mlir::ModuleOp module,
                               const Architecture &target);
llvm::LogicalResult outlineGroups(mlir::ModuleOp module);

} // namespace tile::fromlinalg

#endif // TILE_LIB_CONVERSION_LINALGTOTILE_STEPS_H
