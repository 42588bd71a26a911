// MatmulEmitters.h - matmuls by each family of instructions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_MATMULEMITTERS_H
#define TILE_LIB_CONVERSION_MATMULEMITTERS_H

#include "tile/Analysis/Tiling.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tile {

/// A matmul to emit, with the registers of its operands that are not in
/// buffers, and the values of the accumulator.
struct EmittedMatmul {
  MatmulOp op;
  const Tiling &tiling;
  mlir::ValueRange lhs, rhs;
  llvm::SmallVector<mlir::Value> acc;
};

/// Emit a matmul, and return the values of the result: by `mma.sync`, and by
/// multiply-adds in each thread.
llvm::SmallVector<mlir::Value>
emitMma(mlir::ConversionPatternRewriter &rewriter, EmittedMatmul matmul,
        const Architecture &architecture);
llvm::SmallVector<mlir::Value>
emitFma(mlir::ConversionPatternRewriter &rewriter, EmittedMatmul matmul,
        const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_CONVERSION_MATMULEMITTERS_H
