// SortLayout.h - layouts of the rows of a sorting network
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a network compares elements at a distance of a power of two, that
// is, elements whose positions differ in one bit. A layout whose extents are
// powers of two maps each bit of the position to the index of a thread's value,
// of a lane or of a warp. Steps of bits of the value or lane index are within a
// warp. For steps of bits of the warp index, these bits are first exchanged
// with bits of the lane index.

#ifndef TILE_LIB_ALGORITHMS_SORTLAYOUT_H
#define TILE_LIB_ALGORITHMS_SORTLAYOUT_H

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/Layout/RegisterLayout.h"

namespace tile {

/// Whether one warp holds both of any two elements along `axis` whose positions
/// differ in the bit of `distance`.
bool isWithinWarps(const RegisterLayout &layout, int64_t axis,
                   int64_t distance);

/// Whether one thread holds both of any two elements along `axis` whose
/// positions differ in the bit of `distance`.
bool isWithinThreads(const RegisterLayout &layout, int64_t axis,
                     int64_t distance);

/// Returns the layouts in which rows along `axis`, whose length is a power of
/// two, may be sorted: first with one thread for each row, then with 2, 4, ...
llvm::SmallVector<RegisterLayout>
listSortLayouts(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t numWarps);

/// Returns the cost of a thread for rows along `axis`: the number of its
/// elements, and of its exchanges with other threads. If a row is in 2^k
/// threads, a thread has k exchanges for each element.
DistributionCost getRowCost(const RegisterLayout &layout, int64_t axis);

/// Returns the cheapest layout of listSortLayouts.
RegisterLayout makeSortLayout(llvm::ArrayRef<int64_t> shape, int64_t axis,
                              int64_t numWarps);

/// Returns the layout in which a tile in the layout `source` is sorted:
/// `source` itself if each row is within a warp.
RegisterLayout getSortLayout(const RegisterLayout &source,
                             llvm::ArrayRef<int64_t> shape, int64_t axis);

/// Returns the layout with its warps and the last lanes along `axis` exchanged.
/// @pre makeSortLayout has returned `layout`.
RegisterLayout exchangeWarps(const RegisterLayout &layout, int64_t axis);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_SORTLAYOUT_H
