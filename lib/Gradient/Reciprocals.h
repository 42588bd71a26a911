// Reciprocals.h - quotients by one value, as multiplications
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_RECIPROCALS_H
#define TILE_LIB_GRADIENT_RECIPROCALS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces quotients of tiles of f32 or f64 whose divisor is a value that is
/// repeated, as the sum of a softmax's row: the value's reciprocal is computed
/// once, and repeated instead. A quotient then has an error of up to 1.5 ulp. A
/// divisor below 2^-126 (f32) has no finite reciprocal, and that of a divisor
/// above 2^126 has fewer bits.
void multiplyByReciprocals(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RECIPROCALS_H
