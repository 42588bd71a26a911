// Compose.cpp - one layout after another
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Composition in three steps. For A o B,
//
// 1. each integer s:d of B on its own: A at 0, d, 2d, ... must be a layout of
//    size s. Closed form: divide d out of A's extents from the left, then take
//    s elements; every division must be exact, except that what ends inside one
//    mode of A may end anywhere. Where that fails, values decide: the coalesced
//    modes of a function are determined by it, so they are read off from the
//    left, and the first value that fits none is the counter-example;
// 2. together: A(x + y) = A(x) + A(y) for the values x, y of different integers
//    of B. Closed form: their digits in A's extents never carry;
// 3. where 1 or 2 is not settled in closed form, all coordinates are compared.
//
// So a B that overlaps itself, or an A without divisibility, is accepted
// exactly where the answer is right.

#include "tile/Layout/Compose.h"

#include "FlatModes.h"

#include "tile/Layout/Print.h"

#include <optional>

using namespace tile;

namespace {
/// Composes the left layout with each mode of the right layout, and records
/// whether all coordinates must be compared afterwards.
class Composer {
public:
  Composer(const Layout &left, const Layout &right);

  Result<Layout> run();

private:
  /// The left layout at `index`, its last mode unbounded; nothing on overflow.
  std::optional<int64_t> evaluateLeft(int64_t index) const {
    return evaluateUnbounded(leftModes, index);
  }

  /// Step 1 of the file's head for each integer of the right layout.
  Result<std::pair<IntTuple, IntTuple>> composeTuple(const IntTuple &shape,
                                                     const IntTuple &stride);
  Result<FlatModes> composeLeaf(int64_t extent, int64_t stride);
  std::optional<FlatModes> divideLeaf(int64_t extent, int64_t stride);
  Result<FlatModes> recognizeLeaf(int64_t extent, int64_t stride) const;
  /// Step 3 of the file's head.
  Result<Layout> checkValues(Layout candidate) const;

  std::string failAt(const std::string &coordinate, const std::string &right,
                     int64_t expected, const std::string &candidate,
                     std::optional<int64_t> value) const;

  const Layout &left;
  const Layout &right;
  /// The left layout, coalesced except for a last mode of extent 1, which
  /// determines its values beyond its size.
  FlatModes leftModes;
  /// The sum, for each mode of leftModes, of the greatest digits that the
  /// integers of the right layout have in that mode.
  std::vector<int64_t> digitSums;
  /// Number of integers of the right layout of extent above 1 and stride above
  /// 0.
  int numLeaves = 0;
  /// Whether each of these integers was decided in closed form.
  bool isClosedForm = true;
};
} // namespace

Composer::Composer(const Layout &left, const Layout &right)
    : left(left), right(right) {
  FlatModes flat = left.flattened();
  for (size_t i = 0; i < flat.size(); ++i)
    if (flat[i].first != 1 || i + 1 == flat.size())
      appendCoalesced(leftModes, flat[i]);
  digitSums.assign(leftModes.size(), 0);
}

std::string Composer::failAt(const std::string &coordinate,
                             const std::string &right, int64_t expected,
                             const std::string &candidate,
                             std::optional<int64_t> value) const {
  return "composition is not a layout: at coordinate " + coordinate + " of " +
         right + " the left layout " + toString(left) + " gives " +
         std::to_string(expected) + ", the candidate " + candidate + " gives " +
         (value ? std::to_string(*value) : "more than 64 bits");
}

/// Returns the modes of step 1 in closed form; nothing if a division is not
/// exact. Records the digits.
std::optional<FlatModes> Composer::divideLeaf(int64_t extent, int64_t stride) {
  FlatModes result;
  std::vector<int64_t> digits(leftModes.size(), 0);
  auto noteDigits = [&] {
    for (size_t i = 0; i < digits.size(); ++i)
      digitSums[i] = add(digitSums[i], digits[i]).value_or(INT64_MAX);
  };
  auto take = [&](size_t i, int64_t count) {
    std::optional<int64_t> step = multiply(leftModes[i].second, stride);
    if (step)
      appendCoalesced(result, {count, *step});
    return step.has_value();
  };
  // `stride` is the factor still to be divided out, `extent` the number of
  // elements still to be taken.
  for (size_t i = 0; i + 1 < leftModes.size(); ++i) {
    int64_t available = leftModes[i].first;
    if (stride % available == 0) {
      stride /= available;
      continue;
    }
    // All that is left lies inside this mode.
    if (extent - 1 <= (available - 1) / stride) {
      if (!take(i, extent))
        return std::nullopt;
      digits[i] = (extent - 1) * stride;
      noteDigits();
      return result;
    }
    if (available % stride != 0 || extent % (available / stride) != 0)
      return std::nullopt;
    int64_t count = available / stride;
    if (!take(i, count))
      return std::nullopt;
    digits[i] = available - stride;
    extent /= count;
    stride = 1;
  }
  if (!take(leftModes.size() - 1, extent))
    return std::nullopt;
  noteDigits();
  return result;
}

