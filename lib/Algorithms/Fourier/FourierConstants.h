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

  std::vector<FourierNumber> factors;  ///< w_k
  std::vector<FourierNumber> spectrum; ///< of the kernel, by its length
};

/// Constants of the convolution by which rows of prime length p are transformed
/// (Rader): with g a generator of the multiplicative group modulo p,
/// y_(g^-q) = x_0 + sum_j x_(g^j) w_(g^(j-q)), w_k = e^(-2 pi i k / p),
/// a convolution, modulo p - 1, of p - 1 elements.
struct PrimeConvolution {
  PrimeConvolution(int64_t prime, bool isInverse);

  std::vector<int64_t> powers; ///< g^j
  /// The q with g^-q = i modulo p, for each i from 1; element 0 is as for i =
  /// 1.
  std::vector<int64_t> logarithms;
  std::vector<FourierNumber> spectrum; ///< of w_(g^-j), by its length
};

/// Whether no two radices have a common factor: then passes in any order need
/// no twiddle factors between them.
bool areCoprime(llvm::ArrayRef<int64_t> radices);

/// Returns the index in the row of each element, before the passes of coprime
/// radices (listElements) and after them (listFrequencies). Elements are in the
/// order of digits of these radices, the first digit slowest (Good, "The
/// interaction algorithm and practical Fourier analysis", 1958).
std::vector<int64_t> listElements(llvm::ArrayRef<int64_t> radices);
std::vector<int64_t> listFrequencies(llvm::ArrayRef<int64_t> radices);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_FOURIERCONSTANTS_H
