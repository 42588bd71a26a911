// LinalgToTile.h - linalg on tensors as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `-convert-linalg-to-tile` does, as a function. Passes.td says what the
// result looks like.

#ifndef TILE_CONVERSION_LINALGTOTILE_H
#define TILE_CONVERSION_LINALGTOTILE_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// Turns each function of `module` that has tensors into a function of the host
/// and its kernels, which come before it. Fails, with an error at the user's
/// line, where an operation cannot be taken. `arch`, where it is not empty,
/// becomes what the module is compiled for, which sizes of tiles are chosen
/// for.
/// @pre the context has loaded the dialects that the pass depends on.
llvm::LogicalResult convertLinalgToTile(mlir::ModuleOp module,
                                        llvm::StringRef arch = {});

/// Registers the dialects and interfaces of upstream's that the pass asks: what
/// the sizes of results are.
void registerLinalgToTileDialects(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_CONVERSION_LINALGTOTILE_H
