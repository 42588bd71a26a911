// Algebra.h - coalesce, compose, complement, divide, product, inverse
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operations of CuTe's layout algebra, each exact or refused. A refusal of
// compose names the coordinate at which no layout can be right, what the left
// layout gives there and what the only candidate would give:
//
//   (4,6,8):(2,3,5) o 6:3     refused at coordinate 3: 8, not 13
//
// Operations read right to left, as functions do: compose(A, B) is A after B.
// Divide and product are built from complement and compose, and refuse where
// those refuse.

#ifndef TILE_LAYOUT_ALGEBRA_H
#define TILE_LAYOUT_ALGEBRA_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"

#include <cstdint>
#include <vector>

namespace tile {

/// More coordinates than this are not enumerated. An operation whose closed
/// form does not decide a larger case refuses it.
constexpr int64_t kMaxEnumeration = int64_t(1) << 24;

/// The shortest layout of depth at most 1 that is the same function.
/// @post isEquivalent(layout), depth() <= 1; equivalent layouts coalesce to
/// equal ones. Example: (2,(1,6)):(1,(6,2)) gives 12:1; a single element
/// gives 1:0.
Layout coalesce(const Layout &layout);

/// Each top-level mode coalesced on its own.
/// @post rank() as before, mode(i) == coalesce(layout.mode(i)).
/// Example: (2,(1,6)):(1,(6,2)) gives (2,6):(1,2).
Layout coalesceByMode(const Layout &layout);

/// `left` after `right`: the layout R with R(c) = left(right(c)).
///
/// `left` is asked beyond its size where `right` reaches there; its last
/// integer mode is then taken as unbounded. Each integer s:d of `right` becomes
/// a coalesced layout of size s; extent 1 and stride 0 become s:0.
///
/// Accepted exactly where an R with the post-conditions exists, up to
/// kMaxEnumeration. Dividing the extents of `left` by s and d (the strong
/// divisibility conditions) decides most cases; the others are decided by
/// values. Refused with a counter-example otherwise, and where a value of
/// `right` is negative or one of R overflows.
///
/// @post right.shape() is compatible with R.shape(), and R(i) = left(right(i))
/// for 0 <= i < right.size().
/// Example: (6,2):(8,2) o (4,3):(3,1) is ((2,2),3):((24,2),8).
Result<Layout> compose(const Layout &left, const Layout &right);

/// compose(left.mode(i), tilers[i]) for each tiler; modes without one stay.
/// Refused for no tiler, more tilers than modes, or where compose refuses.
/// @post rank() == left.rank().
/// Example: (4,8):(1,4) with tilers 2:1 and 4:2 is (2,4):(1,8).
Result<Layout> composeByMode(const Layout &left,
                             const std::vector<Layout> &tilers);

/// The layout R of what `layout` leaves out of 0 ... bound-1. Its strides are
/// positive and increase. Refused where bound < 1, a stride is zero or negative
/// in a mode of extent above 1, or a stride is no multiple of where the modes
/// of smaller stride end (there the gaps are no layout).
/// @post R is coalesced, and (layout, R) is a bijection onto 0 ... n-1 for some
/// n >= bound. So the images meet only in 0, and every number below bound is
/// one sum.
/// Example: the complement of 4:2 in 24 is (2,3):(1,8), of (4,6):(1,4) is 1:0.
Result<Layout> complement(const Layout &layout, int64_t bound);

/// layout o (tile, complement(tile, layout.size())): mode 0 runs inside a tile,
/// mode 1 over the tiles. Where the tiles do not fit evenly, mode 1 reaches
/// beyond the layout as compose does.
/// @post rank() == 2, mode(0) == *compose(layout, tile).
/// Example: (4,2,3):(2,1,8) / 4:2 is ((2,2),(2,3)):((4,1),(2,8)).
Result<Layout> logicalDivide(const Layout &layout, const Layout &tile);

/// logicalDivide(layout.mode(i), tilers[i]) for each tiler; modes without one
/// stay. Refused for no tiler, more tilers than modes, or where logicalDivide
/// refuses.
/// @post rank() == layout.rank(); mode(i) is (tile, rest) of mode i.
/// Example: (4,8):(1,4) by 2:1 and 4:1 is ((2,2),(4,2)):((1,2),(4,16)).
Result<Layout> logicalDivideByMode(const Layout &layout,
                                   const std::vector<Layout> &tilers);

/// (tile, complement(tile, tile.size() * grid.cosize()) o grid): a copy of
/// `tile` at each place of `grid`, places counted in free copies of the tile.
/// @post rank() == 2, mode(0) == tile, grid.shape() is compatible with
/// mode(1).shape(), and no two copies share a value if grid is injective.
/// Example: (2,2):(4,1) x 6:1 is ((2,2),(2,3)):((4,1),(2,8)).
Result<Layout> logicalProduct(const Layout &tile, const Layout &grid);

/// A layout R with layout(R(i)) = i on R's whole domain, the largest that
/// whole flat modes give: it follows the longest chain of strides 1, s0, s0*s1
/// and so on, and is 1:0 where no mode has stride 1. Refused where a stride is
/// negative. For a bijection it is the inverse, on all of 0 ... size-1.
/// @post layout(R(i)) == i for 0 <= i < R.size().
/// Example: (4,8):(8,1) gives (8,4):(4,1); (4,8):(1,5) gives 4:1.
Result<Layout> rightInverse(const Layout &layout);

} // namespace tile

#endif // TILE_LAYOUT_ALGEBRA_H
