// LinearLayout.h - layouts that are linear over the field of two elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read an index as a vector of bits, and let xor be addition. Then a swizzle is
// a linear map, and so is each layout whose extents are powers of two and whose
// strides never carry into one another. A linear map is its values at 1, 2, 4,
// 8 ..., its bases; composition, rank and inverse are a few xors.
//
// Example: (4,2):(1,8) has the bases 1, 2, 8; S<1,0,2> on four bits has the
// bases 1, 2, 5, 8; S<1,0,2> after (4,2):(1,8) has the bases 1, 2, 8.
//
// Not every layout is one: 3:1 has no whole number of bits, and 4:3 adds with
// carry (3 and 6 share a bit). toLinear refuses those and reports the position.

#ifndef TILE_LAYOUT_LINEARLAYOUT_H
#define TILE_LAYOUT_LINEARLAYOUT_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Swizzle.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace tile {

/// A linear map over F2 from numBits() bits to integers of 64 bits.
/// Example: the bases {1, 2, 8} take 5 = 1 + 4 to 1 xor 8 = 9.
class LinearLayout {
public:
  /// The map with bases[k] = value at 2^k. Refused above 62 bases, so that
  /// size() is an int64_t.
  static Result<LinearLayout> get(std::vector<uint64_t> bases);
  /// The identity on `numBits` bits; refused above 62.
  static Result<LinearLayout> identity(unsigned numBits);

  const std::vector<uint64_t> &getBases() const { return bases; }
  /// The number of bits of the input.
  unsigned numBits() const { return static_cast<unsigned>(bases.size()); }
  /// The number of inputs, 2^numBits().
  int64_t size() const { return int64_t(1) << bases.size(); }
  /// The value at `index`. @pre index < size().
  /// @post apply(a xor b) == apply(a) xor apply(b).
  uint64_t apply(uint64_t index) const;

  /// The dimension of the image: it has 2^rank() values.
  /// Example: 1 for the bases {3, 3}.
  unsigned rank() const;
  /// Whether no two inputs share a value.
  bool isInjective() const { return rank() == numBits(); }
  /// Whether the image is exactly 0 ... 2^outBits - 1. @pre outBits < 64.
  /// Example: the bases {2, 1, 3} are surjective onto 2 bits.
  bool isSurjective(unsigned outBits) const;
  /// Whether the map permutes 0 ... size()-1.
  bool isBijection() const { return isSurjective(numBits()); }
  /// The map that undoes this one; refused unless isBijection().
  /// @post inverse->apply(apply(i)) == i for i < size().
  /// Example: the bases {3, 2} (their own inverse).
  Result<LinearLayout> inverse() const;

  /// Whether both are the same function: this is so if their bases are equal.
  bool operator==(const LinearLayout &other) const {
    return bases == other.bases;
  }
  bool operator!=(const LinearLayout &other) const { return !(*this == other); }

private:
  explicit LinearLayout(std::vector<uint64_t> bases)
      : bases(std::move(bases)) {}

  std::vector<uint64_t> bases;
};

/// `left` after `right`. Refused where a value of `right` is no input of
/// `left`.
/// @post result.apply(i) == left.apply(right.apply(i)).
Result<LinearLayout> compose(const LinearLayout &left,
                             const LinearLayout &right);

/// The linear map that equals the layout on 0 ... size()-1. Refused where an
/// extent is no power of two, a stride of an extent above 1 is negative, or two
/// steps share a bit and so add with carry. For values that are not negative
/// this accepts exactly the layouts that are linear.
/// @post result.size() == layout.size(), result.apply(i) == layout(i).
/// Example: (4,2):(1,8) gives the bases {1, 2, 8}; 4:3 is refused.
Result<LinearLayout> toLinear(const Layout &layout);

/// The swizzle on offsets of `numBits` bits; refused where the swizzle is not
/// valid or numBits is above 62.
/// @post result.apply(i) == swizzle.apply(i) for i < 2^numBits.
Result<LinearLayout> toLinear(const Swizzle &swizzle, unsigned numBits);

/// The swizzle after the layout. Refused where either is.
/// @post result.apply(i) == swizzle.apply(layout(i)).
Result<LinearLayout> toLinear(const Swizzle &swizzle, const Layout &layout);

} // namespace tile

#endif // TILE_LAYOUT_LINEARLAYOUT_H
