// Shuffle.h - elements of other lanes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_SHUFFLE_H
#define TILE_CONVERSION_TILETONVGPU_SHUFFLE_H

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace tile {

/// Returns the value, of any element type, of another lane: the lane whose
/// index differs in the bits of `distance` (XOR), or is less (UP) or greater
/// (DOWN) by `distance`. Lanes for which there is no such lane get their own
/// value.
mlir::Value shuffle(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value value, mlir::gpu::ShuffleMode mode,
                    int64_t distance);

/// Returns the value, of any element type, of the lane with the index `lane`,
/// an i32 below 32.
mlir::Value readLane(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value value, mlir::Value lane);

/// Replaces the shuffles in a function by instructions. All 32 lanes take part,
/// so mask and clamp are constants, which are created once for the function,
/// not for each shuffle as by upstream's pattern.
void lowerShuffles(mlir::LLVM::LLVMFuncOp function);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_SHUFFLE_H
