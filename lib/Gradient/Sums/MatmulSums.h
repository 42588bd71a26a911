// MatmulSums.h - sums of matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SUMS_MATMULSUMS_H
#define TILE_LIB_GRADIENT_SUMS_MATMULSUMS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces a sum of two matmuls by one matmul that adds its terms to the
/// other's result: the sum needs no accumulator of its own, and no exchange
/// between threads if the two would be distributed differently.
void chainMatmulSums(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SUMS_MATMULSUMS_H
