// WarpgroupMatmul.h - products of tiles by wgmma
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_WARPGROUPMATMUL_H
#define TILE_CONVERSION_TILETONVGPU_WARPGROUPMATMUL_H

#include "Patterns.h"

#include "tile/Analysis/Tiling.h"

namespace tile {

/// The accumulator's values after a product by the instruction of a warpgroup,
/// valid where they are used.
/// @pre both operands are in buffers with the layout of a descriptor
/// (WarpgroupProduct.h).
llvm::SmallVector<mlir::Value>
emitWarpgroupProduct(mlir::ConversionPatternRewriter &rewriter, MatmulOp op,
                     const Tiling &tiling, llvm::SmallVector<mlir::Value> acc);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_WARPGROUPMATMUL_H
