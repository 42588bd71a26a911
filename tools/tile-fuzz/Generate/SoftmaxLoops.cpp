// SoftmaxLoops.cpp - softmax of rows that a loop reads block by block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loop carries the maximum so far and the sum of the exponentials, and
// often the sum of values times them. Derivatives replace the maximum by
// another value, with which nothing is rescaled.

#include "Matmul.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Adds the sum of `old`, rescaled, and `added`.
Tile Generator::addRescaled(const Tile &old, const Tile &scale,
                            const Tile &added) {
  std::string words = " : " + old.type.str();
  Tile less =
      add(old.type, "arith.mulf " + old.name + ", " + scale.name + words);
  return add(old.type, "arith.addf " + less.name + ", " + added.name + words);
}

Tile Generator::addRepeated(const Tile &x, const Type &type) {
  return x.type.shape == type.shape
             ? x
             : add(type, "tile.broadcast " + x.name + " : " + x.type.str() +
                             " to " + type.str());
}

void Generator::addSoftmaxLoop() {
  if (isInFunction)
    return;
  std::string element = random.pick<std::string>({"f64", "f64", "f64", "f32"});
  std::string exp = random.chance(50) ? "exp" : "exp2";
  MatmulLoop loop{random.pick<int64_t>({1, 2, 3, 8, 17}),
                  random.pick<int64_t>({1, 3, 8}),
                  random.pick<int64_t>({1, 4, 5, 8, 16}), random.between(1, 5)};
  bool hasValues = random.chance(70);
  Type block{{loop.m, loop.k}, element}, row{{loop.m, 1}, element},
      sums{{loop.m, loop.n}, element};
  auto constant = [&](const Type &type, const std::string &value) {
    return add(type, "arith.constant dense<" + value + "> : " + type.str());
  };
  auto apply = [&](const std::string &op, const Tile &a, const Tile &b) {
    return add(a.type,
               op + " " + a.name + ", " + b.name + " : " + a.type.str());
  };
  auto reduce = [&](const std::string &kind, const Tile &x) {
    return add(row, "tile.reduce " + kind + " " + x.name +
                        " axis 1 keep : " + x.type.str() + " to " + row.str());
  };
  inputs.push_back(makeArray(element, pickSizes(2), /*isOutput=*/false));
  Array scores = inputs.back();
  std::vector<std::string> at = pickOwnOffsets(scores, block, "");
  std::vector<Tile> carried = {constant(row, "-1.0e+30"), constant(row, "0.0")};
  if (hasValues)
    carried.push_back(constant(sums, "0.0"));
  std::vector<std::string> inits, types, names;
  std::vector<Tile> inside;
  for (const Tile &tile : carried) {
    inside.push_back({fresh(), tile.type});
    inits.push_back(inside.back().name + " = " + tile.name);
    types.push_back(tile.type.str());
  }
  std::string low = index(0), step = index(loop.k),
              high = index(loop.k * loop.count), result = fresh();
  loop.at = fresh();
  line(result + ":" + std::to_string(carried.size()) + " = scf.for " + loop.at +
       " = " + low + " to " + high + " step " + step + " iter_args(" +
       llvm::join(inits, ", ") + ") -> (" + llvm::join(types, ", ") + ") {");
  size_t outer = pool.size();
  indent += 2;
  ++depth;
  at[1] = loop.at;
  Tile x = add(block, "tile.load " + scores.name + "[" + llvm::join(at, ", ") +
                          "] : " + scores.type + " -> " + block.str());
  Tile top = apply("arith.maximumf", inside[0], reduce("max", x));
  auto power = [&](const Tile &tile) {
    return add(tile.type,
               "math." + exp + " " + tile.name + " : " + tile.type.str());
  };
  Tile p = power(apply("arith.subf", x, addRepeated(top, block)));
  Tile shrink = power(apply("arith.subf", inside[0], top));
  names = {top.name, addRescaled(inside[1], shrink, reduce("add", p)).name};
  if (hasValues) {
    Tile values = loadStep(loop, {{loop.k, loop.n}, element}, 0);
    Tile less = apply("arith.mulf", inside[2], addRepeated(shrink, sums));
    names.push_back(add(sums, "tile.matmul " + p.name + ", " + values.name +
                                  ", " + less.name + " : " + p.type.str() +
                                  ", " + values.type.str() + " -> " +
                                  sums.str())
                        .name);
  }
  line("scf.yield " + llvm::join(names, ", ") + " : " +
       llvm::join(types, ", "));
  indent -= 2;
  --depth;
  line("}");
  pool.resize(outer);
  Tile last{result + "#0", row}, total{result + "#1", row};
  if (!hasValues || random.chance(30)) {
    Tile logarithm =
        add(row, std::string("math.") + (exp == "exp" ? "log " : "log2 ") +
                     total.name + " : " + row.str());
    apply("arith.addf", last, logarithm);
  }
  if (hasValues)
    apply("arith.divf", {result + "#2", sums}, addRepeated(total, sums));
}
