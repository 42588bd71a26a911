// Coalesce.h - the shortest layout of a function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adjacent modes s0:d0 and s1:(s0*d0) continue one sequence of values, so they
// are merged into one mode (s0*s1):d0; a mode of extent 1 has no effect. The
// remaining modes are determined by the function (Layout.h explains why).

#ifndef TILE_LAYOUT_COALESCE_H
#define TILE_LAYOUT_COALESCE_H

#include "tile/Layout/Layout.h"

namespace tile {

/// The shortest layout of depth at most 1 that is the same function.
/// @post isEquivalent(layout), depth() <= 1; equivalent layouts coalesce to
/// equal ones. Example: (2,(1,6)):(1,(6,2)) gives 12:1; a single element
/// gives 1:0.
Layout coalesce(const Layout &layout);

/// Coalesces each top-level mode on its own.
/// @post rank() as before, mode(i) == coalesce(layout.mode(i)).
/// Example: (2,(1,6)):(1,(6,2)) gives (2,6):(1,2).
Layout coalesceByMode(const Layout &layout);

} // namespace tile

#endif // TILE_LAYOUT_COALESCE_H
