// Product.cpp - copies of a tile at the positions of a grid
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Product.h"

#include "FlatModes.h"
#include "Zip.h"

#include "tile/Layout/Complement.h"
#include "tile/Layout/Compose.h"
#include "tile/Layout/Print.h"

#include <string>

using namespace tile;

Result<Layout> tile::logicalProduct(const Layout &tile, const Layout &grid) {
  std::optional<int64_t> bound = multiply(tile.size(), grid.cosize());
  if (!bound)
    return Result<Layout>::failure(
        "expected a product that fits 64 bits, got " + toString(tile) +
        " times " + toString(grid));
  Result<Layout> positions = complement(tile, *bound);
  if (!positions)
    return positions;
  Result<Layout> copies = compose(*positions, grid);
  if (!copies)
    return copies;
  return concatenate({tile, *copies});
}

Result<Layout> tile::logicalProduct(const Layout &tile, const Tiler &tiler) {
  return applyByMode(tile, tiler, ModesWithoutTiler::kKeep, logicalProduct);
}

Result<Layout> tile::zippedProduct(const Layout &tile, const Tiler &tiler) {
  return zipPairs(logicalProduct(tile, tiler), tiler);
}

Result<Layout> tile::tiledProduct(const Layout &tile, const Tiler &tiler) {
  return unpackRest(zippedProduct(tile, tiler));
}

Result<Layout> tile::flatProduct(const Layout &tile, const Tiler &tiler) {
  return unpackBoth(zippedProduct(tile, tiler));
}

namespace {
/// Mode i of a tile and mode i of its copies.
struct TileAndCopies {
  std::vector<Layout> tile, copies;
};
} // namespace

/// Returns the modes of logicalProduct; the copies have the modes of the grid.
static Result<TileAndCopies> multiplyEqualRanks(const Layout &tile,
                                                const Layout &grid) {
  if (tile.rank() != grid.rank())
    return Result<TileAndCopies>::failure(
        "expected a tile and a grid of equal rank, got " + toString(tile) +
        " and " + toString(grid));
  Result<Layout> product = logicalProduct(tile, grid);
  if (!product)
    return Result<TileAndCopies>::failure(product.error());
  // The copies of an integer grid are one mode, though it may be a list.
  Layout copies = product->mode(1);
  if (grid.shape().isLeaf())
    copies = *concatenate({copies});
  TileAndCopies modes;
  for (size_t i = 0; i < tile.rank(); ++i) {
    modes.tile.push_back(tile.mode(i));
    modes.copies.push_back(copies.mode(i));
  }
  return modes;
}

/// The layout whose mode i is (first[i], second[i]).
static Result<Layout> zipModes(const std::vector<Layout> &first,
                               const std::vector<Layout> &second) {
  std::vector<Layout> modes;
  for (size_t i = 0; i < first.size(); ++i)
    modes.push_back(*concatenate({first[i], second[i]}));
  return concatenate(modes);
}

Result<Layout> tile::blockedProduct(const Layout &tile, const Layout &grid) {
  Result<TileAndCopies> modes = multiplyEqualRanks(tile, grid);
  if (!modes)
    return Result<Layout>::failure(modes.error());
  return zipModes(modes->tile, modes->copies);
}

Result<Layout> tile::rakedProduct(const Layout &tile, const Layout &grid) {
  Result<TileAndCopies> modes = multiplyEqualRanks(tile, grid);
  if (!modes)
    return Result<Layout>::failure(modes.error());
  return zipModes(modes->copies, modes->tile);
}
