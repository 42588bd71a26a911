// Layout.cpp - a layout is a function from coordinates to integers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Layout.h"

#include "tile/Layout/Print.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

using namespace tile;

//===----------------------------------------------------------------------===//
// Making layouts
//===----------------------------------------------------------------------===//

static bool hasEmptyList(const IntTuple &tuple) {
  if (tuple.isLeaf())
    return false;
  for (size_t i = 0; i < tuple.size(); ++i)
    if (hasEmptyList(tuple[i]))
      return true;
  return tuple.size() == 0;
}

/// Explains why `shape` is the shape of no layout; empty if it is one.
static std::string findShapeError(const IntTuple &shape) {
  if (hasEmptyList(shape))
    return "expected no empty list in a shape, got " + toString(shape);
  for (int64_t extent : shape.leaves())
    if (extent <= 0)
      return "expected positive extents, got " + std::to_string(extent) +
             " in the shape " + toString(shape);
  if (!shape.tryProduct())
    return "expected a size that fits 64 bits, got the shape " +
           toString(shape);
  return {};
}

/// Whether greatest - least + 1 of the values fits an int64_t; then so does
/// every partial sum of an inner product, since all lie between the two.
static bool spanFits(const std::vector<int64_t> &extents,
                     const std::vector<int64_t> &strides) {
  int64_t span = 1;
  for (size_t i = 0; i < extents.size(); ++i) {
    int64_t reach;
    if (__builtin_mul_overflow(extents[i] - 1, strides[i], &reach) ||
        reach == INT64_MIN ||
        __builtin_add_overflow(span, reach < 0 ? -reach : reach, &span))
      return false;
  }
  return true;
}

Result<Layout> Layout::get(IntTuple shape, IntTuple stride) {
  if (!shape.congruent(stride))
    return Result<Layout>::failure(
        "expected shape and stride of the same profile, got " +
        toString(shape) + ":" + toString(stride));
  std::string shapeError = findShapeError(shape);
  if (!shapeError.empty())
    return Result<Layout>::failure(std::move(shapeError));
  if (!spanFits(shape.leaves(), stride.leaves()))
    return Result<Layout>::failure(
        "expected values whose span fits 64 bits, got " + toString(shape) +
        ":" + toString(stride));
  return Layout(std::move(shape), std::move(stride));
}

/// Returns the strides of the compact layout of `shape`; `next` is the stride
/// of its fastest integer, and after the call the stride of the next integer.
static IntTuple compactStrides(const IntTuple &shape, bool leftFastest,
                               int64_t &next) {
  if (shape.isLeaf()) {
    int64_t stride = next;
    next *= shape.value();
    return stride;
  }
  std::vector<IntTuple> strides(shape.size(), IntTuple(0));
  for (size_t step = 0; step < shape.size(); ++step) {
    size_t i = leftFastest ? step : shape.size() - 1 - step;
    strides[i] = compactStrides(shape[i], leftFastest, next);
  }
  return IntTuple(std::move(strides));
}

static Result<Layout> compactLayout(const IntTuple &shape, bool leftFastest) {
  // The products of compactStrides are at most the size, which is checked here.
  std::string shapeError = findShapeError(shape);
  if (!shapeError.empty())
    return Result<Layout>::failure(std::move(shapeError));
  int64_t next = 1;
  IntTuple strides = compactStrides(shape, leftFastest, next);
  return Layout::get(shape, std::move(strides));
}

Result<Layout> tile::layoutLeft(const IntTuple &shape) {
  return compactLayout(shape, /*leftFastest=*/true);
}

Result<Layout> tile::layoutRight(const IntTuple &shape) {
  return compactLayout(shape, /*leftFastest=*/false);
}

Result<Layout> tile::concatenate(const std::vector<Layout> &modes) {
  std::vector<IntTuple> shapes, strides;
  for (const Layout &mode : modes) {
    shapes.push_back(mode.shape());
    strides.push_back(mode.stride());
  }
  return Layout::get(IntTuple(std::move(shapes)), IntTuple(std::move(strides)));
}

//===----------------------------------------------------------------------===//
// Evaluation and structure
//===----------------------------------------------------------------------===//

int64_t Layout::operator()(int64_t index) const {
  return crd2idx(index, shapeTuple, strideTuple);
}

int64_t Layout::operator()(const IntTuple &coord) const {
  return crd2idx(coord, shapeTuple, strideTuple);
}

Result<int64_t> Layout::evaluate(const IntTuple &coord) const {
  Result<IntTuple> natural = naturalCoordinate(coord, shapeTuple);
  if (!natural)
    return Result<int64_t>::failure(natural.error());
  return crd2idx(*natural, shapeTuple, strideTuple);
}

int64_t Layout::cosize() const {
  int64_t span = 1;
  for (auto [extent, stride] : flattened())
    span += (extent - 1) * (stride < 0 && extent > 1 ? -stride : stride);
  return span;
}

