// Inverse.cpp - from values back to coordinates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Inverse.h"

#include "FlatModes.h"

#include "tile/Layout/Print.h"

#include <algorithm>

using namespace tile;

Result<Layout> tile::rightInverse(const Layout &layout) {
  struct Link {
    int64_t extent, stride;
    /// The stride of this mode in the compact layout of the shape: the distance
    /// that the index moves when this digit moves by one.
    int64_t indexStride;
    /// The product of extents of the longest chain that starts here, and the
    /// link that follows.
    int64_t length;
    const Link *next;
  };
  std::vector<Link> links;
  int64_t indexStride = 1;
  for (auto [extent, stride] : layout.flattened()) {
    if (extent > 1 && stride < 0)
      return Result<Layout>::failure(
          "expected strides that are not negative, got " +
          std::to_string(stride) + " in " + toString(layout));
    if (extent > 1 && stride > 0)
      links.push_back({extent, stride, indexStride, extent, nullptr});
    indexStride *= extent;
  }
  // Sorted by decreasing stride, so that the chain from the next link is known
  // when a link is processed.
  std::sort(links.begin(), links.end(),
            [](const Link &a, const Link &b) { return a.stride > b.stride; });
  const Link *first = nullptr;
  for (Link &link : links) {
    for (const Link &other : links)
      if (multiply(link.extent, link.stride) == other.stride &&
          (!link.next || other.length > link.next->length))
        link.next = &other;
    if (link.next)
      link.length *= link.next->length;
    if (link.stride == 1 && (!first || link.length > first->length))
      first = &link;
  }
  FlatModes inverse;
  for (const Link *link = first; link; link = link->next)
    appendCoalesced(inverse, {link->extent, link->indexStride});
  return toLayout(inverse);
}

Result<Layout> tile::leftInverse(const Layout &layout) {
  auto fail = [&](const std::string &reason) {
    return Result<Layout>::failure("no left inverse of " + toString(layout) +
                                   ": " + reason);
  };
  struct Digit {
    int64_t extent, stride;
    /// Distance that the index moves when this digit moves by one.
    int64_t indexStride;
  };
  std::vector<Digit> digits;
  int64_t indexStride = 1;
  for (auto [extent, stride] : layout.coalescedModes()) {
    if (stride <= 0)
      return fail("expected positive strides, got " + std::to_string(stride));
    digits.push_back({extent, stride, indexStride});
    indexStride *= extent;
  }
  std::sort(digits.begin(), digits.end(),
            [](const Digit &a, const Digit &b) { return a.stride < b.stride; });

  // The digits of a value in mixed radix have the strides as weights. Values
  // below the smallest stride are never looked up.
  FlatModes inverse;
  if (!digits.empty() && digits[0].stride > 1)
    inverse.push_back({digits[0].stride, 0});
  for (size_t i = 0; i < digits.size(); ++i) {
    Digit digit = digits[i];
    int64_t extent = digit.extent;
    if (i + 1 < digits.size()) {
      int64_t next = digits[i + 1].stride;
      if (next % digit.stride != 0)
        return fail("expected strides that are multiples of the smaller ones, "
                    "got " +
                    std::to_string(next) + " after " +
                    std::to_string(digit.stride));
      extent = next / digit.stride;
      if (extent < digit.extent)
        return fail("two coordinates have the value " + std::to_string(next));
    }
    appendCoalesced(inverse, {extent, digit.indexStride});
  }
  Result<Layout> result = toLayout(inverse);
  return result ? result : fail(result.error());
}
