// Shape.cpp - views, insertions, joins and other rearrangements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Picks a box of a tile: sets `shape` to the extents of the box, and returns
/// its offsets.
std::vector<std::string> Generator::pickPart(std::vector<int64_t> &shape) {
  std::vector<std::string> at;
  for (int64_t &extent : shape) {
    int64_t part = random.between(1, extent);
    at.push_back(pickInside(extent - part));
    extent = part;
  }
  return at;
}

/// Adds a view with dimensions reversed, or of every second or third element;
/// the first dimensions may be left out.
void Generator::addSteppedView(const Tile &x) {
  int64_t rank = static_cast<int64_t>(x.type.shape.size());
  int64_t leading = rank > 0 && random.chance(40) ? random.below(rank + 1) : 0;
  Type to{{}, x.type.element};
  std::vector<std::string> at, steps;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t extent = x.type.shape[dim], step = 1, part = 1;
    if (dim >= leading) {
      step = random.pick<int64_t>({1, 1, -1, -1, 2, -2, 3});
      part = random.between(1, (extent - 1) / std::abs(step) + 1);
      to.shape.push_back(part);
    }
    int64_t reach = (part - 1) * std::abs(step);
    std::string offset = pickInside(extent - 1 - reach);
    if (step < 0 && reach > 0) {
      std::string far = index(reach), sum = fresh();
      line(sum + " = arith.addi " + offset + ", " + far + " : index");
      offset = sum;
    }
    at.push_back(offset);
    steps.push_back(std::to_string(step));
  }
  add(to, "tile.view " + x.name + "[" + llvm::join(at, ", ") + "] steps [" +
              llvm::join(steps, ", ") + "] : " + x.type.str() + " to " +
              to.str());
}

void Generator::addView(const Tile &x) {
  if (random.chance(30))
    return addSteppedView(x);
  Type to = x.type;
  std::vector<std::string> at = pickPart(to.shape);
  add(to, "tile.view " + x.name + "[" + llvm::join(at, ", ") +
              "] : " + x.type.str() + " to " + to.str());
}

void Generator::addExtract(const Tile &x) {
  std::vector<std::string> at;
  for (int64_t extent : x.type.shape)
    at.push_back(pickInside(extent - 1));
  std::string scalar = fresh();
  line(scalar + " = tile.extract " + x.name + "[" + llvm::join(at, ", ") +
       "] : " + x.type.str());
  Type to{pickShape(), x.type.element};
  add(to, "tile.fill " + scalar + " : " + to.str());
}

void Generator::addInsert(const Tile &x) {
  if (random.chance(25)) {
    std::vector<std::string> coordinates;
    for (int64_t extent : x.type.shape)
      coordinates.push_back(pickInside(extent - 1));
    std::string scalar = makeScalar({{}, x.type.element});
    add(x.type, "tile.insert " + scalar + " into " + x.name + "[" +
                    llvm::join(coordinates, ", ") + "] : " + x.type.element +
                    " into " + x.type.str());
    return;
  }
  Type from = x.type;
  std::vector<std::string> at = pickPart(from.shape);
  Tile part = pickOf(from);
  add(x.type, "tile.insert " + part.name + " into " + x.name + "[" +
                  llvm::join(at, ", ") + "] : " + from.str() + " into " +
                  x.type.str());
}

void Generator::addJoin(const Tile &x) {
  if (x.type.shape.empty())
    return;
  int64_t axis = random.below(x.type.shape.size());
  Type to = x.type;
  std::vector<std::string> names = {x.name}, types = {x.type.str()};
  for (int64_t n = random.below(3); n > 0; --n) {
    Type part = x.type;
    part.shape[axis] = random.between(1, 9);
    to.shape[axis] += part.shape[axis];
    if (to.size() > kMaxElements)
      return;
    names.push_back(pickOf(part).name);
    types.push_back(part.str());
  }
  add(to, "tile.join " + llvm::join(names, ", ") + " axis " +
              std::to_string(axis) + " : " + llvm::join(types, ", ") + " to " +
              to.str());
}

void Generator::addTranspose(const Tile &x) {
  std::vector<int64_t> permutation(x.type.shape.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  for (size_t i = permutation.size(); i-- > 1;)
    std::swap(permutation[i], permutation[random.below(i + 1)]);
  Type to = x.type;
  std::vector<std::string> words;
  for (auto [dim, of] : llvm::enumerate(permutation)) {
    to.shape[dim] = x.type.shape[of];
    words.push_back(std::to_string(of));
  }
  add(to, "tile.transpose " + x.name + " [" + llvm::join(words, ", ") +
              "] : " + x.type.str() + " to " + to.str());
}

/// Adds a broadcast with new dimensions anywhere.
void Generator::addBroadcastAlong(const Tile &x) {
  Type to = x.type;
  std::vector<std::string> dims;
  std::vector<int64_t> shape;
  for (size_t dim = 0; dim <= x.type.shape.size(); ++dim) {
    size_t left = x.type.shape.size() - dim;
    while (shape.size() + left < 4 && random.chance(40))
      shape.push_back(random.pick<int64_t>({1, 2, 3, 5}));
    if (left == 0)
      break;
    dims.push_back(std::to_string(shape.size()));
    shape.push_back(x.type.shape[dim]);
  }
  to.shape = shape;
  if (to.size() <= kMaxElements)
    add(to, "tile.broadcast " + x.name + " dims [" + llvm::join(dims, ", ") +
                "] : " + x.type.str() + " to " + to.str());
}

void Generator::addBroadcast(const Tile &x) {
  if (random.chance(25))
    return addBroadcastAlong(x);
  Type to = x.type;
  int64_t size = to.size();
  for (int64_t &extent : to.shape)
    if (extent == 1 && random.chance(70)) {
      int64_t repeated = random.pick<int64_t>({2, 3, 8, 17});
      if (size * repeated <= kMaxElements) {
        extent = repeated;
        size *= repeated;
      }
    }
  while (to.shape.size() < 4 && random.chance(40)) {
    int64_t repeated = random.pick<int64_t>({1, 2, 5, 8});
    if (size * repeated > kMaxElements)
      break;
    to.shape.insert(to.shape.begin(), repeated);
    size *= repeated;
  }
  add(to,
      "tile.broadcast " + x.name + " : " + x.type.str() + " to " + to.str());
}

void Generator::addReshape(const Tile &x) {
  // Distributes prime factors over new dimensions.
  Type to{std::vector<int64_t>(random.between(1, 4), 1), x.type.element};
  int64_t rest = x.type.size();
  for (int64_t factor = 2; rest > 1; ++factor)
    for (; rest % factor == 0; rest /= factor)
      to.shape[random.below(to.shape.size())] *= factor;
  add(to, "tile.reshape " + x.name + " : " + x.type.str() + " to " + to.str());
}
