// UniformValues.h - values that are equal in all threads of a block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_UNIFORMVALUES_H
#define TILE_CONVERSION_NVVMTOEMULATOR_UNIFORMVALUES_H

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// Returns the values of a function that may differ between the threads of a
/// block. Only data flow is considered, not control flow.
llvm::DenseSet<mlir::Value> findVaryingValues(mlir::LLVM::LLVMFuncOp function);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_UNIFORMVALUES_H
