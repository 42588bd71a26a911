// Swizzle.h - exclusive-or swizzles of offsets
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A swizzle <bits, base, shift> xors the bits [base+shift, base+shift+bits) of
// an offset into its bits [base, base+bits). It permutes offsets inside blocks
// of 2^(base+shift+bits), so that a column of a row-major tile in shared memory
// meets different banks.
//
// Example, the 128-byte swizzle on byte offsets, S<3,4,3>: rows are 128 bytes
// of eight 16-byte units; in row r, unit u goes to unit u xor (r mod 8).
//
// The user defines the unit of offsets, bytes or elements; in elements of two
// bytes the same swizzle is S<3,3,3>.

#ifndef TILE_LAYOUT_SWIZZLE_H
#define TILE_LAYOUT_SWIZZLE_H

#include "tile/Layout/Result.h"

#include <cstdint>

namespace tile {

/// S<bits,base,shift>. A plain struct; isValid() states whether it is a
/// swizzle. Example: Swizzle{3, 4, 3}.apply(128) is 144.
struct Swizzle {
  /// Number of bits that are changed.
  unsigned bits = 0;
  /// The lowest bit that is changed.
  unsigned base = 0;
  /// Distance from `base` to the lowest bit that is read.
  unsigned shift = 0;

  /// A checked swizzle. Refused unless shift >= bits, so that no bit is both
  /// read and changed, and bits + base + shift < 64.
  static Result<Swizzle> get(unsigned bits, unsigned base, unsigned shift);

  /// Whether get() accepts these parameters.
  bool isValid() const;
  /// The swizzled offset. @pre isValid().
  /// @post apply(result) == offset: a swizzle is its own inverse.
  /// Example: S<3,4,3> takes 128 + 16 to 128 and 128 to 144.
  int64_t apply(int64_t offset) const;
  /// Whether every offset stays: bits == 0.
  bool isIdentity() const { return bits == 0; }
  /// The swizzle that undoes this one: itself.
  Swizzle inverse() const { return *this; }
  /// The least p > 0 with apply(x + p) == apply(x) + p for all x; 1 for the
  /// identity. @pre isValid() and bits + base + shift < 63.
  /// Example: 1024 for S<3,4,3>.
  int64_t period() const;

  /// Whether the three parameters are equal. Any two identities are one
  /// function, but not equal.
  bool operator==(const Swizzle &other) const {
    return bits == other.bits && base == other.base && shift == other.shift;
  }
  bool operator!=(const Swizzle &other) const { return !(*this == other); }
};

} // namespace tile

#endif // TILE_LAYOUT_SWIZZLE_H
