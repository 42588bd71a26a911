// FourierConstants.h - the constants of convolutions of rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_FOURIERCONSTANTS_H
#define TILE_LIB_ALGORITHMS_FOURIERCONSTANTS_H

#include "llvm/ADT/ArrayRef.h"

#include <complex>
#include <vector>

namespace tile {

using FourierNumber = std::complex<long double>;

/// Constants of the convolution by which rows of any length are transformed
/// (Bluestein): k q = (k^2 + q^2 - (q - k)^2) / 2, so
/// y_q = w_q sum_k (x_k w_k) conj(w_(q-k)), w_k = e^(-pi i k^2 / n).
struct Chirp {
  Chirp(int64_t length, int64_t convolutionLength, bool isInverse);

  std::vector<FourierNumber> factors; ///< w_k
  /// The transform of the convolution's kernel, divided by its length.
  std::vector<FourierNumber> spectrum;
};

/// Constants of the convolution by which rows of prime length p are transformed
/// (Rader): with g a generator of the multiplicative group modulo p,
/// y_(g^-q) = x_0 + sum_j x_(g^j) w_(g^(j-q)), w_k = e^(-2 pi i k / p),
/// a convolution, modulo p - 1, of p - 1 elements.
struct PrimeConvolution {
  PrimeConvolution(int64_t prime, bool isInverse);

  std::vector<int64_t> powers; ///< g^j
  /// Element i is the q with g^-q = i modulo p; element 0 equals element 1.
  std::vector<int64_t> logarithms;
  /// The transform of w_(g^-j), divided by its length.
  std::vector<FourierNumber> spectrum;
};

/// Whether no two radices have a common factor: if so, and if elements may be
/// permuted, no twiddle factors are needed between passes.
bool areCoprime(llvm::ArrayRef<int64_t> radices);

/// Return, for each position in a tile, the index in the row of its element
/// before passes of coprime radices (listElements), or of its frequency after
/// them (listFrequencies). The digits of a position are by these radices, the
/// first digit slowest (Good, "The interaction algorithm and practical Fourier
/// analysis", 1958).
std::vector<int64_t> listElements(llvm::ArrayRef<int64_t> radices);
std::vector<int64_t> listFrequencies(llvm::ArrayRef<int64_t> radices);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FOURIERCONSTANTS_H
