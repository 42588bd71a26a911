// MatmulChains.cpp - matmuls with operands computed from other matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The chains are consecutive layers, or loops with dependent matmuls, as in
// attention. A value between two matmuls stays in registers, goes through
// shared memory, or is converted.

#include "Matmul.h"

using namespace tile::fuzz;

/// Adds a new array whose rows or columns are contiguous, and a load from it.
Tile Generator::loadForGroup(const Type &type) {
  std::string layout =
      random.pick<std::string>({"", ", strided<[?, 1]>", ", strided<[1, ?]>"});
  inputs.push_back(makeArray(type.element, pickSizesAround(type.shape),
                             /*isOutput=*/false, layout));
  const Array &array = inputs.back();
  std::string at = pickOffset(type.shape[0]);
  return add(type, "tile.load " + array.name + "[" + at + ", " +
                       pickOffset(type.shape[1]) + "] : " + array.type +
                       " -> " + type.str());
}

/// Makes an operand of a matmul. For a matmul of a warpgroup this is usually a
/// new load.
Tile Generator::makeChainOperand(const Matmul &matmul, int64_t rows,
                                 int64_t columns, bool isForGroup) {
  if (isInFunction || !isForGroup || random.chance(10))
    return pickOperand({}, rows, columns, matmul.element, isForGroup);
  if (random.chance(70))
    return loadForGroup({{rows, columns}, matmul.element});
  return addTransposed(loadForGroup({{columns, rows}, matmul.element}));
}

Tile Generator::multiply(const Matmul &matmul, const Tile &lhs, const Tile &rhs,
                         const std::string &acc) {
  Type sum{{lhs.type.shape[0], rhs.type.shape[1]}, matmul.accumulator};
  return add(sum, "tile.matmul " + lhs.name + ", " + rhs.name + ", " + acc +
                      (matmul.isTF32 ? " precision tf32" : "") + " : " +
                      lhs.type.str() + ", " + rhs.type.str() + " -> " +
                      sum.str());
}

/// Picks an initial accumulator, usually zero.
std::string Generator::pickBeginning(const Type &sum) {
  if (sum.isComplex() || random.chance(30))
    return pickOf(sum).name;
  return makeDense(sum, sum.isFloat() ? "0.0" : "0").name;
}

/// Adds an operation between two matmuls: elementwise, or a subtraction of the
/// maximum of each row.
Tile Generator::addBetweenMatmuls(const Tile &x) {
  std::string type = " : " + x.type.str();
  if (x.type.isComplex() || random.chance(30))
    return x;
  if (!x.type.isFloat())
    return add(x.type, random.pick<std::string>(
                           {"arith.addi ", "arith.maxsi ", "arith.xori "}) +
                           x.name + ", " + pickOf(x.type, x.name).name + type);
  if (random.chance(30)) {
    Type row{{x.type.shape[0], 1}, x.type.element};
    Tile most = add(row, "tile.reduce max " + x.name + " axis 1 keep : " +
                             x.type.str() + " to " + row.str());
    Tile all = add(x.type, "tile.broadcast " + most.name + " : " + row.str() +
                               " to " + x.type.str());
    Tile less = add(x.type, "arith.subf " + x.name + ", " + all.name + type);
    return add(x.type, "math.exp2 " + less.name + type);
  }
  if (random.chance(40))
    return add(x.type, random.pick<std::string>({"arith.negf ", "math.tanh "}) +
                           x.name + type);
  return add(x.type, random.pick<std::string>(
                         {"arith.addf ", "arith.subf ", "arith.maximumf "}) +
                         x.name + ", " + pickOf(x.type, x.name).name + type);
}

/// Makes an operand of the next matmul from the result of the last one.
Tile Generator::makeNextOperand(const Matmul &matmul, const Tile &sum) {
  Tile x = addBetweenMatmuls(sum);
  Type type = withElement(x.type, matmul.element);
  if (type.element == x.type.element)
    return x;
  return add(type, "tile.cast " + x.name + " : " + x.type.str() + " to " +
                       type.str());
}

void Generator::addLayers(const Matmul &matmul, int64_t m, bool isForGroup) {
  // A warpgroup's instruction can read rows of at least 32 bytes.
  auto extent = [&] {
    return isForGroup ? random.pick<int64_t>({16, 16, 16, 32, 20})
                      : random.pick<int64_t>({8, 16, 16, 20, 24, 7});
  };
  int64_t k = extent();
  Tile lhs = makeChainOperand(matmul, m, k, isForGroup);
  Tile rhs = makeChainOperand(matmul, k, extent(), isForGroup);
  for (int64_t layers = random.between(2, 3);; --layers) {
    Type sum{{m, rhs.type.shape[1]}, matmul.accumulator};
    Tile result = multiply(matmul, lhs, rhs, pickBeginning(sum));
    if (layers == 1)
      return;
    lhs = makeNextOperand(matmul, result);
    // Layers may have the same weights.
    k = lhs.type.shape[1];
    if (rhs.type.shape[0] != k || random.chance(60))
      rhs = makeChainOperand(matmul, k, extent(), isForGroup);
  }
}

void Generator::addLoopOfChains(const Matmul &matmul, int64_t m,
                                bool isForGroup) {
  MatmulLoop loop = pickMatmulLoop(matmul);
  loop.count = std::min<int64_t>(loop.count, 5);
  int64_t step = random.pick<int64_t>({8, 16, 16, 20});
  int64_t depth = random.pick<int64_t>({8, 16, 19});
  int64_t columns = random.pick<int64_t>({8, 16, 16, 16, 20});
  Type sum{{m, columns}, matmul.accumulator};
  Type scores{{m, step}, matmul.accumulator};
  Tile lhs = makeChainOperand(matmul, m, depth, isForGroup);
  std::string init = pickBeginning(sum), beginning = pickBeginning(scores);
  std::string low = index(0), by = index(step), high = index(step * loop.count);
  std::string acc = fresh(), result = fresh();
  loop.at = fresh();
  line(result + " = scf.for " + loop.at + " = " + low + " to " + high +
       " step " + by + " iter_args(" + acc + " = " + init + ") -> (" +
       sum.str() + ") {");
  size_t outer = pool.size();
  indent += 2;
  ++this->depth;
  Tile first = multiply(
      matmul, lhs, makeStepOperand(loop, {{depth, step}, matmul.element}, 1),
      beginning);
  Tile next = makeNextOperand(matmul, first);
  Tile carried{acc, sum};
  if (sum.isFloat() && random.chance(50))
    carried = add(sum, "arith.negf " + acc + " : " + sum.str());
  Tile rhs = makeStepOperand(loop, {{step, columns}, matmul.element}, 0);
  Tile last = multiply(matmul, next, rhs, carried.name);
  line("scf.yield " + last.name + " : " + sum.str());
  indent -= 2;
  --this->depth;
  line("}");
  pool.resize(outer);
  pool.push_back({result, sum});
}

void Generator::addMatmulChain() {
  Matmul matmul = pickMatmul();
  if (numWarps % 4 == 0 && random.chance(40))
    matmul = {random.pick<std::string>({"f16", "bf16"}), "f32"};
  bool isForGroup =
      matmul.isForGroups() && numWarps % 4 == 0 && random.chance(80);
  int64_t m = isForGroup ? random.pick<int64_t>({64, 64, 65, 100})
                         : random.pick<int64_t>({16, 16, 17, 32, 33, 64, 5});
  if (isInFunction || random.chance(50))
    return addLayers(matmul, m, isForGroup);
  addLoopOfChains(matmul, m, isForGroup);
}
