// Combining.cpp - reductions, scans, sorts and maps
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

#include <functional>
#include <numeric>

using namespace tile::fuzz;

/// Adds a reduction, a scan, a sort or a map.
void Generator::addCombination(const Tile &x) {
  int64_t choice = random.below(8);
  if (choice >= 6 && !x.type.isComplex() && !x.type.shape.empty())
    return choice == 6 ? addSort(x) : addTopK(x);
  if (choice < 2 || (x.type.isComplex() && choice < 4))
    return addReduce(x);
  if (choice < 4 || x.type.isComplex())
    return addScan(x);
  return choice == 4 ? addArgReduce(x) : addMap(x);
}

std::string Generator::pickKind(const Type &type) {
  if (type.isComplex())
    return random.pick<std::string>({"add", "add", "mul"});
  if (type.isFloat())
    return random.pick<std::string>({"add", "add", "add", "mul", "min", "max"});
  return random.pick<std::string>(
      {"add", "add", "mul", "min", "max", "umin", "umax", "and", "or", "xor"});
}

/// Picks an axis and removes it from `shape`, or keeps it with an extent of
/// one. Sometimes picks no axis, for a combination of all elements.
std::string Generator::pickAxis(std::vector<int64_t> &shape) {
  bool keeps = random.chance(25);
  std::string words;
  if (!shape.empty() && !random.chance(25)) {
    int64_t dim = random.below(shape.size());
    words = " axis " + std::to_string(dim);
    if (keeps)
      shape[dim] = 1;
    else
      shape.erase(shape.begin() + dim);
  } else if (keeps) {
    shape.assign(shape.size(), 1);
  } else {
    shape.clear();
  }
  return words + (keeps ? " keep" : "");
}

/// Makes a composition of functions x -> a x + b, which are pairs (a, b) of
/// integers: associative, but not commutative.
std::string Generator::makeComposition(const Type &type) {
  std::vector<std::string> names;
  for (int n = 0; n < 7; ++n)
    names.push_back(fresh());
  const std::string &t = type.element;
  auto argument = [&](int n) { return names[n] + ": " + t; };
  auto binary = [&](const std::string &name, int result, int a, int b) {
    return "      " + names[result] + " = arith." + name + " " + names[a] +
           ", " + names[b] + " : " + t + "\n";
  };
  return " {\n    ^bb0(" + argument(0) + ", " + argument(1) + ", " +
         argument(2) + ", " + argument(3) + "):\n" + binary("muli", 4, 0, 2) +
         binary("muli", 5, 1, 2) + binary("addi", 6, 5, 3) +
         "      tile.yield " + names[4] + ", " + names[6] + " : " + t + ", " +
         t + "\n    }";
}

/// Adds an operation with two results of the same type.
void Generator::addPair(const Type &type, const std::string &operation) {
  std::string name = fresh();
  line(name + ":2 = " + operation);
  pool.push_back({name + "#0", type});
  pool.push_back({name + "#1", type});
}

static bool isComposed(const Type &type) {
  return !type.isFloat() && !type.isComplex() && !type.isBool();
}

void Generator::addReduce(const Tile &x) {
  Type to = x.type;
  std::string axis = pickAxis(to.shape);
  if (!isComposed(x.type) || random.chance(60)) {
    add(to, "tile.reduce " + pickKind(x.type) + " " + x.name + axis + " : " +
                x.type.str() + " to " + to.str());
    return;
  }
  std::string y = pickOf(x.type).name, t = x.type.str();
  addPair(to, "tile.reduce " + x.name + ", " + y + " identity [1 : " +
                  x.type.element + ", 0 : " + x.type.element + "]" + axis +
                  " : " + t + ", " + t + " to " + to.str() + ", " + to.str() +
                  makeComposition(x.type));
}

void Generator::addScan(const Tile &x) {
  std::string words;
  if (!x.type.shape.empty() && !random.chance(25))
    words = " axis " + std::to_string(random.below(x.type.shape.size()));
  if (random.chance(40))
    words += " exclusive";
  if (random.chance(40))
    words += " reverse";
  std::string t = x.type.str();
  if (!isComposed(x.type) || random.chance(60)) {
    std::string kind =
        isDifferentiable && random.chance(90) ? "add" : pickKind(x.type);
    add(x.type, "tile.scan " + kind + " " + x.name + words + " : " + t);
    return;
  }
  std::string y = pickOf(x.type).name;
  addPair(x.type, "tile.scan " + x.name + ", " + y + " identity [1 : " +
                      x.type.element + ", 0 : " + x.type.element + "]" + words +
                      " : " + t + ", " + t + makeComposition(x.type));
}

void Generator::addArgReduce(const Tile &x) {
  std::string kind =
      x.type.isFloat()
          ? random.pick<std::string>({"min", "max"})
          : random.pick<std::string>({"min", "max", "umin", "umax"});
  Type to = x.type;
  std::string axis = pickAxis(to.shape);
  Type indexType =
      withElement(to, random.pick<std::string>({"i32", "i32", "i64", "index"}));
  std::string name = fresh();
  line(name + ":2 = tile.arg_reduce " + kind + " " + x.name + axis + " : " +
       x.type.str() + " to " + to.str() + ", " + indexType.str());
  pool.push_back({name + "#0", to});
  pool.push_back({name + "#1", indexType});
}

