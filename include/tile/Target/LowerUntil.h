// LowerUntil.h - lower a program until a pass of the pipeline
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_LOWERUNTIL_H
#define TILE_TARGET_LOWERUNTIL_H

#include "tile/Pipelines/TileToNVVM.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace tile {

/// Returns the names of the passes of -tile-to-nvvm for a program at `from`,
/// each once.
std::vector<std::string> listPasses(Level from = Level::source);

/// Runs -tile-to-nvvm on `module` until the end of the first run of `pass`; a
/// pass on kernels is run on every kernel. If `pass` does not come after the
/// level of the program, the error lists the passes that do.
/// @pre nothing else handles actions of the context (mlir::MLIRContext).
mlir::LogicalResult lowerUntil(mlir::ModuleOp module,
                               const TileToNVVMOptions &options,
                               llvm::StringRef pass);

} // namespace tile

#endif // TILE_TARGET_LOWERUNTIL_H
