// ProductWarps.h - how many warps serve a product
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TRANSFORMS_PRODUCTWARPS_H
#define TILE_LIB_TRANSFORMS_PRODUCTWARPS_H

#include "tile/Analysis/ProductChain.h"

namespace tile {

/// Warps that serve a product well: tensor-core warps compute 64 x 64, half of
/// that where an element of the accumulator is two registers, FMA warps 16 to
/// 64 elements a thread, at least four warps where there is work. A batch has
/// as many for each of its products, or takes turns of equal length.
int64_t proposeWarps(ProductOpInterface op, const ProductChains &chains,
                     const Architecture &architecture);

} // namespace tile

#endif // TILE_LIB_TRANSFORMS_PRODUCTWARPS_H
