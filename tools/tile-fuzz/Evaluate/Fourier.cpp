// Fourier.cpp - Fourier transforms by the definition, with their errors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Interpreter.h"

#include <complex>

using namespace mlir;
using namespace tile;
using namespace tile::fuzz;

using Complex = std::complex<long double>;

/// Computes e^(-2 pi i k / n) for each k, or the conjugates if `isInverse`.
static std::vector<Complex> computeRoots(int64_t n, bool isInverse) {
  constexpr long double pi = 3.14159265358979323846264338327950288L;
  std::vector<Complex> roots;
  for (int64_t k = 0; k < n; ++k) {
    auto index = static_cast<long double>(2 * k > n ? k - n : k);
    long double angle = 2 * pi * index / static_cast<long double>(n);
    roots.emplace_back(std::cos(angle),
                       isInverse ? std::sin(angle) : -std::sin(angle));
  }
  return roots;
}

static long double getFactor(FftNorm norm, int64_t length) {
  auto n = static_cast<long double>(length);
  switch (norm) {
  case FftNorm::none:
    return 1;
  case FftNorm::by_n:
    return 1 / n;
  case FftNorm::ortho:
    return 1 / std::sqrt(n);
  }
  llvm_unreachable("norm of a Fourier transform");
}

/// Returns all n elements of a row from the first n / 2 + 1: the others are
/// conjugates, and the imaginary parts of elements that must be real are zero.
static Elements completeRow(ArrayRef<Element> given, int64_t n) {
  Elements row(given);
  row.front().imaginary = 0;
  if (n % 2 == 0)
    row.back().imaginary = 0;
  for (int64_t k = n / 2 + 1; k < n; ++k) {
    row.push_back(given[n - k]);
    row.back().imaginary = -row.back().imaginary;
  }
  return row;
}

/// Returns a bound of the error of each element of a row's transform, before it
/// is multiplied by the normalization factor; infinite if intermediate sums may
/// overflow. The bound, which is relative to the norm of the row, allows for a
/// few roundings in each of log2(n) passes. It is three times as large for
/// lengths with a prime factor above 13, for which the program may use another
/// algorithm.
static double boundError(ArrayRef<Element> row, Type part) {
  double sum = 0, squares = 0, errors = 0;
  for (const Element &x : row) {
    double size = std::hypot(x.value, x.imaginary) + 2 * x.error;
    sum += size;
    squares += size * size;
    errors += 2 * x.error;
  }
  auto n = static_cast<double>(row.size());
  if (!(squares < Element::kInfinity) || !(8 * n * sum < getLargest(part)))
    return Element::kInfinity;
  int64_t rest = static_cast<int64_t>(row.size());
  for (int64_t factor : {2, 3, 5, 7, 11, 13})
    while (rest % factor == 0)
      rest /= factor;
  double unit =
      4 * getUnitRoundoff(part) * (std::log2(n) + 1) * (rest == 1 ? 1 : 3);
  constexpr double ours = std::numeric_limits<long double>::epsilon();
  return errors + unit * std::sqrt(squares) + n * ours * sum +
         16 * n * getSmallest(part);
}

static Element transformTo(int64_t index, ArrayRef<Element> row,
                           ArrayRef<Complex> roots, long double factor,
                           double error, Type part) {
  if (!(error < Element::kInfinity))
    return Element::unknown();
  Complex sum = 0;
  size_t root = 0;
  for (const Element &x : row) {
    sum += Complex(x.value, x.imaginary) * roots[root];
    root = (root + index) % roots.size();
  }
  sum *= factor;
  error *= static_cast<double>(factor);
  return Element::ofComplex(
      rounded(static_cast<double>(sum.real()), error, part),
      rounded(static_cast<double>(sum.imag()), error, part));
}

void Interpreter::transform(Value source, Value result, FftNorm norm,
                            bool isInverse) {
  Type part = getPartType(getElement(source));
  int64_t given = getShape(source).back(), wanted = getShape(result).back();
  bool isToReal = !isa<ComplexType>(getElement(result));
  int64_t n = isToReal ? wanted : given;
  std::vector<Complex> roots = computeRoots(n, isInverse);
  long double factor = getFactor(norm, n);
  ArrayRef<Element> elements = get(source);
  Elements results;
  for (; !elements.empty(); elements = elements.drop_front(given)) {
    Elements row = isToReal ? completeRow(elements.take_front(given), n)
                            : Elements(elements.take_front(given));
    double error = boundError(row, part);
    for (int64_t index = 0; index < wanted; ++index) {
      results.push_back(transformTo(index, row, roots, factor, error, part));
      if (isToReal)
        results.back().imaginary = 0;
    }
  }
  set(result, std::move(results));
}
