// IntTuple.h - nested integer tuples: shapes, strides, coordinates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An integer tuple is an integer, or a list of integer tuples: 24, (4,6),
// ((2,2),6). Shapes, strides and coordinates of layouts are integer tuples; the
// nesting without the integers is the profile.
//
// Coordinates are indexed colexicographically: the leftmost mode is fastest. In
// the shape (3,(2,3)) the index 16 is the coordinate (1,5), and 5 in turn is
// (1,2), so 16 is also (1,(1,2)). The last of these, one integer for each
// integer of the shape, is the natural coordinate.

#ifndef TILE_LAYOUT_INTTUPLE_H
#define TILE_LAYOUT_INTTUPLE_H

#include "tile/Layout/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tile {

/// An integer or a list of integer tuples; a value with deep copies.
/// Example: `makeTuple(2, makeTuple(4, 8))` is (2,(4,8)).
class IntTuple {
public:
  /// The leaf `value`; implicit, so that an integer can stand for a tuple.
  /// @post isLeaf() and value() == value.
  IntTuple(int64_t value) : leaf(true), number(value) {}
  /// The list of `elements`. @post !isLeaf() and size() == elements.size().
  explicit IntTuple(std::vector<IntTuple> elements)
      : leaf(false), elements(std::move(elements)) {}
  /// The list of leaves `values`. Example: flat({4, 8}) is (4,8).
  static IntTuple flat(const std::vector<int64_t> &values);

  bool isLeaf() const { return leaf; }
  /// The integer. @pre isLeaf().
  int64_t value() const {
    assert(leaf && "expected a leaf");
    return number;
  }
  /// The rank: the number of elements of a list, 1 for a leaf.
  size_t size() const { return leaf ? 1 : elements.size(); }
  /// Element i. A leaf is its own element 0. @pre i < size().
  const IntTuple &operator[](size_t i) const {
    assert(i < size() && "element out of range");
    return leaf ? *this : elements[i];
  }

  /// Levels of nesting. Example: 0 for 24, 1 for (4,6), 2 for ((2,2),6).
  size_t depth() const;
  /// The integers from left to right. Example: {2, 2, 6} for ((2,2),6).
  std::vector<int64_t> leaves() const;
  /// The product of the leaves, 1 for an empty list; nothing when it does not
  /// fit an int64_t. Example: 24 for ((2,2),6).
  std::optional<int64_t> tryProduct() const;
  /// The product of the leaves. @pre it fits an int64_t.
  int64_t product() const;

  /// Whether both have the same profile. Example: (4,(2,3)) and (1,(0,5)).
  bool congruent(const IntTuple &other) const;
  /// Same profile and same integers. The list (4) is not the leaf 4.
  bool operator==(const IntTuple &other) const;
  bool operator!=(const IntTuple &other) const { return !(*this == other); }
  /// Equal tuples have equal hashes.
  size_t hash() const;

private:
  bool leaf;
  int64_t number = 0;
  std::vector<IntTuple> elements;
};

/// The list of its arguments. Example: makeTuple(2, makeTuple(4, 8)) is
/// (2,(4,8)); makeTuple(3) is the list (3).
template <class... Elements>
IntTuple makeTuple(Elements &&...elements) {
  return IntTuple(
      std::vector<IntTuple>{IntTuple(std::forward<Elements>(elements))...});
}

/// Whether every coordinate of `shape` is also a coordinate of `finer`, and
/// they have the same size: at each leaf of `shape`, `finer` has a tuple of
/// that product.
/// A weak partial order. Example: 24 -> (4,6) -> ((2,2),6), but not back, and
/// not ((2,2),6) -> (2,12).
bool isCompatible(const IntTuple &shape, const IntTuple &finer);

/// Whether `shape` tiles `finer`: as isCompatible, but the product of the tuple
/// is a multiple of the leaf.
bool isWeaklyCompatible(const IntTuple &shape, const IntTuple &finer);

/// The natural coordinate of the colexicographic index `index`.
/// @pre the extents are positive, 0 <= index < shape.product().
/// @post congruent to the shape, and crd2idx(result, shape) == index.
/// Example: idx2crd(16, (3,(2,3))) is (1,(1,2)).
IntTuple idx2crd(int64_t index, const IntTuple &shape);

/// The natural coordinate of a coordinate of any compatible shape. Refused
/// where the profile does not fit or an integer is out of range.
/// @pre the extents are positive.
/// Example: (1,5), (1,(1,2)) and 16 all give (1,(1,2)) in (3,(2,3)).
Result<IntTuple> naturalCoordinate(const IntTuple &coord,
                                   const IntTuple &shape);

/// The colexicographic index of a coordinate of any compatible shape.
/// @pre naturalCoordinate(coord, shape) succeeds.
/// @post 0 <= result < shape.product(), and idx2crd takes it back.
/// Example: crd2idx((1,5), (3,(2,3))) is 16.
int64_t crd2idx(const IntTuple &coord, const IntTuple &shape);

/// The inner product of the natural coordinate with the strides.
/// @pre naturalCoordinate(coord, shape) succeeds, stride is congruent to shape,
/// and no partial sum overflows (true of the shape and stride of a Layout).
/// Example: crd2idx((1,5), (3,(2,3)), (3,(12,1))) is 1*3 + 1*12 + 2*1 = 17.
int64_t crd2idx(const IntTuple &coord, const IntTuple &shape,
                const IntTuple &stride);

} // namespace tile

#endif // TILE_LAYOUT_INTTUPLE_H
