// Zip.cpp - the arrangements of tiles and rests that divide and product share
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Zip.h"

using namespace tile;

namespace {
struct TileAndRest {
  Layout tile;
  Layout rest;
};
} // namespace

/// Separates tile and rest in each mode for which the tiler has a layout.
static TileAndRest separate(const Layout &logical, const Tiler &tiler) {
  if (tiler.isLayout())
    return {logical.mode(0), logical.mode(1)};
  std::vector<Layout> tiles, rests;
  for (size_t i = 0; i < logical.rank(); ++i) {
    if (i >= tiler.size()) {
      rests.push_back(logical.mode(i));
      continue;
    }
    TileAndRest parts = separate(logical.mode(i), tiler[i]);
    tiles.push_back(std::move(parts.tile));
    rests.push_back(std::move(parts.rest));
  }
  // Some of the integers of a layout are a layout.
  return {*concatenate(tiles), *concatenate(rests)};
}

/// Appends the modes of `layout`, or an integer layout itself.
static void appendModes(const Layout &layout, std::vector<Layout> &modes) {
  for (size_t i = 0; i < layout.rank(); ++i)
    modes.push_back(layout.mode(i));
}

Result<Layout> tile::zipPairs(const Result<Layout> &logical,
                              const Tiler &tiler) {
  if (!logical)
    return logical;
  TileAndRest parts = separate(*logical, tiler);
  return concatenate({parts.tile, parts.rest});
}

Result<Layout> tile::unpackRest(const Result<Layout> &zipped) {
  if (!zipped)
    return zipped;
  std::vector<Layout> modes = {zipped->mode(0)};
  appendModes(zipped->mode(1), modes);
  return concatenate(modes);
}

Result<Layout> tile::unpackBoth(const Result<Layout> &zipped) {
  if (!zipped)
    return zipped;
  std::vector<Layout> modes;
  appendModes(zipped->mode(0), modes);
  appendModes(zipped->mode(1), modes);
  return concatenate(modes);
}
