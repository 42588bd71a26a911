// ProductRegisters.h - registers of a thread that a product's tiles take
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_PRODUCTREGISTERS_H
#define TILE_LIB_TRANSFORMS_PRODUCTREGISTERS_H

#include "tile/Analysis/Tiling.h"

namespace tile {

/// Of a tile that the block's warps share.
int64_t countRegisters(TileType tile, int64_t numWarps);

/// For the other tiles that the product's loop carries.
int64_t countCarriedRegisters(ProductOpInterface op, int64_t numWarps);

/// For an lhs that is made of accumulators.
int64_t countMadeRegisters(ProductOpInterface op, int64_t numWarps);

/// For operands that are rounded: lhs of a step and of the next one, each so
/// many times as there are warps along N, and rhs of the next one on its way to
/// shared memory.
int64_t countRoundedRegisters(ProductOpInterface op,
                              const MatrixInstruction &instruction,
                              const Costs &costs, int64_t numWarps,
                              int64_t alongN);

/// All of a product with this tiling, those of a warpgroup's beside an lhs that
/// is made in registers and all that its loop carries.
int64_t countRegisters(ProductOpInterface op, const Tiling &tiling,
                       const Architecture &architecture);

/// Whether a thread may have that many.
bool fitsRegisters(ProductOpInterface op, const Tiling &tiling,
                   const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_PRODUCTREGISTERS_H
