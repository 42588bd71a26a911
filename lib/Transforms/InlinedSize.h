// InlinedSize.h - how much a program is once its calls are inlined
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_INLINEDSIZE_H
#define TILE_TRANSFORMS_INLINEDSIZE_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// The operations that a kernel or a function may have once its calls are
/// inlined. Functions that call others twice double with each level.
constexpr int64_t kMaxInlinedOperations = 1 << 16;

/// Fails, at the call that brings most, where a kernel or function would be
/// larger. Takes a time that grows with the program as it is written.
mlir::LogicalResult verifyInlinedSize(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_TRANSFORMS_INLINEDSIZE_H
