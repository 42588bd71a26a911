// Memory.cpp - loads, stores and updates of boxes of arrays
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Picks the offset of a box. It is constant or known only at run time, and may
/// be negative.
std::string Generator::pickOffset(int64_t extent) {
  if (!offsets.empty() && random.chance(30))
    return random.pick(offsets);
  if (random.chance(60))
    return index(0);
  return index(random.between(-extent / 2 - 1, extent + 3));
}

/// Picks an offset from 0 to `slack`: a constant, or the block id modulo
/// `slack` + 1.
std::string Generator::pickInside(int64_t slack) {
  if (slack == 0 || !random.chance(30))
    return index(random.between(0, slack));
  std::string bound = index(slack + 1), offset = fresh();
  line(offset + " = arith.remui " + block + ", " + bound + " : index");
  return offset;
}

/// Picks, for each dimension of a tile, a different dimension of the array, in
/// any order.
std::vector<int64_t> Generator::pickDims(int64_t rank, int64_t arrayRank) {
  std::vector<int64_t> dims(arrayRank);
  std::iota(dims.begin(), dims.end(), 0);
  for (size_t i = dims.size(); i-- > 1;)
    std::swap(dims[i], dims[random.below(i + 1)]);
  dims.resize(rank);
  return dims;
}

/// Formats dimensions such as " dims [2, 0]".
static std::string writeDims(const std::vector<int64_t> &dims) {
  std::vector<std::string> words;
  for (int64_t dim : dims)
    words.push_back(std::to_string(dim));
  return " dims [" + llvm::join(words, ", ") + "]";
}

/// Picks the order, if any, and the scope of an atomic access.
std::string Generator::pickAtomic(const std::string &order) {
  return (random.chance(50) ? " order " + order : "") +
         random.pick<std::string>({"", " scope block", " scope system"});
}

/// Adds another argument of the same type, for which a launch may pass the same
/// array.
Array Generator::makeTwin(Array array) {
  array.name = "%in" + std::to_string(parameters.size());
  parameters.push_back(array.name + ": " + array.type);
  inputs.push_back(array);
  return array;
}

Tile Generator::loadFrom(Array array, const Type &type,
                         const std::string &along) {
  if (inputs.size() < 8 && random.chance(isDifferentiable ? 80 : 8))
    array = makeTwin(array);
  std::vector<std::string> at;
  int64_t leading = array.rank - static_cast<int64_t>(type.shape.size());
  bool isInside = !isDifferentiable && along.empty() &&
                  array.holds(type.shape) && random.chance(60);
  for (int64_t dim = 0; dim < array.rank; ++dim) {
    int64_t extent = dim < leading ? 1 : type.shape[dim - leading];
    at.push_back(isInside        ? pickInside(array.sizes[dim] - extent)
                 : dim < leading ? pickOffset(2)
                                 : pickOffset(extent));
  }
  if (isDifferentiable)
    at = pickOwnOffsets(array, type, along);
  else if (!along.empty())
    at[random.below(array.rank)] = along;
  if (type.isAtomic() && !isDifferentiable && random.chance(8))
    return add(type, "tile.atomic_load " + array.name + "[" +
                         llvm::join(at, ", ") + "]" + pickAtomic("acquire") +
                         (isInside ? " in_bounds" : "") + " : " + array.type +
                         " -> " + type.str());
  std::string pad, dims;
  if (random.chance(20))
    pad = " pad " + makeScalar(type);
  // A box that may leave the array may lie along any dimensions of the array.
  if (!isInside && !isDifferentiable && random.chance(15))
    dims = writeDims(pickDims(type.shape.size(), array.rank));
  std::string mask = random.chance(8) ? pickMask(type) : "";
  return add(type, "tile.load " + array.name + "[" + llvm::join(at, ", ") +
                       "]" + dims + mask + pad +
                       (isInside ? " in_bounds" : "") + " : " + array.type +
                       " -> " + type.str());
}

void Generator::addLoad() {
  Type type{pickShape(), pickStored()};
  int64_t rank = static_cast<int64_t>(type.shape.size());
  int64_t extra = rank < 4 && random.chance(25) ? 1 : 0;
  std::vector<int64_t> sizes = pickSizes(rank + extra);
  if (random.chance(20)) {
    std::vector<int64_t> box = type.shape;
    box.insert(box.begin(), sizes.size() - box.size(), 1);
    sizes = pickSizesAround(box);
  }
  inputs.push_back(
      makeArray(type.element, std::move(sizes), /*isOutput=*/false));
  loadFrom(inputs.back(), type, "");
}

