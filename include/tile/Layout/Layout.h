// Layout.h - a layout is a function from coordinates to integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worked example. A 4x8 array in which each column is contiguous:
//
//   (4,8):(1,4)      row r, column c is at r*1 + c*4
//
// A row of four 4x2 blocks, each block contiguous, is the same memory:
//
//   (4,(2,4)):(1,(4,8))     column c = (c0,c1), c0 inside its block
//
// and the array transposed, without a byte moved: (8,4):(4,1).
//
// Definition. A layout is a pair shape:stride of nested integer tuples of one
// profile. Its domain is the shape's coordinates, or equally the indices 0 ...
// size-1, which name the coordinates colexicographically, leftmost mode
// fastest. Its value is the inner product of the natural coordinate with the
// strides. So each layout takes an integer, and a coordinate of every shape
// that its own shape refines: (4,(2,4)) can be evaluated at 29, at (1,7) or at
// (1,(1,3)).
//
// Why coordinate -> offset and not offset -> coordinate? A program knows its
// position in the tile and needs the offset; two coordinates may share an
// offset (broadcast, stride 0), and offsets may belong to no coordinate
// (padding). The other direction is an inverse, where there is one (Algebra.h).
//
// Small cases. 8:1 counts. 8:0 repeats one element eight times. 4:2 takes every
// other element. 1:0 is one element, the unit of concatenation. (2,2):(1,1) is
// a layout though it is not injective: 0, 1, 1, 2.
//
// A function has many layouts. (2,4):(1,2), (2,(2,2)):(1,(2,4)) and 8:1 are the
// same function on 0 ... 7, but not the same layout: they accept different
// coordinates. Equality == distinguishes them, isEquivalent() does not. The
// coalesced modes are the flat modes, where adjacent modes that continue one
// sequence of values are merged. The function determines them: the first extent
// is the first index at which the function leaves the line through f(0) and
// f(1), and so on for the other modes. Hence two layouts are the same function
// exactly if their coalesced modes are the same, and no enumeration is needed.
//
// A layout cannot express an offset at coordinate 0 (it is always 0; add the
// offset outside), an xor (Swizzle.h, LinearLayout.h), a triangle or any other
// domain that is not a box, or a table. A layout composed with a layout need
// not be one either; compose() then refuses.

#ifndef TILE_LAYOUT_LAYOUT_H
#define TILE_LAYOUT_LAYOUT_H

#include "tile/Layout/IntTuple.h"
#include "tile/Layout/Result.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace tile {

/// A pair shape:stride, checked when it is made: extents are positive, the
/// profiles agree, no list is empty, and neither size nor span overflows. So no
/// evaluation inside the domain can overflow.
/// Example: *Layout::get(makeTuple(4, 8), makeTuple(1, 4)) is (4,8):(1,4).
class Layout {
public:
  /// (extent, stride) of one integer of the shape.
  using FlatMode = std::pair<int64_t, int64_t>;

  /// The layout shape:stride. Strides may be zero or negative. Refused unless
  /// shape and stride are congruent, without an empty list, every extent is
  /// positive, and size and span fit an int64_t.
  static Result<Layout> get(IntTuple shape, IntTuple stride);

  const IntTuple &shape() const { return shapeTuple; }
  const IntTuple &stride() const { return strideTuple; }

  /// The value at the coordinate of index `index`. @pre 0 <= index < size().
  /// Example: (4,8):(1,4) at 29 is 29; (8,4):(4,1) at 9 is 5.
  int64_t operator()(int64_t index) const;
  /// The value at a coordinate of any shape compatible with shape().
  /// @pre evaluate(coord) succeeds.
  /// Example: (4,(2,4)):(1,(4,8)) at (1,7) is 1 + 4 + 24 = 29.
  int64_t operator()(const IntTuple &coord) const;
  /// The value at a coordinate; refused where `coord` is no coordinate of the
  /// shape.
  Result<int64_t> evaluate(const IntTuple &coord) const;

  /// The number of coordinates: the product of the shape.
  int64_t size() const { return shapeTuple.product(); }
  /// The span of the values, greatest - least + 1. For strides that are not
  /// negative this is value(size()-1) + 1. Example: 7 for 4:2.
  int64_t cosize() const;
  /// The number of top-level modes; 1 for an integer layout.
  size_t rank() const { return shapeTuple.size(); }
  /// Levels of nesting of the shape; 0 for an integer layout.
  size_t depth() const { return shapeTuple.depth(); }
  /// Top-level mode i. @pre i < rank(). Example: mode 1 of (4,(2,4)):(1,(4,8))
  /// is (2,4):(4,8).
  Layout mode(size_t i) const;
  /// The modes of all leaves, left to right.
  /// Example: {{4,1},{2,4},{4,8}} for (4,(2,4)):(1,(4,8)).
  std::vector<FlatMode> flattened() const;
  /// The flat modes without extent 1, in which adjacent modes s0:d0, s1:(s0*d0)
  /// are merged into (s0*s1):d0; empty for a single element.
  /// @post determined by the function: equal exactly for equivalent layouts.
  /// Example: {{32,1}} for (4,(2,4)):(1,(4,8)).
  std::vector<FlatMode> coalescedModes() const;

  /// Whether shape and stride are equal, as written.
  bool operator==(const Layout &other) const {
    return shapeTuple == other.shapeTuple && strideTuple == other.strideTuple;
  }
  bool operator!=(const Layout &other) const { return !(*this == other); }
  /// Equal layouts have equal hashes.
  size_t hash() const;

  /// Whether both are one function on 0 ... size()-1.
  /// Example: (2,4):(1,2) and 8:1.
  bool isEquivalent(const Layout &other) const;
  /// Whether no two coordinates share a value. Exact, by a search over
  /// differences of coordinates that ends at once if the strides nest.
  /// Example: true of (2,3):(3,2), false of (2,4):(3,1).
  bool isInjective() const;
  /// Whether the values are exactly 0 ... size()-1, each once.
  /// Example: true of (2,4):(4,1), false of 4:2.
  bool isBijection() const;
  /// The values, increasing, each once. Takes time and memory of size().
  /// Example: {0, 1, 2} for (2,2):(1,1).
  std::vector<int64_t> image() const;

private:
  Layout(IntTuple shape, IntTuple stride)
      : shapeTuple(std::move(shape)), strideTuple(std::move(stride)) {}

  IntTuple shapeTuple;
  IntTuple strideTuple;
};

/// The compact layout of a shape with the leftmost integer fastest: strides are
/// the products of the extents before. Refused as Layout::get refuses.
/// @post isBijection(), and the value at index i is i.
/// Example: (3,(2,3)) gives (3,(2,3)):(1,(3,6)).
Result<Layout> layoutLeft(const IntTuple &shape);

/// The compact layout of a shape with the rightmost integer fastest.
/// @post isBijection(). Example: (3,(2,3)) gives (3,(2,3)):(6,(3,1)).
Result<Layout> layoutRight(const IntTuple &shape);

/// The layout whose modes are the given layouts. Refused for an empty list, and
/// where size or span would overflow.
/// @post mode(i) == modes[i]. Example: 4:1 and (2,3):(4,8) give
/// (4,(2,3)):(1,(4,8)).
Result<Layout> concatenate(const std::vector<Layout> &modes);

} // namespace tile

#endif // TILE_LAYOUT_LAYOUT_H
