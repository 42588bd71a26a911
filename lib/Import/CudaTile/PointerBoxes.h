// PointerBoxes.h - accesses through pointers that are boxes of an array
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_POINTERBOXES_H
#define TILE_LIB_IMPORT_CUDATILE_POINTERBOXES_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace tile::cudatile {

/// Replaces gathers and scatters of an array without shape by loads and stores
/// of boxes, where all accesses of the array are such: their offsets are sums
/// of indices that are multiplied by strides, an index along a dimension is a
/// scalar, or a scalar plus the position in the tile, and the mask tests each
/// index against an extent. An argument with extents and strides follows the
/// one without, which nothing uses then; operations without uses are erased.
/// `parameters` has the parameter of the entry for each argument, and `sizes`
/// those that are extents and strides: first the extents of an array and then
/// its strides follow its address, as in cuTile's calling convention.
void boxPointerAccesses(KernelOp kernel,
                        llvm::SmallVectorImpl<unsigned> &parameters,
                        const llvm::SmallDenseSet<unsigned> &sizes);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_POINTERBOXES_H
