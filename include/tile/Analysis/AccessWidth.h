// AccessWidth.h - how many elements one access of an array takes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The indices of a tile.gather or tile.scatter are the coordinates of its
// elements along an axis of the array. A vector has one address, so it may only
// hold elements that share an index:
//
//   rows       tile.gather %a[...] at %i axis 0   indices 64x1, tile 64x128
//              one index a row: a row's adjacent elements are one vector
//   elements   tile.gather %a[...] at %i axis 0   indices 64x128, tile 64x128
//              adjacent elements come from different rows: one at a time

#ifndef TILE_ANALYSIS_ACCESSWIDTH_H
#define TILE_ANALYSIS_ACCESSWIDTH_H

#include "tile/Analysis/Alignment.h"

namespace tile {

/// Returns the maximum number of elements that one access of the operation can
/// take along the array's contiguous dimension, see getVectorWidth. It is one
/// if elements that are adjacent in the array have different indices or each
/// have a mask bit, or if each element is an access of its own.
int64_t getAccessWidth(ArrayAccessOpInterface op,
                       Assume assume = Assume::kAttributes);

/// Returns the number of elements, at most `width`, of one access by a thread
/// that holds elements of a tile according to its layout. The elements are
/// adjacent along the array's contiguous dimension and do not cross the tile's
/// edge.
int64_t narrowToLayout(TileType tile, mlir::MemRefType array, int64_t width);

} // namespace tile

#endif // TILE_ANALYSIS_ACCESSWIDTH_H
