// MatmulLoops.cpp - matmuls in loops over K
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops may have more steps than stages and tiles smaller than a fragment,
// and may be inside a loop over rows. Their operands are loaded, computed or
// transposed, or are one tile and its transpose.

#include "Matmul.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Returns random extents and an iteration count of a loop over K with the
/// matmul `matmul`.
Generator::MatmulLoop Generator::pickMatmulLoop(const Matmul &matmul) {
  MatmulLoop loop = random.pick<MatmulLoop>({{8, 4, 8},
                                             {9, 5, 7},
                                             {64, 60, 32},
                                             {16, 8, 16},
                                             {17, 9, 16},
                                             {32, 24, 8},
                                             {33, 31, 15},
                                             {16, 16, 32},
                                             {1, 1, 16}});
  if (random.chance(40))
    for (int64_t *extent : {&loop.m, &loop.n, &loop.k})
      *extent = random.pick<int64_t>({1, 3, 5, 8, 12, 16, 19, 24, 32});
  if (matmul.isForGroups() && numWarps % 4 == 0 && numWarps > 0 &&
      random.chance(50))
    loop.m = 64;
  // Four stages of 64 rows and 64 columns fit in shared memory.
  if (matmul.element == "complex<f64>")
    loop.k = std::min<int64_t>(loop.k, 16);
  loop.count = random.between(1, 9);
  while (loop.count > 3 && loop.m * loop.n * loop.k * loop.count > 1 << 18)
    --loop.count;
  return loop;
}

/// Adds a load of a box at the loop's offset along the dimension `along`.
Tile Generator::loadStep(const MatmulLoop &loop, const Type &type,
                         int64_t along) {
  std::vector<Array> there;
  for (const Array &array : inputs)
    if (array.element == type.element && array.rank == 2)
      there.push_back(array);
  if (there.empty() || random.chance(50)) {
    inputs.push_back(makeArray(type.element, pickSizes(2), /*isOutput=*/false));
    there = {inputs.back()};
  }
  const Array &array = random.pick(there);
  std::vector<std::string> at(2, loop.at);
  at[1 - along] = !loop.row.empty() && random.chance(70)
                      ? loop.row
                      : pickOffset(type.shape[1 - along]);
  return add(type, "tile.load " + array.name + "[" + llvm::join(at, ", ") +
                       "] : " + array.type + " -> " + type.str());
}

Tile Generator::addTransposed(const Tile &x) {
  Type to = x.type;
  std::swap(to.shape[0], to.shape[1]);
  return add(to, "tile.transpose " + x.name + " [1, 0] : " + x.type.str() +
                     " to " + to.str());
}

/// Makes an operand of one step, whose dimension `along` is K.
Tile Generator::makeStepOperand(const MatmulLoop &loop, Type type,
                                int64_t along) {
  bool isTurned = random.chance(25);
  if (isTurned) {
    std::swap(type.shape[0], type.shape[1]);
    along = 1 - along;
  }
  auto load = [&](const Type &from) { return loadStep(loop, from, along); };
  Tile tile = random.chance(45) ? makeComputed(type, load) : load(type);
  return isTurned ? addTransposed(tile) : tile;
}

/// Begins a loop over rows, which carries a tile. Returns the loop's result and
/// the carried tile.
std::pair<Tile, Tile> Generator::enterRows(MatmulLoop &loop, const Tile &init) {
  std::string result = fresh(), carried = fresh(), at = fresh();
  std::string low = index(0), step = index(1),
              height = index(random.pick<int64_t>({1, 3, 8, 16}));
  constexpr int64_t kMost = 4;
  std::string high =
      random.chance(50) ? makeCount(kMost) : index(random.between(0, kMost));
  line(result + " = scf.for " + at + " = " + low + " to " + high + " step " +
       step + " iter_args(" + carried + " = " + init.name + ") -> (" +
       init.type.str() + ") {");
  indent += 2;
  ++depth;
  loop.row = fresh();
  line(loop.row + " = arith.muli " + at + ", " + height + " : index");
  return {{result, init.type}, {carried, init.type}};
}

void Generator::addMatmulLoop() {
  if (isInFunction)
    return;
  Matmul matmul = pickMatmul();
  MatmulLoop loop = pickMatmulLoop(matmul);
  std::vector<int64_t> batch;
  std::string words = matmul.isTF32 ? " precision tf32" : "";
  words += pickTiling(matmul, batch, loop.m, loop.n);
  Type sum{{loop.m, loop.n}, matmul.accumulator};
  Tile init = pickOf(sum), ofRows;
  size_t outer = pool.size();
  bool isNest = random.chance(30);
  if (isNest)
    std::tie(ofRows, init) = enterRows(loop, init);
  std::string low = index(0), step = index(loop.k),
              high = index(loop.k * loop.count);
  std::string acc = fresh(), result = fresh();
  loop.at = fresh();
  line(result + " = scf.for " + loop.at + " = " + low + " to " + high +
       " step " + step + " iter_args(" + acc + " = " + init.name + ") -> (" +
       sum.str() + ") {");
  indent += 2;
  ++depth;
  Tile lhs = makeStepOperand(loop, {{loop.m, loop.k}, matmul.element}, 1);
  Tile rhs = loop.m == loop.n && random.chance(40)
                 ? addTransposed(lhs)
                 : makeStepOperand(loop, {{loop.k, loop.n}, matmul.element}, 0);
  if (random.chance(10))
    steps(1);
  Tile next = add(sum, "tile.matmul " + lhs.name + ", " + rhs.name + ", " +
                           acc + words + " : " + lhs.type.str() + ", " +
                           rhs.type.str() + " -> " + sum.str());
  leaveLoop(next);
  if (isNest)
    leaveLoop({result, sum});
  pool.resize(outer);
  pool.push_back(isNest ? ofRows : Tile{result, sum});
}
