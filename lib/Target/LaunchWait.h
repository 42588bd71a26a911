// LaunchWait.h - kernels wait for earlier launches first
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_LAUNCHWAIT_H
#define TILE_LIB_TARGET_LAUNCHWAIT_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Verifies that the functions of `module`, which is in the LLVM dialect, that
/// start with griddepcontrol.wait access no global memory before it in `ptx`.
/// The error is at the function.
mlir::LogicalResult verifyLaunchWaits(mlir::ModuleOp module,
                                      llvm::StringRef ptx);

} // namespace tile

#endif // TILE_LIB_TARGET_LAUNCHWAIT_H
