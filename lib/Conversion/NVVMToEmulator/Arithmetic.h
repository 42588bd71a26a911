// Arithmetic.h - arithmetic whose results differ between host and GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_NVVMTOEMULATOR_ARITHMETIC_H
#define TILE_CONVERSION_NVVMTOEMULATOR_ARITHMETIC_H

#include "RuntimeCalls.h"

namespace tile {

/// Gives the integer operations and conversions of `function` that LLVM leaves
/// undefined for some operands the result of the GPU (PTX ISA), or a harmless
/// one if that is unspecified: a kernel may compute values that it does not
/// use.
///
///   x / 0, x % 0               unspecified: x / 1, x % 1
///   shifts by the width and more    zeros, or the sign
///   floats to integers out of range the nearest integer; NaN to 0
///
/// Replaces operations on f16 and bf16 that LLVM would round twice on the host:
/// fused multiply-adds, and integers to bf16.
void convertArithmetic(mlir::LLVM::LLVMFuncOp function, RuntimeCalls &calls);

} // namespace tile

#endif // TILE_CONVERSION_NVVMTOEMULATOR_ARITHMETIC_H
