// Compose.h - one layout after another
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// compose(A, B) is A after B, R(c) = A(B(c)): B chooses the elements and their
// order, and A their positions. Not every such function is a layout. A refusal
// names the coordinate at which no layout can be right, the value of the left
// layout there and the value of the only candidate:
//
//   (4,6,8):(2,3,5) o 6:3     refused at coordinate 3: 8, not 13

#ifndef TILE_LAYOUT_COMPOSE_H
#define TILE_LAYOUT_COMPOSE_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Tiler.h"

#include <cstdint>

namespace tile {

/// Maximum number of coordinates that are enumerated. A composition of more
/// coordinates is refused if its closed form does not decide it.
constexpr int64_t kMaxEnumeration = int64_t(1) << 24;

/// `left` after `right`: the layout R with R(c) = left(right(c)).
///
/// `left` is evaluated beyond its size where `right` reaches there; its last
/// integer mode is then taken as unbounded. Each integer s:d of `right` becomes
/// a coalesced layout of size s; extent 1 and stride 0 become s:0.
///
/// Accepted exactly where an R with the post-conditions exists, up to
/// kMaxEnumeration. Dividing the extents of `left` by s and d (the strong
/// divisibility conditions) decides most cases; comparing values decides the
/// others. Refused with a counter-example otherwise, and where a value of
/// `right` is negative or one of R overflows.
///
/// @post right.shape() is compatible with R.shape(), and R(i) = left(right(i))
/// for 0 <= i < right.size().
/// Example: (6,2):(8,2) o (4,3):(3,1) is ((2,2),3):((24,2),8).
Result<Layout> compose(const Layout &left, const Layout &right);

/// Composes mode by mode: compose(left.mode(i), tiler[i]) for each i, without
/// the modes of `left` that have no tiler. Refused if the list has no tilers or
/// more tilers than `left` has modes, or where compose refuses.
/// @post rank() == tiler.size() unless the tiler is a layout.
/// Example: (4,8):(1,4) o <2:1,4:2> is (2,4):(1,8).
Result<Layout> compose(const Layout &left, const Tiler &tiler);

} // namespace tile

#endif // TILE_LAYOUT_COMPOSE_H
