// Zip.h - the arrangements of tiles and rests that divide and product share
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A logical divide or product by a list of tilers has pairs for modes,
//
//   logical ((T0,R0),(T1,R1),L)
//
// where mode L had no tiler. The other forms have the same integers in other
// orders:
//
//   zipped  ((T0,T1),(R0,R1,L))
//   tiled   ((T0,T1),R0,R1,L)
//   flat    (T0,T1,R0,R1,L)

#ifndef TILE_LIB_LAYOUT_ZIP_H
#define TILE_LIB_LAYOUT_ZIP_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Tiler.h"

namespace tile {

/// Returns the zipped form of the pairs that applyByMode made with `tiler`.
/// @post rank() == 2.
Result<Layout> zipPairs(const Result<Layout> &logical, const Tiler &tiler);

/// The tiled form of a zipped layout.
Result<Layout> unpackRest(const Result<Layout> &zipped);

/// The flat form of a zipped layout.
Result<Layout> unpackBoth(const Result<Layout> &zipped);

} // namespace tile

#endif // TILE_LIB_LAYOUT_ZIP_H
