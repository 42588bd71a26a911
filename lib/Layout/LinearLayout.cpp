// LinearLayout.cpp - layouts that are linear over the field of two elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/LinearLayout.h"

#include "tile/Layout/Print.h"

#include <algorithm>

using namespace tile;

/// Most bits for which 2^bits is an int64_t.
static constexpr size_t kMaxBits = 62;

static bool isPowerOfTwo(int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

static Result<LinearLayout> failTooManyBits(size_t numBits) {
  return Result<LinearLayout>::failure("expected at most 62 input bits, got " +
                                       std::to_string(numBits));
}

Result<LinearLayout> LinearLayout::get(std::vector<uint64_t> bases) {
  if (bases.size() > kMaxBits)
    return failTooManyBits(bases.size());
  return LinearLayout(std::move(bases));
}

Result<LinearLayout> LinearLayout::identity(unsigned numBits) {
  return toLinear(Swizzle(), numBits);
}

uint64_t LinearLayout::apply(uint64_t index) const {
  assert(index < uint64_t(size()) && "index out of range");
  uint64_t value = 0;
  for (size_t k = 0; k < bases.size(); ++k)
    if (index >> k & 1)
      value ^= bases[k];
  return value;
}

unsigned LinearLayout::rank() const {
  // pivots[b] has b as its highest bit, or is 0.
  uint64_t pivots[64] = {};
  unsigned rank = 0;
  for (uint64_t base : bases) {
    for (int bit = 63; bit >= 0 && base != 0; --bit) {
      if (!(base >> bit & 1))
        continue;
      if (pivots[bit] == 0) {
        pivots[bit] = base;
        ++rank;
        break;
      }
      base ^= pivots[bit];
    }
  }
  return rank;
}

bool LinearLayout::isSurjective(unsigned outBits) const {
  assert(outBits < 64 && "expected fewer than 64 output bits");
  return rank() == outBits &&
         std::all_of(bases.begin(), bases.end(),
                     [&](uint64_t base) { return base >> outBits == 0; });
}

Result<LinearLayout> LinearLayout::inverse() const {
  if (!isBijection())
    return Result<LinearLayout>::failure(
        "expected a linear layout that permutes 0 to " +
        std::to_string(size() - 1) + ", got rank " + std::to_string(rank()) +
        " for " + std::to_string(numBits()) + " bits or a value beyond them");
  // Gauss-Jordan elimination: the invariant is apply(inputs[k]) == outputs[k];
  // at the end outputs[k] == 2^k.
  std::vector<uint64_t> outputs = bases, inputs;
  for (size_t k = 0; k < bases.size(); ++k)
    inputs.push_back(uint64_t(1) << k);
  for (size_t bit = 0; bit < bases.size(); ++bit) {
    size_t pivot = bit;
    while (!(outputs[pivot] >> bit & 1))
      ++pivot; // full rank: there is one
    std::swap(outputs[bit], outputs[pivot]);
    std::swap(inputs[bit], inputs[pivot]);
    for (size_t k = 0; k < bases.size(); ++k)
      if (k != bit && (outputs[k] >> bit & 1)) {
        outputs[k] ^= outputs[bit];
        inputs[k] ^= inputs[bit];
      }
  }
  return LinearLayout(std::move(inputs));
}

Result<LinearLayout> tile::compose(const LinearLayout &left,
                                   const LinearLayout &right) {
  std::vector<uint64_t> bases;
  for (uint64_t base : right.getBases()) {
    if (base >= uint64_t(left.size()))
      return Result<LinearLayout>::failure(
          "expected values below " + std::to_string(left.size()) +
          " (the inputs of the left map), got " + std::to_string(base));
    bases.push_back(left.apply(base));
  }
  return LinearLayout::get(std::move(bases));
}

Result<LinearLayout> tile::toLinear(const Layout &layout) {
  std::vector<uint64_t> bases;
  for (auto [extent, stride] : layout.flattened()) {
    if (extent == 1)
      continue;
    if (!isPowerOfTwo(extent))
      return Result<LinearLayout>::failure(
          "expected extents that are powers of two, got " +
          std::to_string(extent) + " in " + toString(layout));
    if (stride < 0)
      return Result<LinearLayout>::failure(
          "expected strides that are not negative, got " +
          std::to_string(stride) + " in " + toString(layout));
    for (int64_t step = 1; step < extent; step *= 2)
      bases.push_back(static_cast<uint64_t>(step) *
                      static_cast<uint64_t>(stride));
  }
  // A layout adds its steps, a linear map xors them: a + b = (a xor b) +
  // 2 * (a and b). So both agree exactly when no two steps share a bit.
  for (size_t j = 0; j < bases.size(); ++j)
    for (size_t i = 0; i < j; ++i)
      if ((bases[i] & bases[j]) != 0)
        return Result<LinearLayout>::failure(
            "expected steps that add without carry, got " +
            std::to_string(bases[i]) + " and " + std::to_string(bases[j]) +
            ": at index " +
            std::to_string((int64_t(1) << i) + (int64_t(1) << j)) +
            " the layout " + toString(layout) + " gives " +
            std::to_string(bases[i] + bases[j]) + ", xor gives " +
            std::to_string(bases[i] ^ bases[j]));
  return LinearLayout::get(std::move(bases));
}

Result<LinearLayout> tile::toLinear(const Swizzle &swizzle, unsigned numBits) {
  Result<Swizzle> valid =
      Swizzle::get(swizzle.bits, swizzle.base, swizzle.shift);
  if (!valid)
    return Result<LinearLayout>::failure(valid.error());
  if (numBits > kMaxBits)
    return failTooManyBits(numBits);
  std::vector<uint64_t> bases;
  for (unsigned k = 0; k < numBits; ++k)
    bases.push_back(static_cast<uint64_t>(swizzle.apply(int64_t(1) << k)));
  return LinearLayout::get(std::move(bases));
}

Result<LinearLayout> tile::toLinear(const Swizzle &swizzle,
                                    const Layout &layout) {
  Result<LinearLayout> linear = toLinear(layout);
  if (!linear)
    return linear;
  Result<Swizzle> valid =
      Swizzle::get(swizzle.bits, swizzle.base, swizzle.shift);
  if (!valid)
    return Result<LinearLayout>::failure(valid.error());
  // A swizzle is linear, so it is enough to move the bases.
  std::vector<uint64_t> bases;
  for (uint64_t base : linear->getBases())
    bases.push_back(
        static_cast<uint64_t>(swizzle.apply(static_cast<int64_t>(base))));
  return LinearLayout::get(std::move(bases));
}
