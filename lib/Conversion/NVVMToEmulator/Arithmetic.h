// Arithmetic.h - arithmetic whose results differ between host and GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_ARITHMETIC_H
#define TILE_CONVERSION_NVVMTOEMULATOR_ARITHMETIC_H

#include "RuntimeCalls.h"

namespace tile {

/// Replaces the operations of `function` on f16 and bf16 that LLVM would round
/// twice on the host: fused multiply-adds of f16 and bf16, and conversions of
/// integers to bf16. Erases assumptions (llvm.intr.assume).
void convertArithmetic(mlir::LLVM::LLVMFuncOp function, RuntimeCalls &calls);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_ARITHMETIC_H
