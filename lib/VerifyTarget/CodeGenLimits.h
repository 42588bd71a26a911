// CodeGenLimits.h - refuse what LLVM's code generator aborts on
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target ends the process where an operation is none of PTX and
// would have to be a call of the C library, and on some types. Kernels in the
// LLVM dialect may have any operation.

#ifndef TILE_LIB_TARGET_CODEGENLIMITS_H
#define TILE_LIB_TARGET_CODEGENLIMITS_H

#include "mlir/IR/Operation.h"

namespace tile {

/// Fails at an operation for which LLVM generates no code.
llvm::LogicalResult verifyCodeGen(mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_TARGET_CODEGENLIMITS_H
