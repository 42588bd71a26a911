// Matmuls.cpp - matmuls
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Matmul.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

Matmul Generator::pickMatmul() {
  if (isDifferentiable)
    return pickDifferentiableMatmul();
  return random.pick<Matmul>({{"f16", "f32", false, "m16n8k16", 16, 8},
                              {"f16", "f32", false, "m16n8k16", 16, 8},
                              {"f16", "f16", false, "m16n8k16", 16, 8},
                              {"bf16", "f32", false, "m16n8k16", 16, 8},
                              {"f32", "f32", true, "m16n8k8", 16, 16},
                              {"i8", "i32", false, "m16n8k32", 16, 16},
                              {"f64", "f64", false, "m8n8k4", 16, 8},
                              {"f8E4M3FN", "f32"},
                              {"f8E5M2", "f32"},
                              {"f32", "f32"},
                              {"f32", "f32"},
                              {"i16", "i16"},
                              {"i32", "i32"},
                              {"i64", "i64"},
                              {"complex<f32>", "complex<f32>"},
                              {"complex<f64>", "complex<f64>"}});
}

/// Picks the tiling of an m by n matmul, or of a batch of such matmuls.
/// Sometimes picks none. Adjusts `m`, `n` and `batch`, so that all warps, or a
/// group of them, have work.
std::string Generator::pickTiling(const Matmul &matmul,
                                  std::vector<int64_t> &batch, int64_t &m,
                                  int64_t &n) {
  if (random.chance(60))
    return "";
  std::vector<std::string> words;
  if (random.chance(50))
    words.push_back("stages = " + std::to_string(random.between(1, 4)));
  bool isMma = !matmul.atom.empty() && (matmul.isTF32 || random.chance(60));
  words.push_back("atom = \"" + (isMma ? matmul.atom : "fma") + "\"");
  auto addIntegers = [&](const std::string &name,
                         std::vector<int64_t> integers) {
    std::vector<std::string> parts;
    for (int64_t integer : integers)
      parts.push_back(std::to_string(integer));
    words.push_back(name + " = [" + llvm::join(parts, ", ") + "]");
  };
  std::vector<int64_t> warps, sub, thread;
  for (size_t i = 0; i < 2 + batch.size(); ++i) {
    warps.push_back(random.pick<int64_t>({1, 1, 2, 3, 4}));
    sub.push_back(random.pick<int64_t>({1, 1, 2, 3}));
  }
  for (size_t i = 0; i < 2; ++i)
    thread.push_back(random.pick<int64_t>({1, 2, 4}));
  int64_t lanes[2];
  lanes[1] = random.pick<int64_t>({4, 8, 16});
  lanes[0] = 32 / lanes[1];
  size_t first = batch.size();
  int64_t rows =
      warps[first] * sub[first] * (isMma ? matmul.rows : lanes[0] * thread[0]);
  int64_t columns = warps[first + 1] * sub[first + 1] *
                    (isMma ? matmul.columns : lanes[1] * thread[1]);
  int64_t matmuls = batch.empty() ? 1 : warps[0] * sub[0];
  // If elements have 16 bytes, a single warp has registers for only half of
  // kMaxElements.
  int64_t most =
      matmul.accumulator == "complex<f64>" ? kMaxElements / 2 : kMaxElements;
  if (numWarps != 0 && numWarps % llvm::product_of(warps) == 0 && rows <= 64 &&
      columns <= 64 && matmuls * rows * columns <= most) {
    addIntegers("warps", warps);
    if (random.chance(70))
      addIntegers("sub", sub);
    if (!isMma)
      addIntegers("thread", thread);
    if (!batch.empty())
      batch[0] = matmuls;
    // The extents need not be multiples of the instruction's extents: the
    // compiler pads the operands.
    m = rows - (isMma ? random.below(matmul.rows) : 0);
    n = columns - (isMma ? random.below(matmul.columns) : 0);
  }
  return " tiling <" + llvm::join(words, ", ") + ">";
}

/// Makes a tile of the type from a tile that `load` returns, by a cast, a map
/// or arithmetic.
Tile Generator::makeComputed(const Type &type,
                             const std::function<Tile(Type)> &load) {
  std::vector<std::string> sources = {type.element};
  if (type.isFloat() && !type.isFloat8())
    sources = {type.element, "f32", "f16", "i8", "i32"};
  else if (type.isFloat8())
    sources = {"f32", "f16"};
  else if (!type.isComplex())
    sources = {type.element, "i8", "i32"};
  Type from = withElement(type, random.pick(sources));
  Tile x = load(from);
  if (from.element != type.element)
    x = add(type,
            "tile.cast " + x.name + " : " + from.str() + " to " + type.str());
  else if (type.isFloat8() || type.isComplex())
    return x;
  else if (random.chance(50))
    return addMapOfOne(x);
  if (type.isFloat8() || random.chance(60))
    return x;
  return add(type, std::string(type.isFloat() ? "arith.mulf " : "arith.muli ") +
                       x.name + ", " + x.name + " : " + type.str());
}

