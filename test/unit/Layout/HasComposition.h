// HasComposition.h - decides whether a composition is a layout by exhaustion
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An oracle for compose() and the functions that use it: it knows no
// divisibility, only values.

#ifndef TILE_TEST_UNIT_LAYOUT_HASCOMPOSITION_H
#define TILE_TEST_UNIT_LAYOUT_HASCOMPOSITION_H

#include "AllLayouts.h"

#include <functional>

namespace tile {
namespace test {

/// Whether `values` are the values of a layout. Tries every ordered
/// factorization of their count as the extents, which determine the strides.
inline bool isLayout(const std::vector<int64_t> &values) {
  int64_t size = values.size();
  if (values[0] != 0)
    return false;
  FlatModes modes;
  std::function<bool(int64_t)> extend = [&](int64_t done) {
    if (done == size)
      return modes.empty() || valuesOf(flatLayout(modes)) == values;
    for (int64_t extent = 2; done * extent <= size; ++extent) {
      if (size % (done * extent) != 0)
        continue;
      modes.push_back({extent, values[done]});
      if (extend(done * extent))
        return true;
      modes.pop_back();
    }
    return false;
  };
  return extend(1);
}

/// Whether a layout R with R(i) = left(right(i)), whose shape refines that of
/// `right`, exists. Each mode of `right` must give a layout by itself, and the
/// values of these layouts must add up to those of the composition. All values
/// are enumerated.
inline bool hasComposition(const Layout &left, const Layout &right) {
  std::vector<std::vector<int64_t>> parts;
  for (auto [extent, stride] : right.flattened()) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < extent; ++i)
      values.push_back(valueAt(left, i * stride, /*isUnbounded=*/true));
    if (!isLayout(values))
      return false;
    parts.push_back(values);
  }
  std::vector<int64_t> arguments = valuesOf(right);
  for (int64_t i = 0; i < int64_t(arguments.size()); ++i) {
    int64_t sum = 0, rest = i;
    for (const std::vector<int64_t> &part : parts) {
      sum += part[rest % part.size()];
      rest /= part.size();
    }
    if (sum != valueAt(left, arguments[i], /*isUnbounded=*/true))
      return false;
  }
  return true;
}

} // namespace test
} // namespace tile

#endif // TILE_TEST_UNIT_LAYOUT_HASCOMPOSITION_H
