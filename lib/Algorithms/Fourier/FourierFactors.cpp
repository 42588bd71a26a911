// FourierFactors.cpp - Fourier transforms of a length by those of two factors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of n = a b elements is transformed as b rows of a elements, whose
// results are transformed as a rows of b elements. Each of these transforms is
// planned like that of any row of its length: a factor may be a prime above 31,
// or have such a prime factor. Elements are reordered in shared memory before
// and after, so that for coprime a and b no twiddle factors are needed (Good,
// "The interaction algorithm and practical Fourier analysis", 1958): with k
// below a and c below b,
//
//   x[k b + c a], y[f] with f = q modulo a, f = d modulo b,
//
// as b divides (k b) (f - d) and a divides (c a) (f - q). For other factors the
// order is that of Cooley and Tukey, x[k b + c] and y[q + a d], with twiddle
// factors w^(c q) between the two transforms, w = e^(-2 pi i / n).

#include "FourierExpansion.h"

#include "tile/Algorithms/RootsOfUnity.h"

#include <numeric>

using namespace mlir;
using namespace tile;

FourierExpansion FourierExpansion::getPart(size_t position, int64_t count) {
  FourierExpansion part = *this;
  part.plan = plan.parts[position];
  part.rows = rows * count;
  return part;
}

Value FourierExpansion::transformByFactors(Value x, bool isInverse,
                                           long double scale) {
  int64_t n = plan.points, a = plan.parts[0].points, b = plan.parts[1].points;
  bool isCoprime = std::gcd(a, b) == 1;
  SmallVector<int64_t> indices, indexOf;
  for (int64_t c = 0; c < b; ++c)
    for (int64_t k = 0; k < a; ++k)
      indices.push_back((k * b + c * (isCoprime ? a : 1)) % n);
  for (int64_t f = 0; f < n; ++f)
    indexOf.push_back(f % a * b + (isCoprime ? f % b : f / a));

  SmallVector<int64_t> row = {rows, 1, n}, first = {rows, b, a},
                       second = {rows, a, b};
  x = takeColumns(toShared(reshape(x, row)), indices, first);
  x = getPart(0, b).transform(reshape(x, {rows * b, a}), isInverse,
                              /*scale=*/1);
  x = TransposeOp::create(builder, op->getLoc(), getType(second, getComplex()),
                          reshape(x, first), ArrayRef<int64_t>{0, 2, 1});
  if (!isCoprime) {
    std::vector<FourierNumber> twiddles;
    for (int64_t q = 0; q < a; ++q)
      for (int64_t c = 0; c < b; ++c) {
        FourierNumber root = getRootOfUnity(q * c, n);
        twiddles.push_back(isInverse ? std::conj(root) : root);
      }
    x = multiply(x, twiddles);
  }
  x = getPart(1, a).transform(reshape(x, {rows * a, b}), isInverse, scale);
  x = takeColumns(toShared(reshape(x, row)), indexOf, row);
  return reshape(x, {rows, n});
}
