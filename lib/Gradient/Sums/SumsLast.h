// SumsLast.h - order of the matmuls of an iteration
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SUMS_SUMSLAST_H
#define TILE_LIB_GRADIENT_SUMS_SUMSLAST_H

#include "tile/IR/Tile.h"

namespace tile {

/// Moves matmuls that only add to what a loop carries after those whose results
/// the iteration needs, with the conversions of their operands. Results of
/// other operations, which become operands of the first, are then computed
/// while the second run.
void moveSumsLast(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SUMS_SUMSLAST_H