/// Picks an operand of a batched matmul, occasionally one for the whole batch.
/// It may be transposed, so that its dimensions have another order in memory.
/// For a warpgroup it is a tile without other uses, usually a load.
Tile Generator::pickOperand(std::vector<int64_t> batch, int64_t rows,
                            int64_t columns, const std::string &element,
                            bool isForGroup) {
  if (random.chance(20))
    batch.clear();
  auto pickTile = [&](const Type &type) {
    if (random.chance(15))
      return makeComputed(type, [&](const Type &t) { return make(t); });
    return isForGroup ? make(type) : pickOf(type);
  };
  Type to{std::move(batch), element};
  to.shape.insert(to.shape.end(), {rows, columns});
  if (!random.chance(isForGroup ? 50 : 30))
    return pickTile(to);
  std::vector<size_t> permutation(to.shape.size());
  std::iota(permutation.begin(), permutation.end(), 0);
  std::swap(permutation.back(), permutation[random.below(to.shape.size() - 1)]);
  Type from = to;
  std::vector<std::string> words;
  for (auto [dim, of] : llvm::enumerate(permutation)) {
    from.shape[of] = to.shape[dim];
    words.push_back(std::to_string(of));
  }
  Tile tile = pickTile(from);
  return add(to, "tile.transpose " + tile.name + " [" +
                     llvm::join(words, ", ") + "] : " + from.str() + " to " +
                     to.str());
}

void Generator::addMatmul() {
  if (random.chance(8))
    return addSelfMatmul();
  Matmul matmul = pickMatmul();
  auto extent = [&] {
    return random.pick<int64_t>({1, 3, 7, 8, 16, 16, 17, 24, 32, 32, 33});
  };
  int64_t m = extent(), n = extent(), k = extent();
  std::vector<int64_t> batch;
  if (random.chance(30)) {
    batch.push_back(random.pick<int64_t>({1, 2, 3, 4, 7}));
    while (batch[0] * m * n > kMaxElements)
      m = (m + 1) / 2;
  }
  bool isForGroup =
      matmul.isForGroups() && numWarps % 4 == 0 && random.chance(90);
  if (isForGroup && batch.empty()) {
    m = random.pick<int64_t>({64, 64, 65, 100});
    n = random.pick<int64_t>({8, 16, 16, 19, 20});
  } else if (isForGroup) {
    m = random.pick<int64_t>({64, 64, 65});
    n = random.pick<int64_t>({8, 8, 13, 16});
    batch[0] = std::min(batch[0], kMaxElements / (m * n));
  }
  // Operands with elements of 16 bytes are copied to shared memory and padded
  // there.
  if (matmul.element == "complex<f64>" && !batch.empty())
    k = std::min(k, std::max<int64_t>(
                        kMaxElements / (2 * batch[0] * std::max(m, n)), 1));
  std::string precision = matmul.isTF32 ? " precision tf32" : "";
  if (matmul.isFloat8() && random.chance(50))
    precision = " precision fast_accumulation";
  std::string tiling = isForGroup ? "" : pickTiling(matmul, batch, m, n);
  Tile lhs = pickOperand(batch, m, k, matmul.element, isForGroup);
  Tile rhs = pickOperand(batch, k, n, matmul.element, isForGroup);
  Type sum{batch, matmul.accumulator};
  sum.shape.insert(sum.shape.end(), {m, n});
  Tile acc = pickOf(sum);
  add(acc.type, "tile.matmul " + lhs.name + ", " + rhs.name + ", " + acc.name +
                    precision + tiling + " : " + lhs.type.str() + ", " +
                    rhs.type.str() + " -> " + acc.type.str());
}

/// Adds a matmul of a tile with its own transpose.
void Generator::addSelfMatmul() {
  Matmul matmul = pickMatmul();
  auto extent = [&] {
    return random.pick<int64_t>({3, 8, 9, 16, 16, 17, 24, 32});
  };
  Type type{{extent(), extent()}, matmul.element};
  Tile x = pickOf(type);
  Tile y = addTransposed(x);
  bool isTurnedFirst = random.chance(40);
  const Tile &lhs = isTurnedFirst ? y : x, &rhs = isTurnedFirst ? x : y;
  Tile acc =
      pickOf({{lhs.type.shape[0], rhs.type.shape[1]}, matmul.accumulator});
  add(acc.type, "tile.matmul " + lhs.name + ", " + rhs.name + ", " + acc.name +
                    (matmul.isTF32 ? " precision tf32" : "") + " : " +
                    lhs.type.str() + ", " + rhs.type.str() + " -> " +
                    acc.type.str());
}
