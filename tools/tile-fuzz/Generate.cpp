// Generate.cpp - random tile programs: the choice of the next operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generate.h"

#include "Generate/Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

std::string Generator::run() {
  // The body is generated first, because it determines the arguments.
  pickBlock();
  pickGrid();
  makeScalars();
  int64_t numLoads = random.between(1, 3);
  for (int64_t n = 0; n < numLoads; ++n)
    addLoad();
  if (random.chance(20))
    beginInPlace();
  steps(random.between(3, 10));
  int64_t numStores = random.between(2, 4);
  for (int64_t n = 0; n < numStores; ++n)
    addStore(pickUnused(), /*isSeen=*/n == 0);
  if (inPlace)
    storeInPlace(pickOf(inPlace->type));
  return writeModule();
}

std::string Generator::writeModule() const {
  std::string words =
      attributes.empty() ? ""
                         : " attributes {" + llvm::join(attributes, ", ") + "}";
  return functions + "tile.kernel @f(" + llvm::join(parameters, ", ") + ")" +
         words + " {\n" + head + body + "  tile.return\n}\n";
}

void Generator::steps(int64_t count) {
  for (int64_t n = 0; n < count; ++n)
    step();
}

/// Adds a loop, a branch or a call.
void Generator::addControl() {
  int64_t choice = random.below(13);
  if (choice < 4)
    return addLoop();
  if (choice < 6)
    return addWhile();
  return choice < 10 ? addBranch() : addCall();
}

void Generator::addComputedIndices(const Tile &x) {
  switch (random.below(5)) {
  case 0:
    return addHistogram(x);
  case 1:
    return addStack(x);
  case 2:
    return addTake(x);
  default:
    return addPut(x);
  }
}

/// Adds an operation that rearranges elements or takes some of them.
void Generator::addRearrangement(const Tile &x) {
  int64_t choice = random.below(17);
  if (choice >= 4)
    return choice < 8    ? addTranspose(x)
           : choice < 12 ? addBroadcast(x)
                         : addReshape(x);
  switch (random.below(6)) {
  case 0:
    return addExtract(x);
  case 1:
    return addInsert(x);
  case 2:
    return addJoin(x);
  default:
    return addView(x);
  }
}

/// Occasionally adds an operation that changes no values.
void Generator::addSilent(const Tile &x) {
  if (random.chance(2))
    line("tile.fence" + random.pick<std::string>({"", " acquire", " release"}) +
         random.pick<std::string>({"", " scope block", " scope system"}));
  if (x.type.size() <= 64 && random.chance(2))
    line("tile.print \"x\", " + x.name + " : " + x.type.str());
}

/// Adds an elementwise operation or a combination.
void Generator::addComputation(const Tile &x) {
  int64_t choice = random.below(54);
  if (x.type.isFloat8())
    return choice < 14 ? addSelect(x) : addCast(x);
  if (x.type.isComplex())
    return choice < 14   ? addCombination(x)
           : choice < 34 ? addComplex(x)
           : choice < 42 ? addTransforms(x)
                         : addSelect(x);
  if (x.type.isBool())
    return choice < 14   ? addBoolOp(x)
           : choice < 19 ? addSelect(x)
           : choice < 24 ? addCombination(x)
                         : addCast(x);
  if (choice < 5)
    return addCombination(x);
  if (!x.type.isFloat() && random.chance(4))
    return addAssert(x);
  if ((x.type.element == "f32" || x.type.element == "f64") && random.chance(4))
    return addComplex(x);
  if (choice < 12)
    return addCast(x);
  if (choice < 17)
    return addCompare(x);
  if (choice < 24)
    return addSelect(x);
  return x.type.isFloat() ? addFloatOp(x) : addIntegerOp(x);
}

void Generator::step() {
  return isDifferentiable ? differentiableStep() : otherStep();
}

void Generator::otherStep() {
  Tile x = pickUnused();
  if (inPlace && random.chance(12))
    return addInPlace();
  if (random.chance(4))
    return addGather();
  if (numThreads > 0 && random.chance(12))
    return addPerThread();
  int64_t choice = random.below(100);
  if (choice < 13 && depth < 2)
    return addControl();
  if (choice < 20) {
    if (depth > 1 || choice < 17)
      return addMatmul();
    return choice < 19 ? addMatmulChain() : addMatmulLoop();
  }
  if (choice < 24)
    return addComputedIndices(x);
  if (choice < 41)
    return addRearrangement(x);
  if (choice < 45)
    return addConvertLayout(x);
  if (choice < 46) {
    int64_t which = random.below(10);
    return which < 3   ? addRandom()
           : which < 7 ? addLinearAlgebra()
                       : addFourier();
  }
  addSilent(x);
  addComputation(x);
}

std::string tile::fuzz::generateProgram(uint64_t seed) {
  return Generator(seed).run();
}
