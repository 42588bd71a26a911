// AccessWidth.h - how many elements one access of an array takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tile.gather or tile.scatter names, for each element, a coordinate along its
// axis. A vector has one address, so it may only hold elements that share an
// index:
//
//   rows       tile.gather %a[...] at %i axis 0   indices 64x1, tile 64x128
//              one index a row: a row's adjacent elements are one vector
//   elements   tile.gather %a[...] at %i axis 0   indices 64x128, tile 64x128
//              adjacent elements come from different rows: one at a time

#ifndef TILE_ANALYSIS_ACCESSWIDTH_H
#define TILE_ANALYSIS_ACCESSWIDTH_H

#include "tile/Analysis/Alignment.h"

namespace tile {

/// Returns the most elements that one access of the operation can take along
/// the array's contiguous dimension, as getVectorWidth does. It is one if
/// elements that are adjacent in the array differ in their index or are masked
/// one by one, or if each element is an access of its own.
int64_t getAccessWidth(ArrayAccessOpInterface op,
                       Assume assume = Assume::kAttributes);

/// Returns how many elements, at most `width`, one access takes in a thread
/// that has the elements of a tile by its layout. The elements are adjacent
/// along the array's contiguous dimension and do not cross the tile's edge.
int64_t narrowToLayout(TileType tile, mlir::MemRefType array, int64_t width);

} // namespace tile

#endif // TILE_ANALYSIS_ACCESSWIDTH_H