Layout Layout::mode(size_t i) const {
  return Layout(shapeTuple[i], strideTuple[i]);
}

std::vector<Layout::FlatMode> Layout::flattened() const {
  std::vector<int64_t> extents = shapeTuple.leaves();
  std::vector<int64_t> strides = strideTuple.leaves();
  std::vector<FlatMode> modes;
  modes.reserve(extents.size());
  for (size_t i = 0; i < extents.size(); ++i)
    modes.push_back({extents[i], strides[i]});
  return modes;
}

std::vector<Layout::FlatMode> Layout::coalescedModes() const {
  std::vector<FlatMode> result;
  for (auto [extent, stride] : flattened()) {
    if (extent == 1)
      continue;
    int64_t next;
    if (!result.empty() &&
        !__builtin_mul_overflow(result.back().first, result.back().second,
                                &next) &&
        next == stride)
      result.back().first *= extent;
    else
      result.push_back({extent, stride});
  }
  return result;
}

size_t Layout::hash() const {
  return shapeTuple.hash() * 31 + strideTuple.hash();
}

//===----------------------------------------------------------------------===//
// The layout as a function
//===----------------------------------------------------------------------===//

bool Layout::isEquivalent(const Layout &other) const {
  return coalescedModes() == other.coalescedModes();
}

namespace {
/// Two coordinates share a value when their difference, digit by digit from
/// -(extent-1) to extent-1, has inner product 0 with the strides. The search
/// takes the modes from the greatest stride down and leaves a branch when the
/// modes below cannot bring the sum back to 0.
class DifferenceSearch {
public:
  /// @pre extents above 1, strides positive.
  explicit DifferenceSearch(std::vector<Layout::FlatMode> flat)
      : modes(std::move(flat)), reach(1, 0), divisor(1, 0) {
    std::sort(modes.begin(), modes.end(),
              [](const Layout::FlatMode &a, const Layout::FlatMode &b) {
                return a.second < b.second;
              });
    for (auto [extent, stride] : modes) {
      reach.push_back(reach.back() + (extent - 1) * stride);
      divisor.push_back(std::gcd(divisor.back(), stride));
    }
  }

  /// Whether some difference other than 0 has inner product 0. Its sign is
  /// free, so the digit of its greatest stride is taken positive.
  bool find() const {
    for (size_t top = 0; top < modes.size(); ++top) {
      auto [extent, stride] = modes[top];
      int64_t last = std::min(extent - 1, reach[top] / stride);
      for (int64_t digit = 1; digit <= last; ++digit)
        if (canCancel(top, digit * stride))
          return true;
    }
    return false;
  }

private:
  /// Whether differences of modes 0 ... count-1 sum to `target`, which is in
  /// [-reach, reach]; the sign does not matter.
  bool canCancel(size_t count, int64_t target) const {
    if (target == 0)
      return true;
    if (count == 0 || target % divisor[count] != 0)
      return false;
    target = std::abs(target);
    auto [extent, stride] = modes[count - 1];
    int64_t below = reach[count - 1];
    // Digits with -below <= target - digit * stride <= below. Both target and
    // below are at most 2^63 - 1, so their sum fits 64 bits without a sign.
    int64_t first = target > below ? (target - below - 1) / stride + 1
                                   : -((below - target) / stride);
    int64_t last = (uint64_t(below) + uint64_t(target)) / uint64_t(stride);
    first = std::max(first, -(extent - 1));
    last = std::min(last, extent - 1);
    for (int64_t digit = first; digit <= last; ++digit)
      if (canCancel(count - 1, target - digit * stride))
        return true;
    return false;
  }

  std::vector<Layout::FlatMode> modes;
  /// The greatest sum of modes 0 ... k-1 is reach[k].
  std::vector<int64_t> reach;
  /// A divisor of each sum of modes 0 ... k-1 is divisor[k].
  std::vector<int64_t> divisor;
};
} // namespace

bool Layout::isInjective() const {
  // More coordinates than integers in the span: two share one.
  if (size() > cosize())
    return false;
  std::vector<FlatMode> modes;
  for (auto [extent, stride] : flattened()) {
    if (extent == 1)
      continue;
    if (stride == 0)
      return false;
    // Reversing a mode shifts all values by a constant.
    modes.push_back({extent, std::abs(stride)});
  }
  return !DifferenceSearch(std::move(modes)).find();
}

bool Layout::isBijection() const {
  for (auto [extent, stride] : flattened())
    if (extent > 1 && stride < 0)
      return false;
  return cosize() == size() && isInjective();
}

std::vector<int64_t> Layout::image() const {
  std::vector<int64_t> values;
  int64_t count = size();
  values.reserve(count);
  for (int64_t i = 0; i < count; ++i)
    values.push_back((*this)(i));
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}
