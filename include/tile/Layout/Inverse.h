// Inverse.h - from values back to coordinates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A layout L need not be a bijection, so there are two inverses. They answer
// different questions, and each is a layout where it exists:
//
//   right   which coordinate has the value i?       L(R(i)) = i
//   left    which coordinate did this value come from?   R(L(i)) = i
//
// (4,8):(8,1) is a bijection, and both are (8,4):(4,1). In (4,8):(1,5), columns
// of 4 with a hole of one below each, only the values 0 ... 3 come before the
// first hole: the right inverse is 4:1. The left inverse is evaluated only at
// values that occur, and may return anything for the holes: (5,8):(1,4).
//
// CuTe builds the left inverse from the right inverse of a layout and its
// complement, or from sorted strides. The second method is used here; cases
// that it cannot handle are refused.

#ifndef TILE_LAYOUT_INVERSE_H
#define TILE_LAYOUT_INVERSE_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"

namespace tile {

/// A layout R with layout(R(i)) = i on R's whole domain, the largest that
/// whole flat modes give: it follows the longest chain of strides 1, s0, s0*s1
/// and so on, and is 1:0 where no mode has stride 1. Refused where a stride is
/// negative. For a bijection it is the inverse, on all of 0 ... size-1.
/// @post layout(R(i)) == i for 0 <= i < R.size().
/// Example: (4,8):(8,1) gives (8,4):(4,1); (4,8):(1,5) gives 4:1.
Result<Layout> rightInverse(const Layout &layout);

/// A layout R with R(layout(i)) = i; values that do not occur are taken to some
/// coordinate. Refused where a stride is zero or negative, where two
/// coordinates share a value, and where a stride is no multiple of the next
/// smaller one, though some such layouts have an inverse: (2,2):(2,3) has
/// (2,3):(1,1).
/// @post R is coalesced, R.size() >= layout.cosize(), and R(layout(i)) == i for
/// 0 <= i < layout.size().
/// Example: (4,8):(1,5) gives (5,8):(1,4); 4:2 gives (2,4):(0,1).
Result<Layout> leftInverse(const Layout &layout);

} // namespace tile

#endif // TILE_LAYOUT_INVERSE_H
