// HoistFactors.h - factors of all terms of a sum
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SUMS_HOISTFACTORS_H
#define TILE_LIB_GRADIENT_SUMS_HOISTFACTORS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Multiplies sums of matmuls, which loops add up from zero, by the scalars
/// that are factors of an operand in each iteration, and removes them from the
/// operand. An operand that is rounded to fewer bits is rounded without them.
void hoistFactors(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SUMS_HOISTFACTORS_H
