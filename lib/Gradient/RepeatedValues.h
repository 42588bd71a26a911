// RepeatedValues.h - arithmetic on values before they are repeated
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_REPEATEDVALUES_H
#define TILE_LIB_GRADIENT_REPEATEDVALUES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Computes values of which a tile repeats elements, as the mean of a row,
/// before they are repeated:
///
/// - An operation of arith or math on tiles that repeat their elements in the
///   same way, or are constants of equal elements.
/// - The reciprocals of divisors of f32 or f64: quotients by a repeated value
///   become multiplications. They then have an error of up to 1.5 ulp. A
///   divisor below 2^-126 (f32) has no finite reciprocal, and that of a divisor
///   above 2^126 has fewer bits.
void computeBeforeRepetition(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_REPEATEDVALUES_H
