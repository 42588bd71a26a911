// ComposedLayout.cpp - a layout, then an offset, then a swizzle or layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/ComposedLayout.h"

#include "FlatModes.h"

#include "tile/Layout/Compose.h"
#include "tile/Layout/Print.h"

#include <algorithm>
#include <string>

using namespace tile;

/// The least and the greatest value of a layout.
static std::pair<int64_t, int64_t> rangeOf(const Layout &layout) {
  int64_t least = 0, greatest = 0;
  for (auto [extent, stride] : layout.flattened()) {
    if (extent > 1 && stride < 0)
      least += (extent - 1) * stride;
    else if (extent > 1)
      greatest += (extent - 1) * stride;
  }
  return {least, greatest};
}

/// Whether the layout, its last mode unbounded, can be evaluated at every index
/// from 0 to `greatest`: with the last mode long enough it is a layout.
static bool reaches(const Layout &layout, int64_t greatest) {
  FlatModes modes = layout.flattened();
  for (size_t i = 0; i + 1 < modes.size(); ++i)
    greatest /= modes[i].first;
  if (greatest == INT64_MAX)
    return false;
  modes.back().first = std::max(modes.back().first, greatest + 1);
  return bool(toLayout(modes));
}

Result<ComposedLayout> ComposedLayout::get(Outer outer, int64_t offset,
                                           Layout inner) {
  using Failure = Result<ComposedLayout>;
  auto [least, greatest] = rangeOf(inner);
  std::optional<int64_t> first = add(offset, least);
  std::optional<int64_t> last = add(offset, greatest);
  std::string middle = std::to_string(offset) + " o " + toString(inner);
  if (!first || !last)
    return Failure::failure("expected values that fit 64 bits, got " + middle);
  if (*first < 0)
    return Failure::failure("expected values of " + middle +
                            " that are not negative, got " +
                            std::to_string(*first));
  if (auto *swizzle = std::get_if<Swizzle>(&outer)) {
    Result<Swizzle> valid =
        Swizzle::get(swizzle->bits, swizzle->base, swizzle->shift);
    if (!valid)
      return Failure::failure(valid.error());
  } else if (!reaches(std::get<Layout>(outer), *last)) {
    return Failure::failure("expected values that fit 64 bits, got " +
                            toString(std::get<Layout>(outer)) + " at " +
                            std::to_string(*last));
  }
  return ComposedLayout(std::move(outer), offset, std::move(inner));
}

int64_t ComposedLayout::applyOuter(int64_t value) const {
  if (auto *swizzle = std::get_if<Swizzle>(&outerPart))
    return swizzle->apply(value);
  return *evaluateUnbounded(std::get<Layout>(outerPart).flattened(), value);
}

int64_t ComposedLayout::operator()(int64_t index) const {
  return applyOuter(offsetPart + innerPart(index));
}

Result<int64_t> ComposedLayout::evaluate(const IntTuple &coord) const {
  Result<int64_t> value = innerPart.evaluate(coord);
  if (!value)
    return value;
  return applyOuter(offsetPart + *value);
}

Result<ComposedLayout>
ComposedLayout::withInner(const Result<Layout> &inner) const {
  if (!inner)
    return Result<ComposedLayout>::failure(inner.error());
  return get(outerPart, offsetPart, *inner);
}

Result<ComposedLayout> tile::compose(const ComposedLayout &left,
                                     const Tiler &right) {
  return left.withInner(compose(left.inner(), right));
}
