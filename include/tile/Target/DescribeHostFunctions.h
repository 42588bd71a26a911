// DescribeHostFunctions.h - functions that launch kernels, as metadata
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_DESCRIBEHOSTFUNCTIONS_H
#define TILE_TARGET_DESCRIBEHOSTFUNCTIONS_H

#include "tile/Runtime/KernelMetadata.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// True if `op` is a function with a `tile.launch`.
bool launchesKernels(mlir::Operation *op);

/// Adds the functions of `module` that launch kernels to `metadata`, which has
/// the kernels.
///
/// Such a function is a list of launches: one block with `tile.launch`, views
/// of its arguments and of results of `memref.alloc` (`memref.cast`, `subview`,
/// `expand_shape`, `collapse_shape`, `reinterpret_cast`, `transpose`),
/// `memref.dim`, and integers by `arith` and `affine.apply`. A function with
/// any other operation is left out, with a warning at that operation.
void describeHostFunctions(mlir::ModuleOp module,
                           runtime::ModuleMetadata &metadata);

} // namespace tile

#endif // TILE_TARGET_DESCRIBEHOSTFUNCTIONS_H
