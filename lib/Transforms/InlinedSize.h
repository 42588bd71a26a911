// InlinedSize.h - size of a program after its calls are inlined
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_INLINEDSIZE_H
#define TILE_TRANSFORMS_INLINEDSIZE_H

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Maximum number of operations of a kernel or function after its calls are
/// inlined. The limit is needed because inlining may grow a program
/// exponentially: if each function calls another one twice, the size doubles
/// with each level.
constexpr int64_t kMaxInlinedOperations = 1 << 16;

/// Fails if a kernel or function would exceed the limit after inlining, with an
/// error at the call that adds most operations. Takes time proportional to the
/// size of the program before inlining.
mlir::LogicalResult verifyInlinedSize(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_TRANSFORMS_INLINEDSIZE_H
