// Complement.h - the values that a layout leaves out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// 4:2 takes 0, 2, 4, 6. To reach each integer below 24 once, it must be
// repeated at 0 and 1, and that pair at 0, 8 and 16: (2,3):(1,8). The
// complement is the layout of the repetitions; divide and product are built
// from it.

#ifndef TILE_LAYOUT_COMPLEMENT_H
#define TILE_LAYOUT_COMPLEMENT_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"

#include <cstdint>

namespace tile {

/// Returns the layout R of the values that `layout` leaves out of 0 ...
/// bound-1. Its strides are positive and increase. It is refused if bound < 1,
/// if a stride is zero or negative in a mode of extent above 1, or if a stride
/// is not a multiple of the end of the modes of smaller stride (no layout
/// describes the gaps then).
/// @post R is coalesced, and (layout, R) is a bijection onto 0 ... n-1 for some
/// n >= bound. So the images have only 0 in common, and every integer below
/// bound is exactly one sum of a value of `layout` and a value of R.
/// Example: the complement of 4:2 in 24 is (2,3):(1,8), that of (4,6):(1,4) in
/// 24 is 1:0.
Result<Layout> complement(const Layout &layout, int64_t bound);

} // namespace tile

#endif // TILE_LAYOUT_COMPLEMENT_H
