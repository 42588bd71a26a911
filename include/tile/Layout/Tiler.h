// Tiler.h - the right operand of operations that work mode by mode
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tiler is a layout, or a list of tilers, written <3:3,(2,4):(1,8)> as CuTe's
// documents do. A layout applies to a whole layout as a function of integers; a
// list applies its first tiler to mode 0, its second to mode 1, and so on. A
// shape stands for layouts of stride 1: (3,8) is the tiler <3:1,8:1>.
//
//   (9,(4,8)):(59,(13,1)) o <3:3,(2,4):(1,8)>   is   (3,(2,4)):(177,(13,2))
//
// The list <2:1,4:1> is not the layout (2,4):(1,1): the list takes (i, j) to
// the coordinate (i, j) of a layout of two modes, the layout to the integer i +
// j.

#ifndef TILE_LAYOUT_TILER_H
#define TILE_LAYOUT_TILER_H

#include "tile/Layout/IntTuple.h"
#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"

#include <cassert>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace tile {

/// A layout, or a list of tilers; a value with deep copies.
class Tiler {
public:
  /// A layout; implicit, so that one can stand for a tiler.
  Tiler(Layout layout) : leaf(std::move(layout)) {}
  /// A list. Example: list({tile, Tiler::list({a, b})}).
  static Tiler list(std::vector<Tiler> elements) {
    return Tiler(std::move(elements));
  }
  /// n:1 for each integer n of `shape`, nested as the shape is. Refused where
  /// an integer is not positive.
  /// Example: (3,(2,8)) gives <3:1,<2:1,8:1>>.
  static Result<Tiler> ofShape(const IntTuple &shape);

  bool isLayout() const { return leaf.has_value(); }
  /// @pre isLayout().
  const Layout &layout() const {
    assert(leaf && "expected a layout");
    return *leaf;
  }
  /// The tilers of a list. @pre !isLayout().
  size_t size() const { return elements.size(); }
  const Tiler &operator[](size_t i) const { return elements[i]; }

private:
  explicit Tiler(std::vector<Tiler> elements) : elements(std::move(elements)) {}

  std::optional<Layout> leaf;
  std::vector<Tiler> elements;
};

/// Treatment of the modes of a layout that have no tiler.
enum class ModesWithoutTiler { kDrop, kKeep };

/// operation(layout, tiler.layout()) for a layout, else the same for each mode
/// that has a tiler. Refused if the list has no tilers or more tilers than
/// `layout` has modes, and where the operation refuses, with the mode.
/// @post for a list: rank() is that of `layout`, or tiler.size() if modes
/// without a tiler are dropped.
Result<Layout>
applyByMode(const Layout &layout, const Tiler &tiler, ModesWithoutTiler others,
            Result<Layout> (*operation)(const Layout &, const Layout &));

} // namespace tile

#endif // TILE_LAYOUT_TILER_H
