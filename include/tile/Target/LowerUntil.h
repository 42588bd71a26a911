// LowerUntil.h - a program as one of the passes leaves it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_LOWERUNTIL_H
#define TILE_TARGET_LOWERUNTIL_H

#include "tile/Pipelines/TileToNVVM.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tile {

/// The passes of -tile-to-nvvm for a program at `from`, by their names, each
/// once.
std::vector<std::string> listPasses(Level from = Level::source);

/// Takes `module` down -tile-to-nvvm to the end of the first run of `pass`, on
/// every kernel where it is a pass on kernels. A pass that does not come after
/// the level that the program is at is an error that lists those that do.
/// @pre nothing else handles actions of the context (mlir::MLIRContext).
mlir::LogicalResult lowerUntil(mlir::ModuleOp module,
                               const TileToNVVMOptions &options,
                               llvm::StringRef pass);

} // namespace tile

#endif // TILE_TARGET_LOWERUNTIL_H
