// CodeGenLimits.h - refuse code on which LLVM's code generator aborts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's NVPTX target aborts the process at an operation that PTX does not have
// and that would become a call of the C library, and at some types. Kernels in
// the LLVM dialect may contain any operation, so these are refused before.

#ifndef TILE_LIB_TARGET_CODEGENLIMITS_H
#define TILE_LIB_TARGET_CODEGENLIMITS_H

#include "mlir/IR/Operation.h"

namespace tile {

/// Fails at an operation for which LLVM generates no code.
llvm::LogicalResult verifyCodeGen(mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_TARGET_CODEGENLIMITS_H
