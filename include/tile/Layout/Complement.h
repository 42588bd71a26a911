// Complement.h - what a layout leaves out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 4:2 takes 0, 2, 4, 6. To reach each number below 24 once, it must be repeated
// at 0 and 1, and that pair at 0, 8 and 16: (2,3):(1,8). The complement is the
// layout of the repetitions, and is what divide and product are made of.

#ifndef TILE_LAYOUT_COMPLEMENT_H
#define TILE_LAYOUT_COMPLEMENT_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"

#include <cstdint>

namespace tile {

/// The layout R of what `layout` leaves out of 0 ... bound-1. Its strides are
/// positive and increase. Refused where bound < 1, a stride is zero or negative
/// in a mode of extent above 1, or a stride is no multiple of where the modes
/// of smaller stride end (there the gaps are no layout).
/// @post R is coalesced, and (layout, R) is a bijection onto 0 ... n-1 for some
/// n >= bound. So the images meet only in 0, and every number below bound is
/// one sum.
/// Example: the complement of 4:2 in 24 is (2,3):(1,8), of (4,6):(1,4) is 1:0.
Result<Layout> complement(const Layout &layout, int64_t bound);

} // namespace tile

#endif // TILE_LAYOUT_COMPLEMENT_H
