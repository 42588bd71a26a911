// Butterfly.cpp - Fourier transforms of a few elements of one thread
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Butterfly.h"

#include "tile/Algorithms/RootsOfUnity.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

Value ButterflyBuilder::constant(Value like, double value) {
  return arith::ConstantOp::create(b, b.getFloatAttr(like.getType(), value));
}
Value ButterflyBuilder::add(Value x, Value y) {
  return arith::AddFOp::create(b, x, y);
}
Value ButterflyBuilder::sub(Value x, Value y) {
  return arith::SubFOp::create(b, x, y);
}
Value ButterflyBuilder::mul(Value x, Value y) {
  return arith::MulFOp::create(b, x, y);
}
Value ButterflyBuilder::neg(Value x) { return arith::NegFOp::create(b, x); }
Value ButterflyBuilder::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, x, y, z);
}
ComplexParts ButterflyBuilder::add(ComplexParts x, ComplexParts y) {
  return {add(x.re, y.re), add(x.im, y.im)};
}
ComplexParts ButterflyBuilder::sub(ComplexParts x, ComplexParts y) {
  return {sub(x.re, y.re), sub(x.im, y.im)};
}

ComplexParts ButterflyBuilder::multiply(ComplexParts x, ComplexParts y) {
  return {fma(x.re, y.re, neg(mul(x.im, y.im))),
          fma(x.re, y.im, mul(x.im, y.re))};
}

ComplexParts ButterflyBuilder::scale(ComplexParts x, FactorParts factor) {
  Value high = constant(x.re, factor.high);
  if (factor.rest == 0)
    return {mul(x.re, high), mul(x.im, high)};
  Value rest = constant(x.re, factor.rest);
  return {fma(x.re, high, mul(x.re, rest)), fma(x.im, high, mul(x.im, rest))};
}

/// Returns x e^(-2 pi i k / n), without multiplications by one or zero.
ComplexParts ButterflyBuilder::multiplyByRoot(ComplexParts x, int64_t k,
                                              int64_t n) {
  std::complex<long double> root = getRootOfUnity(k, n);
  auto re = static_cast<double>(root.real());
  auto im = static_cast<double>(root.imag());
  if (8 * k % n != 0)
    return multiply(x, {constant(x.re, re), constant(x.re, im)});
  int64_t eighths = 8 * k / n;
  for (int64_t quarter = 0; quarter < eighths / 2; ++quarter)
    x = {x.im, neg(x.re)};
  if (eighths % 2 == 0)
    return x;
  // (1 - i) / sqrt(2)
  return scale({add(x.re, x.im), sub(x.im, x.re)}, {std::abs(re), 0});
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

static int64_t getLeastFactor(int64_t n) {
  int64_t factor = 2;
  while (n % factor != 0)
    ++factor;
  return factor;
}

SmallVector<ComplexParts>
ButterflyBuilder::transform(ArrayRef<ComplexParts> x) {
  auto n = static_cast<int64_t>(x.size());
  if (n == 1)
    return SmallVector<ComplexParts>(x);
  if (n == 2)
    return {add(x[0], x[1]), sub(x[0], x[1])};
  if (n % 4 == 0)
    return transformComposite(x, n == 4 ? 2 : 4);
  int64_t factor = getLeastFactor(n);
  return factor == n || n == 9 ? transformOdd(x)
                               : transformComposite(x, factor);
}

/// Transforms a composite length n = first * second in three steps: transforms
/// of length `first` of elements that are `second` apart, multiplications by
/// twiddle factors, transforms of length `second` (Cooley and Tukey).
SmallVector<ComplexParts>
ButterflyBuilder::transformComposite(ArrayRef<ComplexParts> x, int64_t first) {
  auto n = static_cast<int64_t>(x.size());
  int64_t second = n / first;
  SmallVector<SmallVector<ComplexParts>> columns(first);
  for (int64_t i = 0; i < second; ++i) {
    SmallVector<ComplexParts> apart;
    for (int64_t k = 0; k < first; ++k)
      apart.push_back(x[i + second * k]);
    for (auto [q, y] : llvm::enumerate(transform(apart)))
      columns[q].push_back(multiplyByRoot(y, i * static_cast<int64_t>(q), n));
  }
  SmallVector<ComplexParts> result(n);
  for (auto [q, column] : llvm::enumerate(columns))
    for (auto [position, y] : llvm::enumerate(transform(column)))
      result[q + first * position] = y;
  return result;
}

/// Adds all elements, in pairs. In a convolution, the transform of a tone may
/// have equal elements, whose rounding errors would otherwise all have the same
/// sign.
ComplexParts ButterflyBuilder::sum(ArrayRef<ComplexParts> x) {
  if (x.size() == 1)
    return x.front();
  size_t half = x.size() / 2;
  return add(sum(x.take_front(half)), sum(x.drop_front(half)));
}

/// Returns sqrt(3) / 2. The nearest f64 is almost half an ulp off, an error
/// that every radix-3 butterfly would repeat.
static FactorParts getSineOfThird(Type part) {
  bool isF64 = part.isF64();
  FactorParts sine = splitFactor(-getRootOfUnity(1, 3).imag(), isF64);
  return isF64 ? sine : FactorParts{sine.high, 0};
}

/// Transforms by the definition: for prime lengths, and for nine, since three
/// times three would round more often without taking fewer instructions.
///
/// With sums a_k = x_k + x_(n-k) and differences d_k = x_k - x_(n-k),
/// y_q = x_0 + sum_k cos(2 pi k q / n) a_k - i sum_k sin(2 pi k q / n) d_k,
/// and y_(n-q) is this expression with + i in place of - i.
SmallVector<ComplexParts>
ButterflyBuilder::transformOdd(ArrayRef<ComplexParts> x) {
  auto n = static_cast<int64_t>(x.size());
  int64_t half = n / 2;
  SmallVector<ComplexParts> sums, differences, result(n, x[0]);
  for (int64_t k = 1; k <= half; ++k) {
    sums.push_back(add(x[k], x[n - k]));
    differences.push_back(sub(x[k], x[n - k]));
  }
  result[0] = add(x[0], sum(sums));
  for (int64_t q = 1; q <= half; ++q) {
    ComplexParts even = x[0], odd;
    for (int64_t k = 1; k <= half; ++k) {
      std::complex<long double> root = getRootOfUnity(k * q, n);
      Value cosine = constant(x[0].re, static_cast<double>(root.real()));
      Value sine = constant(x[0].re, static_cast<double>(-root.imag()));
      ComplexParts sum = sums[k - 1], difference = differences[k - 1];
      even = {fma(cosine, sum.re, even.re), fma(cosine, sum.im, even.im)};
      odd = n == 3   ? scale(difference, getSineOfThird(x[0].re.getType()))
            : k == 1 ? ComplexParts{mul(sine, difference.re),
                                    mul(sine, difference.im)}
                     : ComplexParts{fma(sine, difference.re, odd.re),
                                    fma(sine, difference.im, odd.im)};
    }
    result[q] = {add(even.re, odd.im), sub(even.im, odd.re)};
    result[n - q] = {sub(even.re, odd.im), add(even.im, odd.re)};
  }
  return result;
}
