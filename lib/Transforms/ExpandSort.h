// ExpandSort.h - tile.sort as a network that compares unsigned integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_EXPANDSORT_H
#define TILE_TRANSFORMS_EXPANDSORT_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces the operation by a tile.partial_sort of all steps, whose storage is
/// still to be chosen, of integers that its keys are mapped to, and by what
/// brings keys and values to the places that it finds.
/// @pre -tile-assign-storage.
void expandSort(SortOp op);

} // namespace tile

#endif // TILE_TRANSFORMS_EXPANDSORT_H
