// RegisterLayout.cpp - a tile spread over the threads of a block
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/RegisterLayout.h"
#include "tile/Layout/RegisterLayoutBuilder.h"

#include "tile/Layout/Print.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>

using namespace tile;

using Modes = RegisterLayout::Modes;

/// Row-major strides of the box.
static std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &box) {
  std::vector<int64_t> strides(box.size(), 1);
  for (size_t dim = box.size(); dim-- > 1;)
    strides[dim - 1] = strides[dim] * box[dim];
  return strides;
}

static int64_t productOf(const Modes &modes) {
  int64_t product = 1;
  for (const RegisterMode &mode : modes)
    product *= mode.extent;
  return product;
}

/// The flat modes of one level as a (shape, stride) pair of tuples.
static std::pair<IntTuple, IntTuple>
toTuples(const Modes &modes, const std::vector<int64_t> &strides) {
  auto strideOf = [&](const RegisterMode &mode) {
    return mode.dim < 0 ? 0 : mode.step * strides[mode.dim];
  };
  if (modes.empty())
    return {IntTuple(1), IntTuple(0)};
  if (modes.size() == 1)
    return {IntTuple(modes[0].extent), IntTuple(strideOf(modes[0]))};
  std::vector<IntTuple> shape, stride;
  for (const RegisterMode &mode : modes) {
    shape.push_back(IntTuple(mode.extent));
    stride.push_back(IntTuple(strideOf(mode)));
  }
  return {IntTuple(shape), IntTuple(stride)};
}

/// Whether the digits of one dimension cover its extent exactly: their steps
/// are 1, e0, e0*e1, ..., and the last step times the last extent is `extent`.
static bool countsExactly(std::vector<RegisterMode> digits, int64_t extent) {
  std::sort(digits.begin(), digits.end(),
            [](const RegisterMode &a, const RegisterMode &b) {
              return a.step < b.step;
            });
  int64_t next = 1;
  for (const RegisterMode &digit : digits) {
    if (digit.step != next)
      return false;
    next *= digit.extent;
  }
  return next == extent;
}

Result<RegisterLayout> RegisterLayout::get(const Layout &layout,
                                           std::vector<int64_t> box) {
  using Failure = Result<RegisterLayout>;
  if (layout.rank() != 3)
    return Failure::failure("expected a layout of 3 modes (lane, warp, value), "
                            "got " +
                            toString(layout));
  // A box is a tile's shape rounded up, and may have more than 2^31 elements.
  int64_t elements = 1;
  for (int64_t extent : box)
    if (extent <= 0 || __builtin_mul_overflow(elements, extent, &elements))
      return Failure::failure(
          "expected a box of positive extents and fewer than 2^63 elements");
  if (layout.mode(0).size() != kWarpSize)
    return Failure::failure("expected a first mode of 32 lanes, got " +
                            std::to_string(layout.mode(0).size()));
  if (layout.mode(1).size() > 32)
    return Failure::failure("expected at most 32 warps, got " +
                            std::to_string(layout.mode(1).size()));

  std::vector<int64_t> strides = rowMajorStrides(box);
  std::array<Modes, 3> modes;
  std::vector<std::vector<RegisterMode>> digits(box.size());
  for (int level = 0; level < 3; ++level) {
    for (auto [extent, stride] : layout.mode(level).flattened()) {
      if (extent == 1)
        continue;
      if (stride == 0) {
        if (level == kValue)
          return Failure::failure("expected values of a thread that differ, "
                                  "got a value mode of stride 0");
        modes[level].push_back({extent, -1, 0});
        continue;
      }
      size_t dim = 0;
      while (dim < box.size() &&
             !(stride >= strides[dim] && stride % strides[dim] == 0 &&
               extent <= box[dim] / (stride / strides[dim])))
        ++dim;
      if (dim == box.size())
        return Failure::failure(
            "expected each mode to step inside one dimension of the box, got " +
            std::to_string(extent) + ":" + std::to_string(stride));
      RegisterMode mode{extent, static_cast<int64_t>(dim),
                        stride / strides[dim]};
      modes[level].push_back(mode);
      digits[dim].push_back(mode);
    }
  }
  for (size_t dim = 0; dim < box.size(); ++dim)
    if (!countsExactly(digits[dim], box[dim]))
      return Failure::failure("expected the modes of dimension " +
                              std::to_string(dim) + " to cover its extent " +
                              std::to_string(box[dim]) + " exactly once");
  return RegisterLayout(layout, std::move(box), std::move(modes));
}

RegisterLayout RegisterLayout::fromModes(Modes lane, Modes warp, Modes value,
                                         std::vector<int64_t> box) {
  std::vector<int64_t> strides = rowMajorStrides(box);
  std::vector<IntTuple> shapes, steps;
  for (Modes *level : {&lane, &warp, &value}) {
    level->erase(
        std::remove_if(level->begin(), level->end(),
                       [](const RegisterMode &m) { return m.extent == 1; }),
        level->end());
    auto [shape, stride] = toTuples(*level, strides);
    shapes.push_back(shape);
    steps.push_back(stride);
  }
  Result<Layout> layout = Layout::get(IntTuple(shapes), IntTuple(steps));
  assert(layout && "digits of a register layout make a layout");
  Result<RegisterLayout> result = get(*layout, std::move(box));
  assert(result && "digits of a register layout cover its box");
  return *result;
}

