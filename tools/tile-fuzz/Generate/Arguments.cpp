// Arguments.cpp - generates the grid, scalar arguments and arrays of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

void Generator::pickBlock() {
  if (!random.chance(40))
    return;
  numWarps = random.pick<int64_t>({1, 2, 3, 4, 4, 8, 8});
  numThreads = 32 * numWarps;
  if (random.chance(40))
    numThreads -= random.between(1, 31);
  attributes.push_back("block = " + std::to_string(numThreads) + " : i64");
}

/// Picks the grid: blocks along x, whose count the launch determines, or blocks
/// along all axes, whose counts the kernel specifies.
void Generator::pickGrid() {
  block = fresh();
  if (!random.chance(30)) {
    head += "  " + block + " = tile.program_id x\n";
    return;
  }
  int64_t x = random.between(1, 3), y = random.between(1, 2),
          z = random.between(1, 6 / (x * y));
  numBlocks = x * y * z;
  bool hasFactors = random.chance(30);
  attributes.push_back("grid = #tile.grid<affine_map<() -> (" +
                       std::string(hasFactors ? "1, " : "") +
                       std::to_string(x) + ", " + std::to_string(y) + ", " +
                       std::to_string(z) + ")> of []" +
                       (hasFactors ? " factors [2, 1, 1]" : "") + ">");
  // The linear id of the block is x + numX * (y + numY * z).
  for (const char *operation :
       {"%x = tile.program_id x", "%y = tile.program_id y",
        "%z = tile.program_id z", "%numX = tile.num_programs x",
        "%numY = tile.num_programs y", "%layer = arith.muli %numY, %z : index",
        "%row = arith.addi %y, %layer : index",
        "%rows = arith.muli %numX, %row : index"})
    head += std::string("  ") + operation + "\n";
  head += "  " + block + " = arith.addi %x, %rows : index\n";
}

void Generator::makeScalars() {
  if (!random.chance(50))
    return;
  std::string name = "%s" + std::to_string(parameters.size());
  parameters.push_back(name + ": index");
  offsets.push_back(name);
}

/// Picks static and run-time sizes.
std::vector<int64_t> Generator::pickSizes(int64_t rank) {
  std::vector<int64_t> sizes;
  bool isStatic = random.chance(25);
  int64_t count = 1;
  for (int64_t dim = 0; dim < std::max<int64_t>(rank, 1); ++dim) {
    int64_t size = random.pick<int64_t>({1, 5, 16, 24, 33, 40});
    bool isKnown = isStatic || random.chance(15);
    while (isKnown && count * size > kMaxArrayElements)
      size = (size + 1) / 2;
    count *= isKnown ? size : 1;
    sizes.push_back(isKnown ? size : 0);
  }
  return sizes;
}

/// Picks static sizes of an array that is large enough for a box of `shape`.
std::vector<int64_t>
Generator::pickSizesAround(const std::vector<int64_t> &shape) {
  std::vector<int64_t> sizes;
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  for (int64_t extent : shape) {
    int64_t size = extent + random.pick<int64_t>({0, 0, 1, 3, 8});
    if (count / extent * size > kMaxArrayElements)
      size = extent;
    count = count / extent * size;
    sizes.push_back(size);
  }
  return sizes;
}

/// Picks the layout in the type of an array: contiguous, padded or strided
/// rows, or contiguous columns.
std::string Generator::pickArrayLayout(int64_t rank) {
  int64_t kind = random.below(5);
  std::vector<std::string> strides(rank, "?");
  if (kind == 1)
    strides.back() = "1";
  else if (kind == 3 && rank > 1)
    strides.front() = "1";
  else if (kind != 2)
    return "";
  return ", strided<[" + llvm::join(strides, ", ") + "]>";
}

Array Generator::makeArray(const std::string &element,
                           std::vector<int64_t> sizes, bool isOutput,
                           const std::optional<std::string> &given) {
  Array array;
  array.name = (isOutput ? "%out" : "%in") + std::to_string(parameters.size());
  array.element = element;
  array.rank = static_cast<int64_t>(sizes.size());
  array.sizes = std::move(sizes);
  std::string shape;
  for (int64_t size : array.sizes)
    shape += (size > 0 ? std::to_string(size) : "?") + "x";
  std::string layout = given ? *given : pickArrayLayout(array.rank);
  array.type = "memref<" + shape + element + layout + ">";
  parameters.push_back(array.name + ": " + array.type);
  return array;
}
