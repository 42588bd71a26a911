// IndexedAccess.cpp - generates gathers, scatters and their indices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Makes some extents of the indices' shape one, so that rows share their
/// indices.
void Generator::shareIndices(std::vector<int64_t> &shape, int64_t axis) {
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (static_cast<int64_t>(dim) != axis && random.chance(70))
      extent = 1;
}

/// Makes a tile of arbitrary values, each reduced to an index below `bound`.
Tile Generator::makeMixed(const Type &type, int64_t bound) {
  std::string words = " : " + type.str();
  Tile values = pickOf(type);
  if (random.chance(50)) { // indices of neighboring elements differ
    Tile indices =
        add(type, "tile.iota axis " +
                      std::to_string(random.below(type.shape.size())) + words);
    values =
        add(type, "arith.addi " + values.name + ", " + indices.name + words);
  }
  Tile extent = makeDense(type, std::to_string(bound));
  return add(type, "arith.remui " + values.name + ", " + extent.name + words);
}

/// Picks a shape that the compiler can access by vectors along any dimension.
Type Generator::pickWideType(const std::string &element) {
  Type type{{}, element};
  int64_t rank = random.pick<int64_t>({1, 2, 2, 2, 3});
  for (int64_t dim = 0; dim < rank; ++dim)
    type.shape.push_back(rank == 3 ? random.pick<int64_t>({2, 4, 8, 16})
                                   : random.pick<int64_t>({4, 8, 16, 32, 64}));
  while (type.size() > kMaxElements)
    *llvm::max_element(type.shape) /= 2;
  return type;
}

/// Makes indices for a tile along one of its dimensions.
Tile Generator::makeIndices(const Type &type, int64_t axis) {
  Type to{type.shape, random.pick<std::string>({"i32", "i32", "i64", "index"})};
  shareIndices(to.shape, axis);
  if (random.chance(40))
    return pickOf(to);
  std::string start = makeScalar(to), step = makeScalar(to);
  return add(to, "tile.iota axis " + std::to_string(axis) + " from " + start +
                     " step " + step + " : " + to.str());
}

/// Picks tiles of indices along one to three dimensions of the array. Returns
/// their names and axes as text, and sets `types` to the text of their types.
std::string Generator::pickIndices(const Type &type, const Array &array,
                                   std::string &types) {
  std::vector<std::string> names, words, all;
  int64_t count = random.between(1, std::min<int64_t>(array.rank, 3));
  for (int64_t axis : pickDims(count, array.rank)) {
    Type to{type.shape, random.pick<std::string>({"i8", "i32", "i64"})};
    shareIndices(to.shape, random.below(to.shape.size()));
    Tile indices = makeMixed(to, random.pick<int64_t>({3, 8, 16}));
    names.push_back(indices.name);
    words.push_back(std::to_string(axis));
    all.push_back(indices.type.str());
  }
  types = llvm::join(all, ", ");
  return llvm::join(names, ", ") + " axes [" + llvm::join(words, ", ") + "]";
}

/// Adds a gather from an array that the program already reads.
void Generator::addGather() {
  if (inputs.empty())
    return;
  Array array = random.pick(inputs); // a copy, because `inputs` may grow
  bool isFull = random.chance(60);
  Type type =
      isFull ? pickWideType(array.element) : Type{pickShape(), array.element};
  int64_t rank = static_cast<int64_t>(type.shape.size());
  if (rank == 0 || rank > array.rank)
    return;
  int64_t axis = random.below(rank);
  Type indexType{type.shape, random.pick<std::string>(
                                 {"i8", "i32", "i32", "i64", "index"})};
  std::string indexWords, types;
  if (random.chance(30)) {
    indexWords = pickIndices(type, array, types);
  } else {
    Tile indices = isFull
                       ? makeMixed(indexType, random.pick<int64_t>({3, 8, 16}))
                       : makeIndices(type, axis);
    indexWords = indices.name + " axis " + std::to_string(axis);
    types = indices.type.str();
  }
  std::string words;
  if (random.chance(isFull ? 10 : 30))
    words += pickMask(type);
  if (random.chance(20))
    words += " pad " + makeScalar(type);
  std::vector<std::string> at;
  for (int64_t dim = 0; dim < array.rank; ++dim)
    at.push_back(isFull && random.chance(60)
                     ? index(0)
                     : pickOffset(dim < array.rank - rank
                                      ? 2
                                      : type.shape[dim - (array.rank - rank)]));
  add(type, "tile.gather " + array.name + "[" + llvm::join(at, ", ") + "] at " +
                indexWords + words + " : " + array.type + ", " + types +
                " -> " + type.str());
}

/// Makes indices along an axis in reverse order, which contain each index once.
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

/// Makes indices along an axis that are rotated differently in each row, and
/// contain each index once per row.
Tile Generator::makeRotated(const Type &type, int64_t axis) {
  Type to{type.shape, random.pick<std::string>({"i32", "i64", "index"})};
  std::string words = " : " + to.str();
  auto constant = [&](int64_t value) {
    return makeDense(to, std::to_string(value));
  };
  Tile sum = add(to, "tile.iota axis " + std::to_string(axis) + words);
  for (int64_t dim = 0; dim < static_cast<int64_t>(to.shape.size()); ++dim) {
    if (dim == axis)
      continue;
    Tile along = add(to, "tile.iota axis " + std::to_string(dim) + words);
    Tile step = constant(random.between(1, 5));
    Tile shift = add(to, "arith.muli " + along.name + ", " + step.name + words);
    sum = add(to, "arith.addi " + sum.name + ", " + shift.name + words);
  }
  Tile extent = constant(to.shape[axis]);
  return add(to, "arith.remui " + sum.name + ", " + extent.name + words);
}

/// Makes indices inside the extent of an axis for the elements of a tile. Each
/// index occurs once per row, or some occur several times if `mayRepeat`.
Tile Generator::makeAxisIndices(const Type &type, int64_t axis,
                                bool mayRepeat) {
  if (mayRepeat)
    return makeMixed({type.shape, random.pick<std::string>({"i32", "i64"})},
                     random.between(1, type.shape[axis]));
  return random.chance(50) ? makeReversed(type, axis) : makeRotated(type, axis);
}

void Generator::addScatter(const Tile &tile, const Array &array,
                           const std::string &boxText, bool isInside) {
  int64_t axis = random.below(tile.type.shape.size());
  bool isUpdate =
      tile.type.isAtomic() && !tile.type.isFloat() && random.chance(25);
  bool asksForOld = isUpdate && random.chance(40);
  Tile indices = makeAxisIndices(
      tile.type, axis, !asksForOld && (isUpdate || random.chance(30)));
  std::string words = random.chance(15) ? pickMask(tile.type) : "";
  if (isUpdate)
    words +=
        " atomic " + random.pick<std::string>({"add", "min", "max", "umin",
                                               "umax", "and", "or", "xor"});
  std::string text = "tile.scatter " + tile.name + ", " + array.name + boxText +
                     " at " + indices.name + " axis " + std::to_string(axis) +
                     words + (isInside ? " in_bounds" : "") + " : " +
                     tile.type.str() + ", " + array.type + ", " +
                     indices.type.str();
  if (!asksForOld)
    return line(text);
  Tile old = add(tile.type, text + " -> " + tile.type.str());
  if (random.chance(60))
    addStore(old);
}
