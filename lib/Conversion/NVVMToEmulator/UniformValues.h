// UniformValues.h - what all threads of a block compute alike
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_UNIFORMVALUES_H
#define TILE_CONVERSION_NVVMTOEMULATOR_UNIFORMVALUES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// Returns the values of a function that depend on which thread of its block
/// runs it, by data flow only, not by control flow.
llvm::DenseSet<mlir::Value> findVaryingValues(mlir::LLVM::LLVMFuncOp function);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_UNIFORMVALUES_H
