// SortLayout.h - layouts of the rows of a sorting network
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step of a network compares elements at a distance of a power of two, that
// is, elements whose positions differ in one bit. A layout of powers of two has
// each bit of the position in a thread's values, in its lanes or in its warps;
// all steps of bits that are not in the warp index are done within warps. The
// bits that are in it are exchanged with bits of lanes for their steps.

#ifndef TILE_LIB_ALGORITHMS_SORTLAYOUT_H
#define TILE_LIB_ALGORITHMS_SORTLAYOUT_H

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/Layout/RegisterLayout.h"

namespace tile {

/// Whether one warp holds both of any two elements along `axis` whose positions
/// differ in the bit of `distance`.
bool isWithinWarps(const RegisterLayout &layout, int64_t axis,
                   int64_t distance);

/// Whether one thread holds both of any two such elements.
bool isWithinThreads(const RegisterLayout &layout, int64_t axis,
                     int64_t distance);

/// The layouts in which rows of a power of two along `axis` may be sorted: each
/// row over 1, 2, 4, ... threads, in order.
llvm::SmallVector<RegisterLayout>
listSortLayouts(llvm::ArrayRef<int64_t> shape, int64_t axis, int64_t numWarps);

/// Cost of a thread for rows along `axis`: its elements, and those of them that
/// it exchanges with others in a step for each doubling of threads.
DistributionCost getRowCost(const RegisterLayout &layout, int64_t axis);

/// The cheapest of them.
RegisterLayout makeSortLayout(llvm::ArrayRef<int64_t> shape, int64_t axis,
                              int64_t numWarps);

/// The layout in which to sort a tile that is in the layout `source`, which
/// serves if warps hold rows.
RegisterLayout getSortLayout(const RegisterLayout &source,
                             llvm::ArrayRef<int64_t> shape, int64_t axis);

/// The layout with its warps and the last lanes along `axis` exchanged.
/// @pre of makeSortLayout
RegisterLayout exchangeWarps(const RegisterLayout &layout, int64_t axis);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_SORTLAYOUT_H
