// TakeAndPut.cpp - elements of a tile at computed indices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

using namespace tile::fuzz;

/// Adds a `tile.take` at arbitrary values that are reduced to valid indices.
void Generator::addTake(const Tile &x) {
  if (x.type.shape.empty())
    return;
  int64_t axis = random.below(x.type.shape.size());
  Type to = x.type;
  to.shape[axis] = random.between(1, 2 * to.shape[axis]);
  Type of{to.shape, random.pick<std::string>({"i32", "i32", "i64", "index"})};
  shareIndices(of.shape, axis);
  Tile values = pickOf(of);
  Tile extent = makeDense(of, std::to_string(x.type.shape[axis]));
  Tile indices = add(of, "arith.remui " + values.name + ", " + extent.name +
                             " : " + of.str());
  add(to, "tile.take " + x.name + " at " + indices.name + " axis " +
              std::to_string(axis) + " : " + x.type.str() + ", " +
              indices.type.str() + " to " + to.str());
}

/// Adds a `tile.put`, which writes a part in reverse order, each element at
/// most once, or adds integers to any elements.
void Generator::addPut(const Tile &x) {
  if (x.type.shape.empty())
    return;
  int64_t axis = random.below(x.type.shape.size());
  bool adds = !x.type.isFloat() && !x.type.isComplex() && !x.type.isBool() &&
              !x.type.isFloat8() && random.chance(60);
  Type part = x.type;
  part.shape[axis] =
      random.between(1, adds ? 2 * part.shape[axis] : part.shape[axis]);
  Tile values = pickOf(part);
  Tile indices = adds ? makeIndices(part, axis) : makeReversed(part, axis);
  std::string mask = random.chance(30) ? pickMask(part) : "";
  add(x.type, std::string("tile.put ") + (adds ? "add " : "") + values.name +
                  " into " + x.name + " at " + indices.name + " axis " +
                  std::to_string(axis) + mask + " : " + part.str() + ", " +
                  indices.type.str() + " into " + x.type.str());
}

void Generator::addHistogram(const Tile &x) {
  if (x.type.shape.empty())
    return;
  Type of = withElement(
      x.type, random.pick<std::string>({"i8", "i16", "i32", "i64", "index"}));
  Tile values = pickOf(of);
  Type to{{random.between(1, 70)}, random.pick<std::string>({"i32", "i64"})};
  std::string mask = random.chance(30) ? pickMask(of) : "";
  add(to, "tile.histogram " + values.name + mask + " : " + of.str() + " to " +
              to.str());
}

/// Pushes elements on a stack, and pops some of them.
void Generator::addStack(const Tile &x) {
  if (x.type.shape.empty())
    return;
  Type type{{random.between(1, 300)}, x.type.element};
  Tile stack = pickOf(type);
  Type plain = x.type.withoutStorage();
  std::string pushes = pickOf(withElement(plain, "i1")).name;
  std::string begin = fresh();
  line(begin + " = arith.constant " +
       std::to_string(random.between(0, type.shape[0])) + " : i32");
  Type positionType = withElement(plain, "i32"), i32{{}, "i32"};
  std::string pushed = fresh(), count = fresh(), at = fresh();
  line(pushed + ", " + count + ", " + at + " = tile.push " + x.name + " mask " +
       pushes + " onto " + stack.name + ", " + begin + " : " + x.type.str() +
       " onto " + type.str());
  pool.push_back({pushed, type});
  pool.push_back({at, positionType});
  std::string pops = pickOf(withElement(plain, "i1")).name;
  std::string values = fresh(), rest = fresh(), from = fresh();
  line(values + ", " + rest + ", " + from + " = tile.pop " + pushed + ", " +
       count + " mask " + pops + " : " + type.str() + " to " + x.type.str());
  pool.push_back({values, x.type});
  pool.push_back({from, positionType});
  add(i32, "tile.fill " + rest + " : " + i32.str());
}