RegisterLayout RegisterLayout::blocked(const std::vector<int64_t> &shape,
                                       int64_t vector, int64_t numWarps,
                                       std::vector<int64_t> order) {
  int64_t rank = shape.size();
  if (order.empty())
    for (int64_t dim = rank; dim-- > 0;)
      order.push_back(dim);
  RegisterLayoutBuilder builder(rank);
  if (rank > 0)
    builder.add(kValue, order[0], vector);
  builder.spread(order, shape, kWarpSize, numWarps);
  return builder.build();
}

RegisterLayout RegisterLayout::ordered(const std::vector<int64_t> &shape,
                                       int64_t dim, int64_t numWarps) {
  std::vector<int64_t> order = {dim};
  int64_t rows = 1;
  for (int64_t other = shape.size(); other-- > 0;) {
    if (other == dim)
      continue;
    order.push_back(other);
    rows *= shape[other];
  }
  int64_t threads = 1;
  while (2 * threads * rows <= numWarps * kWarpSize && threads < shape[dim])
    threads *= 2;
  int64_t run = (shape[dim] + threads - 1) / threads;
  RegisterLayout layout = blocked(shape, run, numWarps, order);
  // Warps that are no power of two may be fewer along the dimension.
  while (!layout.isOrdered(dim))
    layout = blocked(shape, ++run, numWarps, order);
  return layout;
}

int64_t RegisterLayout::getNumWarps() const { return productOf(modes[kWarp]); }
int64_t RegisterLayout::getNumValues() const {
  return productOf(modes[kValue]);
}

std::vector<int64_t> RegisterLayout::coordinate(int64_t lane, int64_t warp,
                                                int64_t value) const {
  std::vector<int64_t> result(box.size(), 0);
  int64_t indices[3] = {lane, warp, value};
  for (int level = 0; level < 3; ++level)
    for (const RegisterMode &mode : modes[level]) {
      if (mode.dim >= 0)
        result[mode.dim] += indices[level] % mode.extent * mode.step;
      indices[level] /= mode.extent;
    }
  return result;
}

int64_t RegisterLayout::getContiguity(int64_t dim) const {
  int64_t run = 1;
  for (const RegisterMode &mode : modes[kValue]) {
    if (mode.dim != dim || mode.step != run)
      break;
    run *= mode.extent;
  }
  return run;
}

int64_t RegisterLayout::getExtent(Level level, int64_t dim) const {
  int64_t extent = 1;
  for (const RegisterMode &mode : modes[level])
    if (mode.dim == dim)
      extent *= mode.extent;
  return extent;
}

bool RegisterLayout::isOrdered(int64_t dim) const {
  int64_t last = 0;
  for (Level level : {kValue, kLane, kWarp}) {
    int64_t count = 0;
    for (const RegisterMode &mode : modes[level]) {
      if (mode.dim != dim)
        continue;
      if (mode.step <= last || (level != kValue && ++count > 1))
        return false;
      last = mode.step;
    }
  }
  return true;
}

int64_t RegisterLayout::getReplication(Level level) const {
  return getExtent(level, -1);
}

RegisterLayout
RegisterLayout::transpose(const std::vector<int64_t> &permutation) const {
  std::vector<int64_t> newBox(box.size()), newDim(box.size());
  for (size_t dim = 0; dim < permutation.size(); ++dim) {
    newBox[dim] = box[permutation[dim]];
    newDim[permutation[dim]] = dim;
  }
  std::array<Modes, 3> renamed = modes;
  for (Modes &level : renamed)
    for (RegisterMode &mode : level)
      if (mode.dim >= 0)
        mode.dim = newDim[mode.dim];
  return fromModes(renamed[0], renamed[1], renamed[2], newBox);
}

RegisterLayout RegisterLayout::squeezeDimension(int64_t dim) const {
  std::array<Modes, 3> kept;
  for (int level = 0; level < 3; ++level)
    for (RegisterMode mode : modes[level]) {
      if (mode.dim == dim) {
        if (level == kValue)
          continue;
        mode = {mode.extent, -1, 0};
      }
      kept[level].push_back(mode);
    }
  std::vector<int64_t> newBox = box;
  newBox[dim] = 1;
  return fromModes(kept[0], kept[1], kept[2], newBox);
}

RegisterLayout RegisterLayout::dropDimension(int64_t dim) const {
  RegisterLayout squeezed = squeezeDimension(dim);
  std::array<Modes, 3> renamed = squeezed.modes;
  for (Modes &level : renamed)
    for (RegisterMode &mode : level)
      if (mode.dim > dim)
        --mode.dim;
  std::vector<int64_t> newBox = box;
  newBox.erase(newBox.begin() + dim);
  return fromModes(renamed[0], renamed[1], renamed[2], newBox);
}