/// Adds a sort of the keys `x`, and sometimes of other tiles by these keys, if
/// each thread has few of them: the compiler limits the length of code.
void Generator::addSort(const Tile &x) {
  std::vector<Tile> tiles = {x};
  constexpr int64_t kMostOfThread = 32;
  int64_t elements = std::accumulate(x.type.shape.begin(), x.type.shape.end(),
                                     int64_t(1), std::multiplies<>());
  int64_t threads = 32 * std::max<int64_t>(numWarps, 1);
  for (int64_t n = random.below(3);
       n > 0 && elements <= kMostOfThread * threads; --n)
    tiles.push_back(pickOf(withElement(x.type, pickStored())));
  std::vector<std::string> names, types;
  for (const Tile &tile : tiles) {
    names.push_back(tile.name);
    types.push_back(tile.type.str());
  }
  std::string words =
      " axis " + std::to_string(random.below(x.type.shape.size()));
  if (random.chance(50))
    words += " descending";
  if (!x.type.isFloat() && random.chance(30))
    words += " unsigned";
  std::string name = fresh();
  line(name + ":" + std::to_string(tiles.size()) + " = tile.sort " +
       llvm::join(names, ", ") + words + " : " + llvm::join(types, ", "));
  for (auto [position, tile] : llvm::enumerate(tiles))
    pool.push_back({name + "#" + std::to_string(position), tile.type});
}

void Generator::addTopK(const Tile &x) {
  int64_t axis = random.below(x.type.shape.size());
  Type to = x.type;
  to.shape[axis] = random.between(1, to.shape[axis]);
  Type indexType =
      withElement(to, random.pick<std::string>({"i32", "i32", "i64", "index"}));
  std::string words = " axis " + std::to_string(axis);
  if (random.chance(50))
    words += " least";
  if (!x.type.isFloat() && random.chance(30))
    words += " unsigned";
  std::string name = fresh();
  line(name + ":2 = tile.top_k " + x.name + words + " : " + x.type.str() +
       " to " + to.str() + ", " + indexType.str());
  pool.push_back({name + "#0", to});
  pool.push_back({name + "#1", indexType});
}

/// Adds a map with one operand. Its region may use a scalar of the program.
Tile Generator::addMapOfOne(const Tile &x) {
  const std::string &t = x.type.element;
  std::string a = fresh(), c = fresh();
  std::string other = random.chance(50) ? makeScalar({{}, t}) : a;
  std::string operation =
      x.type.isFloat()  ? random.pick<std::string>({"addf", "mulf", "subf"})
      : x.type.isBool() ? "xori"
                        : random.pick<std::string>({"addi", "muli", "subi"});
  return add(x.type, "tile.map " + x.name + " : " + x.type.str() + " to " +
                         x.type.str() + " {\n    ^bb0(" + a + ": " + t +
                         "):\n      " + c + " = arith." + operation + " " + a +
                         ", " + other + " : " + t + "\n      tile.yield " + c +
                         " : " + t + "\n    }");
}

/// Picks the type of a tile that can be broadcast to `type`, such as a row, a
/// column or one element.
Type Generator::pickRepeated(Type type) {
  for (int64_t &extent : type.shape)
    if (random.chance(50))
      extent = 1;
  int64_t leading = random.below(type.shape.size() + 1);
  type.shape.erase(type.shape.begin(), type.shape.begin() + leading);
  return type;
}

/// Adds a map of one or two operands, whose region may contain a branch.
void Generator::addMap(const Tile &x) {
  if (random.chance(30)) {
    addMapOfOne(x);
    return;
  }
  Tile y = pickOf(random.chance(30) ? pickRepeated(x.type) : x.type);
  const std::string &t = x.type.element;
  std::string a = fresh(), b = fresh(), c = fresh(), isLess = fresh(),
              result = fresh();
  std::string operation =
      x.type.isFloat()  ? random.pick<std::string>({"addf", "mulf", "maximumf"})
      : x.type.isBool() ? random.pick<std::string>({"andi", "xori"})
                        : random.pick<std::string>({"addi", "muli", "minsi"});
  std::string text = "tile.map " + x.name + ", " + y.name + " : " +
                     x.type.str() + ", " + y.type.str() + " to " +
                     x.type.str() + " {\n    ^bb0(" + a + ": " + t + ", " + b +
                     ": " + t + "):\n      " + c + " = arith." + operation +
                     " " + a + ", " + b + " : " + t + "\n";
  if (x.type.isFloat() || random.chance(50))
    result = c;
  else
    text += "      " + isLess + " = arith.cmpi ult, " + a + ", " + b + " : " +
            t + "\n      " + result + " = scf.if " + isLess + " -> (" + t +
            ") {\n        scf.yield " + a + " : " + t +
            "\n      } else {\n        scf.yield " + c + " : " + t +
            "\n      }\n";
  add(x.type, text + "      tile.yield " + result + " : " + t + "\n    }");
}
