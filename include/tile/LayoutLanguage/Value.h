// Value.h - values of expressions of tile-layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LAYOUTLANGUAGE_VALUE_H
#define TILE_LAYOUTLANGUAGE_VALUE_H

#include "tile/Layout/ComposedLayout.h"
#include "tile/Layout/IntTuple.h"
#include "tile/Layout/Layout.h"
#include "tile/Layout/RegisterLayout.h"
#include "tile/Layout/Result.h"
#include "tile/Layout/Swizzle.h"
#include "tile/Layout/Tiler.h"

#include <string>
#include <variant>

namespace tile::layoutlanguage {

/// Value of #tile.shared: `layout` gives offsets of elements, and `swizzle`
/// permutes the corresponding byte offsets.
struct SharedLayout {
  Layout layout;
  Swizzle swizzle;
};

/// An integer is an IntTuple that is a leaf.
using Value = std::variant<bool, IntTuple, Swizzle, Layout, ComposedLayout,
                           Tiler, RegisterLayout, SharedLayout>;

/// Returns an expression that has this value.
std::string toText(const Value &value);

/// Returns the value and its kind, for messages. Example: "the layout 4:1".
std::string describe(const Value &value);

/// Returns the value at coordinate `at`, as text; an error if `value` has no
/// coordinates, or not this one.
Result<std::string> evaluateAt(const Value &value, const IntTuple &at);

} // namespace tile::layoutlanguage

#endif // TILE_LAYOUTLANGUAGE_VALUE_H
