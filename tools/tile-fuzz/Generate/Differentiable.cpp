// Differentiable.cpp - random programs that -tile-gradient can differentiate
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays have floating-point or complex elements, mostly of f64, in which the
// derivatives are compared to most digits. Each block loads and stores boxes of
// its own. Operations without a derivative are rare, because one of them makes
// the whole program refused.

#include "Generator.h"
#include "Matmul.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

std::string Generator::runDifferentiable() {
  pickBlock();
  if (random.chance(5)) {
    pickGrid();
  } else {
    block = fresh();
    head += "  " + block + " = tile.program_id x\n";
  }
  makeScalars();
  for (int64_t n = random.between(1, 3); n > 0; --n)
    addLoad();
  differentiableSteps(random.between(2, 8));
  for (int64_t n = random.between(1, 2); n > 0; --n)
    addStore(pickFloating(), /*isSeen=*/true);
  return writeModule();
}

/// Picks a tile with elements that have derivatives, if possible one that is
/// not used yet.
Tile Generator::pickFloating() {
  for (int attempt = 0; attempt < 8; ++attempt) {
    Tile tile = pickUnused();
    if ((tile.type.isFloat() && !tile.type.isFloat8()) || tile.type.isComplex())
      return tile;
  }
  return make({pickShape(), "f64"});
}

std::string Generator::pickDifferentiable() {
  return random.pick<std::string>(
      {"f64", "f64", "f64", "f64", "f64", "f64", "f32", "f32", "f16", "bf16"});
}

Matmul Generator::pickDifferentiableMatmul() {
  return random.pick<Matmul>({{"f64", "f64", false, "m8n8k4", 16, 8},
                              {"f64", "f64", false, "m8n8k4", 16, 8},
                              {"f64", "f64"},
                              {"f64", "f64"},
                              {"f32", "f32"},
                              {"f32", "f32", true, "m16n8k8", 16, 16},
                              {"f16", "f32", false, "m16n8k16", 16, 8},
                              {"bf16", "f32", false, "m16n8k16", 16, 8},
                              {"complex<f32>", "complex<f32>"},
                              {"complex<f64>", "complex<f64>"},
                              {"complex<f64>", "complex<f64>"}});
}

/// Returns the offsets of a box that usually no other block loads: along one
/// dimension boxes are side by side. Along another one they are side by side
/// for the iterations of a loop, whose index is `iteration` if it is not empty.
std::vector<std::string>
Generator::pickOwnOffsets(const Array &array, const Type &type,
                          const std::string &iteration) {
  int64_t leading = array.rank - static_cast<int64_t>(type.shape.size());
  auto getExtent = [&](int64_t dim) {
    return dim < leading ? 1 : type.shape[dim - leading];
  };
  std::vector<std::string> at;
  for (int64_t dim = 0; dim < array.rank; ++dim)
    at.push_back(random.chance(85)
                     ? index(0)
                     : pickOffset(dim < leading ? 2 : getExtent(dim)));
  std::vector<int64_t> order = pickDims(array.rank, array.rank);
  auto moveBy = [&](int64_t dim, const std::string &counter) {
    std::string step = index(getExtent(dim) + (random.chance(10) ? 1 : 0));
    std::string start = fresh(), sum = fresh(), first = index(0);
    if (random.chance(20))
      first = index(random.between(-2, 2));
    line(start + " = arith.muli " + counter + ", " + step + " : index");
    line(sum + " = arith.addi " + start + ", " + first + " : index");
    at[dim] = sum;
  };
  // Rarely all blocks load the same box, so that gradients are sums.
  if (!random.chance(12))
    moveBy(order[0], block);
  if (!iteration.empty() && order.size() > 1)
    moveBy(order[1], iteration);
  return at;
}

/// Adds an operation on positive definite or diagonally dominant matrices.
void Generator::addDifferentiableMatrices() {
  Type type = pickMatrices(random.pick<std::string>(
      {"f64", "f64", "f64", "f32", "complex<f64>", "complex<f64>"}));
  Tile matrix = makeDominant(type);
  switch (random.below(8)) {
  case 0:
    return addTriangularSolve(matrix);
  case 1:
    return addSolve(matrix, /*isPositive=*/true);
  case 2:
    return addSolve(makeReordered(matrix), /*isPositive=*/false);
  case 3:
    return addInverse(makeReordered(matrix));
  case 4:
    return addDeterminant(makeReordered(matrix));
  case 5:
    return addDiagonal(matrix);
  default:
    return addCholesky(matrix);
  }
}

void Generator::differentiableSteps(int64_t count) {
  for (int64_t n = 0; n < count; ++n)
    differentiableStep();
}

/// Adds the value that a loop passes on to its next iteration: a sum, or a
/// value whose derivative depends on the carried one.
Tile Generator::addNext(const Tile &carried) {
  std::string words = " : " + carried.type.str();
  Tile y = pickOf(carried.type);
  if (random.chance(50))
    return add(carried.type,
               "arith.addf " + carried.name + ", " + y.name + words);
  Tile wave = add(carried.type, "math.sin " + carried.name + words);
  return add(carried.type, "arith.mulf " + wave.name + ", " + y.name + words);
}

/// Adds a loop or a branch.
void Generator::addDifferentiableControl() {
  int64_t choice = random.below(10);
  if (choice < 4)
    return addLoop();
  if (choice < 6)
    return addWhile();
  addBranch();
}

void Generator::differentiableStep() {
  Tile x = pickFloating();
  int64_t choice = random.below(100);
  if (choice < 1)
    return otherStep();
  if (choice < 3 && depth == 0)
    return addSoftmaxLoop();
  if (choice < 9 && depth < 2)
    return addDifferentiableControl();
  if (choice < 15)
    return addMatmul();
  if (choice < 20)
    return random.chance(50) ? addTake(x) : addPut(x);
  if (choice < 34)
    return addRearrangement(x);
  if (choice < 36)
    return addConvertLayout(x);
  if (choice < 41)
    return addDifferentiableMatrices();
  if (choice < 46)
    return addFourier();
  if (choice < 58)
    return addCombination(x);
  if (choice < 62)
    return x.type.isComplex() ? addComplex(x) : addCast(x);
  if (choice < 68) {
    Tile y = pickFloating();
    if (y.type.isComplex())
      return addComplex(y);
    addCompare(y);
    return addSelect(y);
  }
  return x.type.isComplex() ? addComplex(x) : addFloatOp(x);
}

std::string tile::fuzz::generateDifferentiable(uint64_t seed) {
  return Generator(seed, /*isDifferentiable=*/true).runDifferentiable();
}