RegisterLayout RegisterLayout::insertDimension(int64_t dim) const {
  std::array<Modes, 3> renamed = modes;
  for (Modes &level : renamed)
    for (RegisterMode &mode : level)
      if (mode.dim >= dim)
        ++mode.dim;
  std::vector<int64_t> newBox = box;
  newBox.insert(newBox.begin() + dim, 1);
  return fromModes(renamed[0], renamed[1], renamed[2], newBox);
}

int64_t RegisterLayout::getPeriod(int64_t dim) const {
  int64_t period = 1;
  for (Level level : {kLane, kWarp})
    for (const RegisterMode &mode : modes[level])
      if (mode.dim == dim)
        period = std::max(period, mode.step * mode.extent);
  return period;
}

/// Whether consecutive values of a thread are adjacent elements.
static bool hasNeighbours(const Modes &values) {
  return !values.empty() && values.front().step == 1;
}

RegisterLayout RegisterLayout::resizeDimension(int64_t dim,
                                               int64_t extent) const {
  int64_t period = getPeriod(dim);
  RegisterMode periods = {(extent + period - 1) / period, dim, period};
  auto countsPeriods = [&](const RegisterMode &mode) {
    return mode.dim == dim && mode.step >= period;
  };
  // The digits that count periods become one, at the position of the first.
  Modes values = modes[kValue];
  auto first = std::find_if(values.begin(), values.end(), countsPeriods);
  size_t position = first - values.begin();
  if (first == values.end() && period == 1 && !hasNeighbours(values))
    position = 0;
  values.erase(std::remove_if(first, values.end(), countsPeriods),
               values.end());
  values.insert(values.begin() + position, periods);
  std::vector<int64_t> newBox = box;
  newBox[dim] = periods.extent * period;
  return fromModes(modes[kLane], modes[kWarp], values, newBox);
}

/// Cuts a digit of row-major indices into digits along dimensions, fastest
/// first; false if one would not step inside a dimension.
static bool cutDigit(int64_t extent, int64_t stride,
                     const std::vector<int64_t> &shape, Modes &cut) {
  std::vector<int64_t> strides = rowMajorStrides(shape);
  for (size_t dim = shape.size(); extent > 1 && dim-- > 0;) {
    if (stride >= strides[dim] * shape[dim])
      continue;
    if (stride % strides[dim] != 0 || shape[dim] % (stride / strides[dim]) != 0)
      return false;
    int64_t left = shape[dim] / (stride / strides[dim]);
    int64_t taken = std::min(extent, left);
    if (left % taken != 0 || extent % taken != 0)
      return false;
    cut.push_back({taken, static_cast<int64_t>(dim), stride / strides[dim]});
    extent /= taken;
    stride *= taken;
  }
  return true;
}

/// Merges adjacent digits that are parts of one digit.
static Modes mergeDigits(const Modes &digits) {
  Modes merged;
  for (const RegisterMode &mode : digits) {
    if (!merged.empty() && merged.back().dim == mode.dim &&
        (mode.dim < 0 ||
         merged.back().step * merged.back().extent == mode.step))
      merged.back().extent *= mode.extent;
    else
      merged.push_back(mode);
  }
  return merged;
}

std::optional<RegisterLayout>
RegisterLayout::reshape(const std::vector<int64_t> &shape) const {
  std::vector<int64_t> strides = rowMajorStrides(box);
  std::array<Modes, 3> cut;
  for (int level = 0; level < 3; ++level)
    for (const RegisterMode &mode : modes[level])
      if (mode.dim < 0)
        cut[level].push_back(mode);
      else if (!cutDigit(mode.extent, mode.step * strides[mode.dim], shape,
                         cut[level]))
        return std::nullopt;
  return fromModes(mergeDigits(cut[0]), mergeDigits(cut[1]),
                   mergeDigits(cut[2]), shape);
}

std::optional<std::vector<int64_t>>
RegisterLayout::findValues(const RegisterLayout &other) const {
  if (getRank() != other.getRank() || getNumWarps() != other.getNumWarps())
    return std::nullopt;
  // A coordinate is the thread's plus the value's.
  for (int64_t warp = 0; warp < getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < kWarpSize; ++lane)
      if (coordinate(lane, warp, 0) != other.coordinate(lane, warp, 0))
        return std::nullopt;
  std::map<std::vector<int64_t>, int64_t> values;
  for (int64_t value = 0; value < getNumValues(); ++value)
    values.try_emplace(valueOffset(value), value);
  std::vector<int64_t> found;
  for (int64_t value = 0; value < other.getNumValues(); ++value) {
    auto it = values.find(other.valueOffset(value));
    if (it == values.end())
      return std::nullopt;
    found.push_back(it->second);
  }
  return found;
}

bool RegisterLayout::isEquivalent(const RegisterLayout &other) const {
  // Layouts that are equal as functions may split their digits differently, so
  // the digits are merged before they are compared.
  if (box != other.box)
    return false;
  for (int level = 0; level < 3; ++level)
    if (mergeDigits(modes[level]) != mergeDigits(other.modes[level]))
      return false;
  return true;
}