/// Returns the modes of step 1 read off from the values, which are enumerated.
Result<FlatModes> Composer::recognizeLeaf(int64_t extent,
                                          int64_t stride) const {
  FlatModes modes;
  // Invariant: the modes are right for indices below `done`, which divides
  // extent, and any coalesced layout of the function starts with them.
  for (int64_t done = 1; done < extent;) {
    std::optional<int64_t> step = evaluateLeft(done * stride);
    if (!step)
      return Result<FlatModes>::failure(
          "composition overflows 64 bits: " + toString(left) + " at " +
          std::to_string(done * stride));
    FlatModes candidate = modes;
    candidate.push_back({extent / done, *step});
    int64_t next = extent;
    for (int64_t i = done; i < extent; ++i) {
      std::optional<int64_t> expected = evaluateLeft(i * stride);
      if (!expected)
        return Result<FlatModes>::failure(
            "composition overflows 64 bits: " + toString(left) + " at " +
            std::to_string(i * stride));
      std::optional<int64_t> value = evaluateUnbounded(candidate, i);
      if (value == expected)
        continue;
      // The mode can only end here, and its extent must be whole.
      if (i % done != 0 || extent % i != 0) {
        auto [shape, strides] = toTuples(candidate);
        return Result<FlatModes>::failure(failAt(
            std::to_string(i),
            std::to_string(extent) + ":" + std::to_string(stride), *expected,
            toString(shape) + ":" + toString(strides), value));
      }
      next = i;
      break;
    }
    modes.push_back({next / done, *step});
    done = next;
  }
  return modes;
}

Result<FlatModes> Composer::composeLeaf(int64_t extent, int64_t stride) {
  if (extent == 1 || stride == 0)
    return FlatModes{{extent, 0}};
  if (stride < 0)
    return Result<FlatModes>::failure(
        "expected a right layout without negative values, got the mode " +
        std::to_string(extent) + ":" + std::to_string(stride) + " in " +
        toString(right));
  ++numLeaves;
  if (std::optional<FlatModes> modes = divideLeaf(extent, stride))
    return *std::move(modes);
  isClosedForm = false;
  if (extent > kMaxEnumeration)
    return Result<FlatModes>::failure(
        "composition is not decided: the extent " + std::to_string(extent) +
        " does not divide the left layout " + toString(left) +
        " and is too large to enumerate");
  return recognizeLeaf(extent, stride);
}

Result<std::pair<IntTuple, IntTuple>>
Composer::composeTuple(const IntTuple &shape, const IntTuple &stride) {
  using Tuples = Result<std::pair<IntTuple, IntTuple>>;
  if (shape.isLeaf()) {
    Result<FlatModes> modes = composeLeaf(shape.value(), stride.value());
    if (!modes)
      return Tuples::failure(modes.error());
    return toTuples(*modes);
  }
  std::vector<IntTuple> shapes, strides;
  for (size_t i = 0; i < shape.size(); ++i) {
    Tuples element = composeTuple(shape[i], stride[i]);
    if (!element)
      return element;
    shapes.push_back(std::move(element->first));
    strides.push_back(std::move(element->second));
  }
  return std::make_pair(IntTuple(std::move(shapes)),
                        IntTuple(std::move(strides)));
}

Result<Layout> Composer::checkValues(Layout candidate) const {
  if (right.size() > kMaxEnumeration)
    return Result<Layout>::failure(
        "composition is not decided: the modes of " + toString(right) +
        " carry into one another in " + toString(left) +
        " and are too many to enumerate");
  for (int64_t i = 0; i < right.size(); ++i) {
    std::optional<int64_t> expected = evaluateLeft(right(i));
    if (!expected)
      return Result<Layout>::failure(
          "composition overflows 64 bits: " + toString(left) + " at " +
          std::to_string(right(i)));
    if (*expected != candidate(i))
      return Result<Layout>::failure(failAt(toString(idx2crd(i, right.shape())),
                                            toString(right), *expected,
                                            toString(candidate), candidate(i)));
  }
  return candidate;
}

Result<Layout> Composer::run() {
  Result<std::pair<IntTuple, IntTuple>> tuples =
      composeTuple(right.shape(), right.stride());
  if (!tuples)
    return Result<Layout>::failure(tuples.error());
  Result<Layout> candidate =
      Layout::get(std::move(tuples->first), std::move(tuples->second));
  if (!candidate || numLeaves <= 1)
    return candidate;
  bool carries = false;
  for (size_t i = 0; i + 1 < leftModes.size(); ++i)
    carries |= digitSums[i] >= leftModes[i].first;
  if (isClosedForm && !carries)
    return candidate;
  return checkValues(*std::move(candidate));
}

Result<Layout> tile::compose(const Layout &left, const Layout &right) {
  return Composer(left, right).run();
}

Result<Layout> tile::compose(const Layout &left, const Tiler &tiler) {
  return applyByMode(left, tiler, ModesWithoutTiler::kDrop, compose);
}
