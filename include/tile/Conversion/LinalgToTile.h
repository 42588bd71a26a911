// LinalgToTile.h - linalg on tensors as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is `-convert-linalg-to-tile` as a function, and its steps as passes.
// LinalgToTile.td describes them.

#ifndef TILE_CONVERSION_LINALGTOTILE_H
#define TILE_CONVERSION_LINALGTOTILE_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Pass/Pass.h"

namespace tile {

/// Converts each function of `module` that has tensors to a function of the
/// host and its kernels, which come before it. Fails, with an error at the
/// user's line, if an operation cannot be converted. `arch`, if it is not
/// empty, becomes the architecture for which the module is compiled, and for
/// which sizes of tiles are chosen.
/// @pre the context has loaded the dialects that the pass depends on.
llvm::LogicalResult convertLinalgToTile(mlir::ModuleOp module,
                                        llvm::StringRef arch = {});

/// Registers the dialects and interfaces of upstream that the pass queries for
/// the sizes of results.
void registerLinalgToTileDialects(mlir::DialectRegistry &registry);

#define GEN_PASS_DECL
#include "tile/Conversion/LinalgToTile.h.inc"

#define GEN_PASS_REGISTRATION
#include "tile/Conversion/LinalgToTile.h.inc"

} // namespace tile

#endif // TILE_CONVERSION_LINALGTOTILE_H
