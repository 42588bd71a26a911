// StartLevel.h - from where the phases take a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_STARTLEVEL_H
#define TILE_LIB_TARGET_STARTLEVEL_H

#include "tile/Pipelines/TileToNVVM.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// The level that all kernels of `module` claim. An error where one is not at
/// it, or `options` has a tiling for kernels that are beyond it.
/// @pre the module has a kernel.
mlir::FailureOr<Level> verifyStart(mlir::ModuleOp module,
                                   const TileToNVVMOptions &options);

} // namespace tile

#endif // TILE_LIB_TARGET_STARTLEVEL_H
