// RootsOfUnity.h - the constants of Fourier transforms
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ALGORITHMS_ROOTSOFUNITY_H
#define TILE_ALGORITHMS_ROOTSOFUNITY_H

#include <complex>
#include <cstdint>

namespace tile {

/// Returns e^(-2 pi i k / n) for any k. The angle is reduced to an eighth of a
/// turn in integer arithmetic, and its sine and cosine are computed in long
/// double: rounded to double, each part is within 1/2 + 2^-10 ulp of the exact
/// value.
/// @pre n >= 1.
std::complex<long double> getRootOfUnity(int64_t k, int64_t n);

} // namespace tile

#endif // TILE_ALGORITHMS_ROOTSOFUNITY_H
