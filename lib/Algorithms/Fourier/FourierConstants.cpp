// FourierConstants.cpp - the constants of convolutions of rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FourierConstants.h"

#include "tile/Algorithms/RootsOfUnity.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace llvm;
using namespace tile;

//===----------------------------------------------------------------------===//
// Transforms of constants
//===----------------------------------------------------------------------===//

using Numbers = std::vector<FourierNumber>;

static size_t getLeastFactor(size_t n) {
  size_t factor = 2;
  while (n % factor != 0)
    ++factor;
  return factor;
}

static Numbers getRoots(size_t length) {
  Numbers roots;
  for (size_t k = 0; k < length; ++k)
    roots.push_back(
        getRootOfUnity(static_cast<int64_t>(k), static_cast<int64_t>(length)));
  return roots;
}

static Numbers transformByChirp(const Numbers &x);

/// Transforms n elements. The n-th roots of unity are in `roots` at multiples
/// of roots.size() / n. Let f be the least prime factor of n. Elements whose
/// indices are equal modulo f are transformed separately, and the results are
/// summed with twiddle factors.
static Numbers transform(const Numbers &x, const Numbers &roots) {
  constexpr size_t kLong = 256;
  size_t n = x.size();
  if (n == 1)
    return x;
  size_t factor = getLeastFactor(n), rest = n / factor;
  if (rest == 1 && n > kLong)
    return transformByChirp(x);
  Numbers y(n), part(rest);
  for (size_t first = 0; first < factor; ++first) {
    for (size_t i = 0; i < rest; ++i)
      part[i] = x[first + i * factor];
    Numbers transformed = transform(part, roots);
    for (size_t q = 0; q < n; ++q)
      y[q] += roots[first * q % n * (roots.size() / n)] * transformed[q % rest];
  }
  return y;
}

/// Returns the transform divided by the length.
static Numbers getSpectrum(const Numbers &x) {
  Numbers y = transform(x, getRoots(x.size()));
  for (FourierNumber &value : y)
    value /= static_cast<long double>(x.size());
  return y;
}

static Numbers transformByChirp(const Numbers &x) {
  size_t length = PowerOf2Ceil(2 * x.size() - 1);
  Chirp chirp(static_cast<int64_t>(x.size()), static_cast<int64_t>(length),
              /*isInverse=*/false);
  Numbers roots = getRoots(length), y(length);
  for (size_t k = 0; k < x.size(); ++k)
    y[k] = x[k] * chirp.factors[k];
  y = transform(y, roots);
  // The inverse transform is the conjugate of the transform of the conjugates.
  for (size_t k = 0; k < length; ++k)
    y[k] = std::conj(y[k] * chirp.spectrum[k]);
  y = transform(y, roots);
  y.resize(x.size());
  for (size_t k = 0; k < x.size(); ++k)
    y[k] = std::conj(y[k]) * chirp.factors[k];
  return y;
}

//===----------------------------------------------------------------------===//
// Convolutions
//===----------------------------------------------------------------------===//

Chirp::Chirp(int64_t length, int64_t convolutionLength, bool isInverse)
    : factors(length) {
  Numbers kernel(convolutionLength);
  for (int64_t k = 0; k < length; ++k) {
    FourierNumber root = getRootOfUnity(k * k % (2 * length), 2 * length);
    factors[k] = isInverse ? std::conj(root) : root;
    kernel[k] = std::conj(factors[k]);
    kernel[(convolutionLength - k) % convolutionLength] = kernel[k];
  }
  spectrum = getSpectrum(kernel);
}

/// Returns the powers of `base` modulo `prime`, from the zeroth until they
/// repeat.
static std::vector<int64_t> listPowers(int64_t base, int64_t prime) {
  std::vector<int64_t> powers = {1};
  while (powers.back() * base % prime != 1)
    powers.push_back(powers.back() * base % prime);
  return powers;
}

PrimeConvolution::PrimeConvolution(int64_t prime, bool isInverse)
    : logarithms(prime) {
  for (int64_t base = 2; static_cast<int64_t>(powers.size()) != prime - 1;
       ++base)
    powers = listPowers(base, prime);
  Numbers kernel;
  for (int64_t q = 0; q < prime - 1; ++q) {
    int64_t power = powers[(prime - 1 - q) % (prime - 1)];
    logarithms[power] = q;
    FourierNumber root = getRootOfUnity(power, prime);
    kernel.push_back(isInverse ? std::conj(root) : root);
  }
  spectrum = getSpectrum(kernel);
}

//===----------------------------------------------------------------------===//
// Orders of elements
//===----------------------------------------------------------------------===//

bool tile::areCoprime(ArrayRef<int64_t> radices) {
  for (auto [index, radix] : enumerate(radices))
    for (int64_t other : radices.drop_front(index + 1))
      if (std::gcd(radix, other) != 1)
        return false;
  return true;
}

/// Returns all sums, modulo the length, of one multiple of each of `steps`. The
/// factor of a step is at least 0 and less than its radix, and the factor of
/// the last step varies fastest.
static std::vector<int64_t> addMultiples(ArrayRef<int64_t> radices,
                                         ArrayRef<int64_t> steps) {
  std::vector<int64_t> sums = {0};
  int64_t length = product_of(radices);
  for (auto [radix, step] : zip_equal(radices, steps)) {
    std::vector<int64_t> next;
    for (int64_t sum : sums)
      for (int64_t digit = 0; digit < radix; ++digit)
        next.push_back((sum + digit * step) % length);
    sums = std::move(next);
  }
  return sums;
}

std::vector<int64_t> tile::listElements(ArrayRef<int64_t> radices) {
  int64_t length = product_of(radices);
  return addMultiples(radices, map_to_vector(radices, [&](int64_t radix) {
                        return length / radix;
                      }));
}

/// The frequency at a position has the position's digits as remainders by the
/// radices.
std::vector<int64_t> tile::listFrequencies(ArrayRef<int64_t> radices) {
  int64_t length = product_of(radices);
  return addMultiples(radices, map_to_vector(radices, [&](int64_t radix) {
                        int64_t step = length / radix;
                        while (radix != 1 && step % radix != 1)
                          step += length / radix;
                        return step % length;
                      }));
}
