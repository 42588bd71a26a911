// FourierTransform.h - the transform that an operation on rows computes
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_FOURIERTRANSFORM_H
#define TILE_IR_FOURIERTRANSFORM_H

#include <cstdint>

namespace tile {

/// Parameters of a discrete Fourier transform of n elements: element q of the
/// result is sum_k x_k e^(-2 pi i k q / n) times a factor. An inverse transform
/// has the opposite sign in the exponent.
struct FourierTransform {
  int64_t length = 1;        ///< n
  bool isInverse = false;    ///< the sign is plus
  bool isOfRealRows = false; ///< the source (of an inverse, the result) has n
                             ///< real elements, the other n / 2 + 1 complex
  long double scale = 1;
};

/// A factor as the sum of an f32 or f64 value and a small rest of the same
/// type. If a value is multiplied by both parts, the result is rounded about
/// once.
struct FactorParts {
  double high, rest;
};
FactorParts splitFactor(long double factor, bool isF64);

/// Whether a pass of a transform may have a radix: any from 2 to 16, or a prime
/// up to 31, for which a thread evaluates the definition of the transform.
bool isRadix(int64_t value);

bool isPrime(int64_t value);

} // namespace tile

#endif // TILE_IR_FOURIERTRANSFORM_H
