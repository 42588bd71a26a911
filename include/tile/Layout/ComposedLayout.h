// ComposedLayout.h - a layout, then an offset, then a swizzle or layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Written outer o offset o inner:
//
//   S<3,4,3> o 0 o (8,128):(128,1)     bytes of shared memory, swizzled
//   (4,2):(1,10) o 3 o 5:1             3, 10, 11, 12, 13
//
// A layout cannot express three things: an xor, a first value other than 0, and
// a composition that compose() refuses. So the parts are kept and applied one
// after the other. The offset stands between them because its position matters:
// S(x + 8) is not S(x) + 8. A view that starts inside a swizzled tile is the
// same swizzle after another offset.
//
// (CuTe: include/cute/layout_composed.hpp.)
//
// Operations that take a layout apart or compose it on the right (compose,
// divide and product) work only on the inner layout: S o offset o (L o R).

#ifndef TILE_LAYOUT_COMPOSEDLAYOUT_H
#define TILE_LAYOUT_COMPOSEDLAYOUT_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Swizzle.h"
#include "tile/Layout/Tiler.h"

#include <cstdint>
#include <utility>
#include <variant>

namespace tile {

/// outer(offset + inner(coord)). Checked when it is made, so that no evaluation
/// inside the domain can overflow.
class ComposedLayout {
public:
  using Outer = std::variant<Swizzle, Layout>;

  /// Refused where the swizzle is not valid, or a value of offset + inner is
  /// negative or overflows. An outer layout is evaluated beyond its size as in
  /// compose(): its last integer mode is unbounded.
  static Result<ComposedLayout> get(Outer outer, int64_t offset, Layout inner);

  const Outer &outer() const { return outerPart; }
  int64_t offset() const { return offsetPart; }
  const Layout &inner() const { return innerPart; }

  /// The coordinates are those of the inner layout.
  const IntTuple &shape() const { return innerPart.shape(); }
  int64_t size() const { return innerPart.size(); }
  size_t rank() const { return innerPart.rank(); }

  /// The value at the coordinate of index `index`. @pre 0 <= index < size().
  /// Example: S<3,4,3> o 0 o (8,128):(128,1) at 9 is S(129) = 145.
  int64_t operator()(int64_t index) const;
  /// The value at a coordinate of any shape compatible with shape(); refused
  /// where `coord` is no such coordinate.
  Result<int64_t> evaluate(const IntTuple &coord) const;

  /// This layout with another inner layout: its outer part and offset after
  /// `inner`. Refused as get() is, or with the error of `inner`.
  /// Example: composed.withInner(zippedDivide(composed.inner(), tiler)).
  Result<ComposedLayout> withInner(const Result<Layout> &inner) const;

  bool operator==(const ComposedLayout &other) const {
    return outerPart == other.outerPart && offsetPart == other.offsetPart &&
           innerPart == other.innerPart;
  }
  bool operator!=(const ComposedLayout &other) const {
    return !(*this == other);
  }

private:
  ComposedLayout(Outer outer, int64_t offset, Layout inner)
      : outerPart(std::move(outer)), offsetPart(offset),
        innerPart(std::move(inner)) {}

  /// The outer part at `value`, which is the offset plus a value of the inner
  /// layout.
  int64_t applyOuter(int64_t value) const;

  Outer outerPart;
  int64_t offsetPart;
  Layout innerPart;
};

/// `left` after `right`. Refused where compose(left.inner(), right) is refused.
/// @post result(i) == left(right(i)) for 0 <= i < right.size() wherever
/// right(i) is below left.size().
Result<ComposedLayout> compose(const ComposedLayout &left, const Tiler &right);

} // namespace tile

#endif // TILE_LAYOUT_COMPOSEDLAYOUT_H
