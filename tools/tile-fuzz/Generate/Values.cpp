// Values.cpp - types, names and tiles of the pool
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

std::string Generator::pickElement() {
  if (isDifferentiable)
    return pickDifferentiable();
  return random.pick<std::string>({"f32", "f32", "f32", "f16", "f16", "bf16",
                                   "f64", "i32", "i32", "i8", "i16", "i64",
                                   "index"});
}

/// Picks an element type for arrays, sometimes one that few operations support.
std::string Generator::pickStored() {
  if (isDifferentiable)
    return random.chance(85)
               ? pickDifferentiable()
               : random.pick<std::string>(
                     {"complex<f64>", "complex<f64>", "complex<f32>"});
  if (random.chance(10))
    return random.pick<std::string>({"complex<f32>", "complex<f64>", "i1"});
  return random.chance(6) ? pickFloat8() : pickElement();
}

std::string Generator::pickFloat8() {
  return random.pick<std::string>({"f8E4M3FN", "f8E5M2"});
}

std::vector<int64_t> Generator::pickShape() {
  int64_t rank = random.pick<int64_t>({0, 1, 1, 2, 2, 2, 2, 3, 3, 4});
  std::vector<int64_t> shape;
  int64_t size = 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    int64_t extent = random.pick<int64_t>(
        {1, 2, 3, 4, 5, 6, 7, 8, 8, 12, 16, 16, 17, 31, 32, 32, 33, 64});
    while (size * extent > kMaxElements)
      extent = (extent + 1) / 2 == extent ? 1 : (extent + 1) / 2;
    shape.push_back(extent);
    size *= extent;
  }
  return shape;
}

/// Appends a line, and marks the names after its "=" as used.
void Generator::line(const std::string &text) {
  body += std::string(indent, ' ') + text + "\n";
  size_t at = text.find(" = ");
  for (at = text.find('%', at == std::string::npos ? 0 : at);
       at != std::string::npos; at = text.find('%', at + 1)) {
    size_t end = at + 1;
    while (end < text.size() && llvm::isAlnum(text[end]))
      ++end;
    used.insert(text.substr(at, end - at));
  }
}

/// Picks a tile of the pool, if possible one that is not used yet, so that
/// results affect the output.
Tile Generator::pickUnused() {
  std::vector<Tile> unused;
  for (const Tile &tile : pool)
    if (!used.count(tile.name))
      unused.push_back(tile);
  return unused.empty() || random.chance(25) ? pickTile() : random.pick(unused);
}

std::string Generator::index(int64_t value) {
  std::string name = fresh();
  line(name + " = arith.constant " + std::to_string(value) + " : index");
  return name;
}

Tile Generator::add(const Type &type, const std::string &operation) {
  Tile tile{fresh(), type};
  line(tile.name + " = " + operation);
  pool.push_back(tile);
  return tile;
}

/// Makes a constant tile of one value.
Tile Generator::makeDense(const Type &type, const std::string &value) {
  return add(type, "arith.constant dense<" + value + "> : " + type.str());
}

/// Picks a tile of the type: an existing one, or a new one; rarely the one
/// called `butNot`, which is the other operand.
Tile Generator::pickOf(const Type &type, const std::string &butNot) {
  std::vector<Tile> there, unused;
  bool takesAny = random.chance(5);
  for (const Tile &tile : pool)
    if (tile.type == type && (takesAny || tile.name != butNot)) {
      there.push_back(tile);
      if (!used.count(tile.name))
        unused.push_back(tile);
    }
  if (!unused.empty() && random.chance(60))
    return random.pick(unused);
  if (!there.empty() && !random.chance(20))
    return random.pick(there);
  return make(type);
}
