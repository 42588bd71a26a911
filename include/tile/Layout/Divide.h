// Divide.h - a layout cut into tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dividing A by B yields the elements of A that B names, the tile, and the
// positions at which B must be repeated to name all of A, the rest:
//
//   A / B = A o (B, complement(B, size(A)))
//
// A tile need not be a run of adjacent elements. 4:2 is every other element,
// four of them, and 8:1 / 4:2 is (4,2):(2,1): two tiles that interlock.
//
// With a list of tilers each mode is divided on its own, and the same integers
// come in four orders. For a layout (M,N,L) and the tiler <TM,TN>:
//
//   logicalDivide  ((TM,RM),(TN,RN),L)    the modes are still M, N and L
//   zippedDivide   ((TM,TN),(RM,RN,L))    (inside a tile, which tile)
//   tiledDivide    ((TM,TN),RM,RN,L)
//   flatDivide     (TM,TN,RM,RN,L)

#ifndef TILE_LAYOUT_DIVIDE_H
#define TILE_LAYOUT_DIVIDE_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Tiler.h"

namespace tile {

/// layout o (tile, complement(tile, layout.size())): mode 0 runs inside a tile,
/// mode 1 over the tiles. Where the tiles do not fit evenly, mode 1 reaches
/// beyond the layout as compose does.
/// @post rank() == 2, mode(0) == *compose(layout, tile).
/// Example: (4,2,3):(2,1,8) / 4:2 is ((2,2),(2,3)):((4,1),(2,8)).
Result<Layout> logicalDivide(const Layout &layout, const Layout &tile);

/// Divides mode by mode; modes without a tiler stay. Refused if the list has no
/// tilers or more tilers than `layout` has modes, or where the divide of a mode
/// refuses.
/// @post for a list: rank() == layout.rank(); mode(i) is (tile, rest) of mode
/// i. Example: (4,8):(1,4) / <2:1,4:1> is ((2,2),(4,2)):((1,2),(4,16)).
Result<Layout> logicalDivide(const Layout &layout, const Tiler &tiler);

/// @post rank() == 2, mode(0) == *compose(layout, tiler).
/// Example: (4,8):(1,4) by <2:1,4:1> is ((2,4),(2,2)):((1,4),(2,16)).
Result<Layout> zippedDivide(const Layout &layout, const Tiler &tiler);

/// zippedDivide with mode 1 flattened: mode 0, followed by the modes of mode 1.
/// @post mode(0) == *compose(layout, tiler).
/// Example: (4,8):(1,4) by <2:1,4:1> is ((2,4),2,2):((1,4),2,16).
Result<Layout> tiledDivide(const Layout &layout, const Tiler &tiler);

/// zippedDivide with both modes flattened: the modes of mode 0, followed by
/// those of mode 1.
/// Example: (4,8):(1,4) by <2:1,4:1> is (2,4,2,2):(1,4,2,16).
Result<Layout> flatDivide(const Layout &layout, const Tiler &tiler);

} // namespace tile

#endif // TILE_LAYOUT_DIVIDE_H
