// StartLevel.h - the level at which the phases start with a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_STARTLEVEL_H
#define TILE_LIB_TARGET_STARTLEVEL_H

#include "tile/Pipelines/TileToNVVM.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Returns the level that all kernels of `module` specify. Fails if a kernel is
/// not at this level, or if `options` has a tiling and the kernels have already
/// passed the phase that uses it.
/// @pre the module has a kernel.
mlir::FailureOr<Level> verifyStart(mlir::ModuleOp module,
                                   const TileToNVVMOptions &options);

} // namespace tile

#endif // TILE_LIB_TARGET_STARTLEVEL_H
