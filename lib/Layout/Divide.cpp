// Divide.cpp - a layout cut into tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Divide.h"

#include "Zip.h"

#include "tile/Layout/Complement.h"
#include "tile/Layout/Compose.h"

using namespace tile;

Result<Layout> tile::logicalDivide(const Layout &layout, const Layout &tile) {
  Result<Layout> rest = complement(tile, layout.size());
  if (!rest)
    return rest;
  Result<Layout> tileAndRest = concatenate({tile, *rest});
  if (!tileAndRest)
    return tileAndRest;
  return compose(layout, *tileAndRest);
}

Result<Layout> tile::logicalDivide(const Layout &layout, const Tiler &tiler) {
  return applyByMode(layout, tiler, ModesWithoutTiler::kKeep, logicalDivide);
}

Result<Layout> tile::zippedDivide(const Layout &layout, const Tiler &tiler) {
  return zipPairs(logicalDivide(layout, tiler), tiler);
}

Result<Layout> tile::tiledDivide(const Layout &layout, const Tiler &tiler) {
  return unpackRest(zippedDivide(layout, tiler));
}

Result<Layout> tile::flatDivide(const Layout &layout, const Tiler &tiler) {
  return unpackBoth(zippedDivide(layout, tiler));
}
