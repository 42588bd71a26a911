// SplitSums.h - sums that do not wait for other sums
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SUMS_SPLITSUMS_H
#define TILE_LIB_GRADIENT_SUMS_SPLITSUMS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces sums of f32 and f64 over an axis, or over all, by sums of their
/// terms without the factors that are the same along the axis, if fewer sums
/// then follow each other: sum(s a + t b) = s sum(a) + t sum(b).
void splitSums(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SUMS_SPLITSUMS_H
