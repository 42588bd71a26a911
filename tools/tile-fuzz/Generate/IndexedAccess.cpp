// IndexedAccess.cpp - gathers and scatters
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// The shape of indices along a dimension: the same for all rows, or each its
/// own.
void Generator::shareIndices(std::vector<int64_t> &shape, int64_t axis) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != axis && random.chance(70))
      extent = 1;
}

/// Indices for a tile along one of its dimensions.
Tile Generator::makeIndices(const Type &type, int64_t axis) {
  Type to{type.shape, random.pick<std::string>({"i32", "i32", "i64", "index"})};
  shareIndices(to.shape, axis);
  if (random.chance(40))
    return pickOf(to);
  std::string start = makeScalar(to), step = makeScalar(to);
  return add(to, "tile.iota axis " + std::to_string(axis) + " from " + start +
                     " step " + step + " : " + to.str());
}

/// A box of an array that the program reads already.
void Generator::addGather() {
  if (inputs.empty())
    return;
  Array array = random.pick(inputs); // more may come
  Type type{pickShape(), array.element};
  int64_t rank = static_cast<int64_t>(type.shape.size());
  if (rank == 0 || rank > array.rank)
    return;
  int64_t axis = random.below(rank);
  Tile indices = makeIndices(type, axis);
  std::string words;
  if (random.chance(30))
    words += pickMask(type);
  if (random.chance(20))
    words += " pad " + makeScalar(type);
  std::vector<std::string> at;
  for (int64_t dim = 0; dim < array.rank; ++dim)
    at.push_back(pickOffset(
        dim < array.rank - rank ? 2 : type.shape[dim - (array.rank - rank)]));
  add(type, "tile.gather " + array.name + "[" + llvm::join(at, ", ") + "] at " +
                indices.name + " axis " + std::to_string(axis) + words + " : " +
                array.type + ", " + indices.type.str() + " -> " + type.str());
}

/// Indices of the elements along an axis in reverse order: each place once.
Tile Generator::makeReversed(const Type &type, int64_t axis) {
  Type to{type.shape, random.pick<std::string>({"i32", "i64", "index"})};
  shareIndices(to.shape, axis);
  std::string last = fresh(), step = fresh();
  line(last + " = arith.constant " + std::to_string(to.shape[axis] - 1) +
       " : " + to.element);
  line(step + " = arith.constant -1 : " + to.element);
  return add(to, "tile.iota axis " + std::to_string(axis) + " from " + last +
                     " step " + step + " : " + to.str());
}

void Generator::addScatter(const Tile &tile, const Array &array,
                           const std::vector<std::string> &at, bool isInside) {
  int64_t axis = random.below(tile.type.shape.size());
  Tile indices = makeReversed(tile.type, axis);
  line("tile.scatter " + tile.name + ", " + array.name + "[" +
       llvm::join(at, ", ") + "] at " + indices.name + " axis " +
       std::to_string(axis) + (isInside ? " in_bounds" : "") + " : " +
       tile.type.str() + ", " + array.type + ", " + indices.type.str());
}
