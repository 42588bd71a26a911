// SortLayout.h - where the rows of a sorting network are
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a network compares elements at a distance of a power of two, that
// is, elements whose places differ in one bit. A layout of powers of two has
// each bit of the place in a thread's values, in its lanes or in its warps; all
// steps of bits that are in no warp's number are done within warps. The bits
// that are change places with bits of lanes for their steps.

#ifndef TILE_LIB_IR_SORTLAYOUT_H
#define TILE_LIB_IR_SORTLAYOUT_H

#include "tile/Layout/RegisterLayout.h"

#include "llvm/ADT/ArrayRef.h"

namespace tile {

/// Whether one warp holds both of any two elements along `axis` whose places
/// differ in the bit of `distance`.
bool isWithinWarps(const RegisterLayout &layout, int64_t axis,
                   int64_t distance);

/// The same of one thread.
bool isWithinThreads(const RegisterLayout &layout, int64_t axis,
                     int64_t distance);

/// The layout in which rows of a power of two along `axis` are sorted: each
/// over as few threads as the other rows leave, in order.
RegisterLayout makeSortLayout(llvm::ArrayRef<int64_t> shape, int64_t axis,
                              int64_t numWarps);

/// The same for a tile in another layout, which serves if warps hold rows.
RegisterLayout getSortLayout(const RegisterLayout &source,
                             llvm::ArrayRef<int64_t> shape, int64_t axis);

/// The layout with the last lanes along `axis` in the place of its warps, and
/// the other way round.
/// @pre of makeSortLayout
RegisterLayout exchangeWarps(const RegisterLayout &layout, int64_t axis);

} // namespace tile

#endif // TILE_LIB_IR_SORTLAYOUT_H
