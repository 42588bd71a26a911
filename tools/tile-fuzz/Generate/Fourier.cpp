// Fourier.cpp - Fourier transforms and their inverses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Generator.h"

#include "llvm/ADT/StringExtras.h"

using namespace tile::fuzz;

/// Maximum length of rows. The evaluator computes transforms by their
/// definition, which is too slow for longer rows.
static constexpr int64_t kMaxLength = 200;

std::string Generator::pickNorm() {
  return random.pick<std::string>(
      {"", "", "", " norm none", " norm by_n", " norm ortho"});
}

/// Picks radices that multiply to `length`, and sometimes a thread count.
/// Returns an empty text if its random choices do not lead to such radices.
std::string Generator::pickPlan(int64_t length) {
  std::vector<std::string> radices;
  while (length > 1) {
    std::vector<int64_t> factors;
    for (int64_t factor = 2; factor <= 16; ++factor)
      if (length % factor == 0)
        factors.push_back(factor);
    if (factors.empty())
      return "";
    int64_t radix = random.pick(factors);
    radices.push_back(std::to_string(radix));
    length /= radix;
  }
  std::string threads;
  if (random.chance(50))
    threads = ", threads = " + std::to_string(int64_t(1) << random.below(8));
  return " plan <radices = [" + llvm::join(radices, ", ") + "]" + threads + ">";
}

/// Adds a transform along the rows of a tile. @pre hasRows(x.type)
Tile Generator::addTransform(const Tile &x) {
  std::string norm = pickNorm();
  int64_t extent = x.type.shape.back();
  auto addReal = [&](const std::string &name, const Type &to) {
    return add(to,
               name + x.name + norm + " : " + x.type.str() + " to " + to.str());
  };
  if (!x.type.isComplex()) {
    Type to{x.type.shape, "complex<" + x.type.element + ">"};
    to.shape.back() = extent / 2 + 1;
    return addReal("tile.rfft ", to);
  }
  if (random.chance(30)) {
    Type to{x.type.shape, x.type.element == "complex<f32>" ? "f32" : "f64"};
    to.shape.back() = std::max<int64_t>(1, 2 * (extent - 1) + random.below(2));
    if (to.size() <= kMaxElements)
      return addReal("tile.irfft ", to);
  }
  std::string plan = random.chance(30) ? pickPlan(extent) : "";
  return add(x.type, (random.chance(50) ? "tile.fft " : "tile.ifft ") + x.name +
                         norm + plan + " : " + x.type.str());
}

/// Whether `addTransform` accepts tiles of the type.
static bool hasRows(const Type &type) {
  return !type.shape.empty() && type.shape.back() <= kMaxLength;
}

/// Adds a transform of the tile, and sometimes a transform of the result. A
/// tile without suitable rows gets a complex operation instead.
void Generator::addTransforms(const Tile &x) {
  if (!hasRows(x.type))
    return addComplex(x);
  Tile y = addTransform(x);
  if (random.chance(50) && hasRows(y.type))
    addTransform(y);
}

/// Adds transforms of rows of a random length. Occasionally the length has a
/// prime factor for which the compiler has no pass of its own.
void Generator::addFourier() {
  int64_t length = random.between(1, random.chance(85) ? 48 : kMaxLength);
  if (random.chance(15)) {
    int64_t prime = random.pick<int64_t>({37, 41, 43, 47, 59, 83});
    length = prime * random.between(1, kMaxLength / prime);
  }
  std::vector<int64_t> shape;
  for (int64_t dims = random.below(3); dims > 0; --dims)
    shape.push_back(random.between(1, 5));
  while (Type{shape, ""}.size() * length > kMaxElements)
    shape.pop_back();
  shape.push_back(length);
  Tile x = pickOf({shape, random.pick<std::string>({"f32", "f32", "f64"})});
  if (random.chance(65)) {
    Tile y = pickOf(x.type, x.name);
    Type to{shape, "complex<" + x.type.element + ">"};
    x = add(to, "tile.complex create " + x.name + ", " + y.name + " : " +
                    x.type.str() + ", " + y.type.str() + " to " + to.str());
  }
  addTransforms(x);
}
