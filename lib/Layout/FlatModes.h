// FlatModes.h - lists of extent:stride, from which the algebra builds layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Common parts of the operations: a layout as a list of its integers, and sums
// and products that do not overflow.

#ifndef TILE_LIB_LAYOUT_FLATMODES_H
#define TILE_LIB_LAYOUT_FLATMODES_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Result.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tile {

using FlatMode = Layout::FlatMode;
using FlatModes = std::vector<FlatMode>;

/// a * b; nothing where it does not fit.
inline std::optional<int64_t> multiply(int64_t a, int64_t b) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    return std::nullopt;
  return product;
}

/// a + b; nothing where it does not fit.
inline std::optional<int64_t> add(int64_t a, int64_t b) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    return std::nullopt;
  return sum;
}

/// Appends extent:stride, merged with the last mode if it continues it.
void appendCoalesced(FlatModes &modes, FlatMode mode);

/// Returns flat modes as (shape, stride): an integer for one mode, 1:0 for
/// none, otherwise a list.
std::pair<IntTuple, IntTuple> toTuples(const FlatModes &modes);

/// Returns the modes as a layout; fails like Layout::get.
Result<Layout> toLayout(const FlatModes &modes);

/// The value of the modes at `index`, the last mode unbounded; nothing on
/// overflow.
std::optional<int64_t> evaluateUnbounded(const FlatModes &modes, int64_t index);

} // namespace tile

#endif // TILE_LIB_LAYOUT_FLATMODES_H
