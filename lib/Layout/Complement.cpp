// Complement.cpp - the values that a layout leaves out
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Complement.h"

#include "FlatModes.h"

#include "tile/Layout/Coalesce.h"
#include "tile/Layout/Print.h"

#include <algorithm>

using namespace tile;

Result<Layout> tile::complement(const Layout &layout, int64_t bound) {
  auto fail = [&](const std::string &reason) {
    return Result<Layout>::failure("no complement of " + toString(layout) +
                                   ": " + reason);
  };
  if (bound < 1)
    return fail("expected a positive bound, got " + std::to_string(bound));
  FlatModes modes;
  for (auto [extent, stride] : layout.flattened()) {
    if (extent == 1)
      continue;
    if (stride <= 0)
      return fail("expected positive strides, got " + std::to_string(stride));
    modes.push_back({extent, stride});
  }
  std::sort(modes.begin(), modes.end(),
            [](FlatMode a, FlatMode b) { return a.second < b.second; });

  // Invariant: the modes before and the gaps so far give each of 0 ... end-1
  // once.
  FlatModes gaps;
  int64_t end = 1;
  for (auto [extent, stride] : modes) {
    if (stride % end != 0)
      return fail("expected the stride of the mode " + std::to_string(extent) +
                  ":" + std::to_string(stride) + " to be a multiple of " +
                  std::to_string(end) +
                  ", where the modes of smaller stride end");
    gaps.push_back({stride / end, end});
    std::optional<int64_t> next = multiply(extent, stride);
    if (!next)
      return fail("the end of the mode " + std::to_string(extent) + ":" +
                  std::to_string(stride) + " overflows 64 bits");
    end = *next;
  }
  gaps.push_back({(bound - 1) / end + 1, end});
  Result<Layout> result = toLayout(gaps);
  if (!result)
    return fail(result.error());
  return coalesce(*result);
}
