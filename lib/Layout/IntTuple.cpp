// IntTuple.cpp - nested integer tuples: shapes, strides, coordinates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/IntTuple.h"

#include "tile/Layout/Print.h"

#include <algorithm>

using namespace tile;

IntTuple IntTuple::flat(const std::vector<int64_t> &values) {
  return IntTuple(std::vector<IntTuple>(values.begin(), values.end()));
}

size_t IntTuple::depth() const {
  if (leaf)
    return 0;
  size_t deepest = 0;
  for (const IntTuple &element : elements)
    deepest = std::max(deepest, element.depth());
  return deepest + 1;
}

/// Appends the leaves of `tuple`.
static void collectLeaves(const IntTuple &tuple, std::vector<int64_t> &leaves) {
  if (tuple.isLeaf()) {
    leaves.push_back(tuple.value());
    return;
  }
  for (size_t i = 0; i < tuple.size(); ++i)
    collectLeaves(tuple[i], leaves);
}

std::vector<int64_t> IntTuple::leaves() const {
  std::vector<int64_t> result;
  collectLeaves(*this, result);
  return result;
}

/// Multiplies the leaves of `tuple` into `product`; false on overflow.
static bool multiplyLeaves(const IntTuple &tuple, int64_t &product) {
  if (tuple.isLeaf())
    return !__builtin_mul_overflow(product, tuple.value(), &product);
  for (size_t i = 0; i < tuple.size(); ++i)
    if (!multiplyLeaves(tuple[i], product))
      return false;
  return true;
}

std::optional<int64_t> IntTuple::tryProduct() const {
  int64_t product = 1;
  if (multiplyLeaves(*this, product))
    return product;
  // A zero decides the product, whatever overflows before it.
  std::vector<int64_t> all = leaves();
  if (std::find(all.begin(), all.end(), 0) != all.end())
    return 0;
  return std::nullopt;
}

int64_t IntTuple::product() const {
  int64_t product = 1;
  bool fits = multiplyLeaves(*this, product);
  assert(fits && "expected a product that fits 64 bits");
  (void)fits;
  return product;
}

bool IntTuple::congruent(const IntTuple &other) const {
  if (leaf || other.leaf)
    return leaf == other.leaf;
  return std::equal(
      elements.begin(), elements.end(), other.elements.begin(),
      other.elements.end(),
      [](const IntTuple &a, const IntTuple &b) { return a.congruent(b); });
}

bool IntTuple::operator==(const IntTuple &other) const {
  return leaf == other.leaf && number == other.number &&
         elements == other.elements;
}

size_t IntTuple::hash() const {
  // The offset basis and the prime of 64-bit FNV-1a, over words.
  uint64_t state = 0xcbf29ce484222325;
  auto mix = [&state](uint64_t word) {
    state = (state ^ word) * 0x100000001b3;
    state ^= state >> 32;
  };
  if (leaf) {
    mix(static_cast<uint64_t>(number));
    return state;
  }
  mix(~static_cast<uint64_t>(elements.size()));
  for (const IntTuple &element : elements)
    mix(element.hash());
  return state;
}

/// The walk that isCompatible and isWeaklyCompatible share; `fits` compares a
/// leaf with the product of the tuple that refines it.
template <class Fits>
static bool refines(const IntTuple &shape, const IntTuple &finer, Fits fits) {
  if (shape.isLeaf()) {
    std::optional<int64_t> product = finer.tryProduct();
    return product && fits(shape.value(), *product);
  }
  if (finer.isLeaf() || shape.size() != finer.size())
    return false;
  for (size_t i = 0; i < shape.size(); ++i)
    if (!refines(shape[i], finer[i], fits))
      return false;
  return true;
}

bool tile::isCompatible(const IntTuple &shape, const IntTuple &finer) {
  return refines(shape, finer,
                 [](int64_t leaf, int64_t product) { return leaf == product; });
}

bool tile::isWeaklyCompatible(const IntTuple &shape, const IntTuple &finer) {
  return refines(shape, finer, [](int64_t leaf, int64_t product) {
    // INT64_MIN % -1 overflows; every integer is a multiple of -1.
    return leaf == -1 || (leaf != 0 ? product % leaf == 0 : product == 0);
  });
}

/// Takes the digits of `shape` off `index`, leftmost first.
static IntTuple takeDigits(int64_t &index, const IntTuple &shape) {
  if (shape.isLeaf()) {
    int64_t digit = index % shape.value();
    index /= shape.value();
    return digit;
  }
  std::vector<IntTuple> digits;
  digits.reserve(shape.size());
  for (size_t i = 0; i < shape.size(); ++i)
    digits.push_back(takeDigits(index, shape[i]));
  return IntTuple(std::move(digits));
}

IntTuple tile::idx2crd(int64_t index, const IntTuple &shape) {
  assert(index >= 0 && index < shape.product() && "index out of range");
  return takeDigits(index, shape);
}

Result<IntTuple> tile::naturalCoordinate(const IntTuple &coord,
                                         const IntTuple &shape) {
  if (coord.isLeaf()) {
    std::optional<int64_t> size = shape.tryProduct();
    if (!size)
      return Result<IntTuple>::failure(
          "expected a shape whose size fits 64 bits, got " + toString(shape));
    if (coord.value() < 0 || coord.value() >= *size)
      return Result<IntTuple>::failure("expected a coordinate from 0 to " +
                                       std::to_string(*size - 1) + ", got " +
                                       toString(coord));
    return idx2crd(coord.value(), shape);
  }
  if (shape.isLeaf() || shape.size() != coord.size())
    return Result<IntTuple>::failure("expected a coordinate of the shape " +
                                     toString(shape) + ", got " +
                                     toString(coord));
  std::vector<IntTuple> natural;
  natural.reserve(coord.size());
  for (size_t i = 0; i < coord.size(); ++i) {
    Result<IntTuple> element = naturalCoordinate(coord[i], shape[i]);
    if (!element)
      return element;
    natural.push_back(*std::move(element));
  }
  return IntTuple(std::move(natural));
}

int64_t tile::crd2idx(const IntTuple &coord, const IntTuple &shape) {
  if (coord.isLeaf())
    return coord.value();
  int64_t index = 0;
  for (size_t i = coord.size(); i-- > 0;)
    index = index * shape[i].product() + crd2idx(coord[i], shape[i]);
  return index;
}

/// The inner product of the digits of `index`, leftmost first, with the
/// strides; the digits are taken off `index`.
static int64_t innerProduct(int64_t &index, const IntTuple &shape,
                            const IntTuple &stride) {
  if (shape.isLeaf()) {
    int64_t digit = index % shape.value();
    index /= shape.value();
    return digit * stride.value();
  }
  int64_t sum = 0;
  for (size_t i = 0; i < shape.size(); ++i)
    sum += innerProduct(index, shape[i], stride[i]);
  return sum;
}

int64_t tile::crd2idx(const IntTuple &coord, const IntTuple &shape,
                      const IntTuple &stride) {
  if (coord.isLeaf()) {
    int64_t index = coord.value();
    assert(index >= 0 && index < shape.product() && "index out of range");
    return innerProduct(index, shape, stride);
  }
  assert(!shape.isLeaf() && shape.size() == coord.size() &&
         "expected a coordinate of the shape");
  int64_t sum = 0;
  for (size_t i = 0; i < coord.size(); ++i)
    sum += crd2idx(coord[i], shape[i], stride[i]);
  return sum;
}
