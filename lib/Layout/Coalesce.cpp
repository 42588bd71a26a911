// Coalesce.cpp - the shortest layout of a function
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Coalesce.h"

#include "FlatModes.h"

using namespace tile;

Layout tile::coalesce(const Layout &layout) {
  // Same extents and same span as before: it is a layout.
  return *toLayout(layout.coalescedModes());
}

Layout tile::coalesceByMode(const Layout &layout) {
  if (layout.shape().isLeaf())
    return coalesce(layout);
  std::vector<Layout> modes;
  for (size_t i = 0; i < layout.rank(); ++i)
    modes.push_back(coalesce(layout.mode(i)));
  return *concatenate(modes);
}
