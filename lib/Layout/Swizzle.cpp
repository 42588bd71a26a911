// Swizzle.cpp - exclusive-or swizzles of offsets
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Swizzle.h"

#include "tile/Layout/Print.h"

using namespace tile;

bool Swizzle::isValid() const {
  // Each parameter is checked first, so that the sum cannot wrap.
  return bits < 64 && base < 64 && shift < 64 && shift >= bits &&
         bits + base + shift < 64;
}

Result<Swizzle> Swizzle::get(unsigned bits, unsigned base, unsigned shift) {
  Swizzle swizzle{bits, base, shift};
  if (!swizzle.isValid())
    return Result<Swizzle>::failure(
        "expected bits <= shift and bits + base + shift < 64, got " +
        toString(swizzle));
  return swizzle;
}

int64_t Swizzle::apply(int64_t offset) const {
  assert(isValid() && "expected a valid swizzle");
  uint64_t source = static_cast<uint64_t>(offset);
  uint64_t mask = ((uint64_t(1) << bits) - 1) << base;
  return static_cast<int64_t>(source ^ ((source >> shift) & mask));
}

int64_t Swizzle::period() const {
  if (isIdentity())
    return 1;
  assert(isValid() && bits + base + shift < 63 && "period out of range");
  return int64_t(1) << (bits + base + shift);
}
