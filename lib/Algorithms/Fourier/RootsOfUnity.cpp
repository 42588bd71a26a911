// RootsOfUnity.cpp - the constants of Fourier transforms
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Algorithms/RootsOfUnity.h"

#include <cmath>
#include <tuple>
#include <utility>

using namespace tile;

std::complex<long double> tile::getRootOfUnity(int64_t k, int64_t n) {
  // The angle in units of 1/n of an eighth of a turn. It is measured from the
  // nearest axis: the one before it or the one after it.
  int64_t angle = (k % n + n) % n * 8;
  int64_t eighth = angle / n;
  int64_t rest = angle - eighth * n;
  if (eighth % 2 == 1)
    rest = n - rest;
  constexpr long double kEighth = 0.785398163397448309615660845819875721L;
  long double turn =
      kEighth * static_cast<long double>(rest) / static_cast<long double>(n);
  long double real = std::cos(turn), imaginary = std::sin(turn);
  // The whole angle is some quarter turns, plus or minus the measured one.
  int64_t quarters = (eighth + 1) / 2 % 4;
  if (eighth % 2 == 1)
    imaginary = -imaginary;
  for (int64_t turned = 0; turned < quarters; ++turned)
    std::tie(real, imaginary) = std::pair(-imaginary, real);
  return {real, -imaginary};
}
