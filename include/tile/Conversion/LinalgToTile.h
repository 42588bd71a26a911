// LinalgToTile.h - linalg on tensors as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This is `-convert-linalg-to-tile` as a function. Passes.td describes the
// result.

#ifndef TILE_CONVERSION_LINALGTOTILE_H
#define TILE_CONVERSION_LINALGTOTILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

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

} // namespace tile

#endif // TILE_CONVERSION_LINALGTOTILE_H