/// Adds a store to a new array. Blocks write next to each other along one
/// dimension of the box, or all update the same box, one block after the other.
/// If `isSeen`, the box starts inside the array and has no mask, so that every
/// program writes something.
void Generator::addStore(const Tile &tile, bool isSeen) {
  std::vector<int64_t> box = tile.type.shape;
  if (box.empty())
    box.push_back(1);
  int64_t along = random.below(box.size());
  bool isInside = numBlocks > 0 && random.chance(40);
  std::vector<int64_t> sizes;
  if (isInside) {
    std::vector<int64_t> all = box;
    all[along] *= numBlocks;
    sizes = pickSizesAround(all);
  } else {
    sizes = pickSizes(box.size());
  }
  std::vector<std::string> at;
  for (auto [dim, extent] : llvm::enumerate(box))
    at.push_back(!isInside ? (isSeen ? index(0) : pickOffset(extent))
                 : static_cast<int64_t>(dim) == along
                     ? index(random.between(0, sizes[dim] - extent * numBlocks))
                     : pickInside(sizes[dim] - extent));
  // Dimension i of the box is dimension dims[i] of the array.
  std::vector<int64_t> dims(box.size());
  std::iota(dims.begin(), dims.end(), 0);
  bool hasDims = !tile.type.shape.empty() && random.chance(12);
  if (hasDims)
    dims = pickDims(box.size(), box.size());
  std::vector<int64_t> arraySizes(box.size());
  for (auto [dim, size] : llvm::zip(dims, sizes))
    arraySizes[dim] = size;
  Array array =
      makeArray(tile.type.element, std::move(arraySizes), /*isOutput=*/true);
  auto writeOffsets = [&] {
    std::vector<std::string> arrayOffsets(at.size());
    for (auto [dim, offset] : llvm::zip(dims, at))
      arrayOffsets[dim] = offset;
    return "[" + llvm::join(arrayOffsets, ", ") + "]" +
           (hasDims ? writeDims(dims) : "");
  };
  bool isUpdate =
      tile.type.isAtomic() && random.chance(isDifferentiable ? 1 : 12);
  bool isOrdered = isUpdate && random.chance(40);
  if (isOrdered)
    return addUpdate(tile, array, writeOffsets(), isOrdered, isInside);
  std::string extent = index(box[along]);
  std::string start = fresh(), sum = fresh();
  line(start + " = arith.muli " + block + ", " + extent + " : index");
  line(sum + " = arith.addi " + start + ", " + at[along] + " : index");
  at[along] = sum;
  if (isUpdate)
    return addUpdate(tile, array, writeOffsets(), isOrdered, isInside);
  if (!tile.type.shape.empty() && random.chance(isDifferentiable ? 1 : 20))
    return addScatter(tile, array, writeOffsets(), isInside);
  bool isAtomic = !hasDims && tile.type.isAtomic() &&
                  random.chance(isDifferentiable ? 1 : 8);
  bool isMasked = !isAtomic && (!isSeen || isDifferentiable) &&
                  random.chance(isDifferentiable ? 5 : 15);
  std::string mask = isMasked ? pickMask(tile.type) : "";
  line((isAtomic ? "tile.atomic_store " : "tile.store ") + tile.name + ", " +
       array.name + writeOffsets() + (isAtomic ? pickAtomic("release") : mask) +
       (isInside ? " in_bounds" : "") + " : " + tile.type.str() + ", " +
       array.type);
}

/// Picks a mask for a tile of the type, as " mask %m : type".
std::string Generator::pickMask(const Type &type) {
  Tile mask = pickOf(withElement(type, "i1"));
  return " mask " + mask.name + " : " + mask.type.str();
}

void Generator::addUpdate(const Tile &tile, const Array &array,
                          const std::string &boxText, bool isOrdered,
                          bool isInside) {
  std::vector<std::string> kinds = {"add", "min", "max", "exchange",
                                    "compare_exchange"};
  if (!tile.type.isFloat())
    kinds.insert(kinds.end(), {"umin", "umax", "and", "or", "xor"});
  std::string kind = random.pick(kinds), expected;
  if (kind == "compare_exchange")
    expected = " expected " + pickOf(tile.type).name;
  if (random.chance(20))
    expected += pickMask(tile.type);
  std::string order =
      random.pick<std::string>({"acquire", "release", "acq_rel", "relaxed"});
  Tile old =
      add(tile.type, "tile.atomic_rmw " + kind + " " + tile.name + ", " +
                         array.name + boxText + expected + pickAtomic(order) +
                         (isOrdered ? " ordered" : "") +
                         (isInside ? " in_bounds" : "") + " : " +
                         tile.type.str() + ", " + array.type);
  if (random.chance(60))
    addStore(old);
}
