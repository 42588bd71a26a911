// AllLayouts.h - generates every small layout, for tests of post-conditions
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A post-condition is tested on all layouts of a few extents and strides, flat
// and nested, not on a few chosen ones. The functions here list these layouts,
// and evaluate layouts in the plainest way, without the library's own
// evaluation.

#ifndef TILE_TEST_UNIT_LAYOUT_ALLLAYOUTS_H
#define TILE_TEST_UNIT_LAYOUT_ALLLAYOUTS_H

#include "tile/Layout/Layout.h"
#include "tile/Layout/Print.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace tile {

/// Lets gtest name layouts and tuples in failures.
inline void PrintTo(const Layout &layout, std::ostream *os) {
  *os << toString(layout);
}
inline void PrintTo(const IntTuple &tuple, std::ostream *os) {
  *os << toString(tuple);
}

namespace test {

using FlatModes = std::vector<Layout::FlatMode>;

inline const std::vector<int64_t> kExtents = {1, 2, 3, 4, 6};
inline const std::vector<int64_t> kStrides = {0, 1, 2, 3, 4, 5, 6, 8, 12};

/// Returns the layout or tuple of a text, which must be valid.
inline Layout layout(std::string_view text) {
  Result<Layout> result = parseLayout(text);
  EXPECT_TRUE(result) << text;
  return result ? *result : *parseLayout("1:0");
}
inline IntTuple tuple(std::string_view text) {
  Result<IntTuple> result = parseIntTuple(text);
  EXPECT_TRUE(result) << text;
  return result ? *result : IntTuple(-1);
}

/// Returns a result's value as text, or its error message.
template <class T>
std::string text(const Result<T> &result) {
  return result ? toString(*result) : result.error();
}

/// Returns a tiler that is a list of layouts, given as texts.
inline Tiler tiler(const std::vector<std::string_view> &texts) {
  std::vector<Tiler> elements;
  for (std::string_view text : texts)
    elements.push_back(layout(text));
  return Tiler::list(std::move(elements));
}

/// Returns the flat layout with these modes. The shape of a layout with one
/// mode is an integer.
inline Layout flatLayout(const FlatModes &modes) {
  std::vector<IntTuple> extents, strides;
  for (auto [extent, stride] : modes) {
    extents.push_back(extent);
    strides.push_back(stride);
  }
  if (modes.size() == 1)
    return *Layout::get(extents[0], strides[0]);
  return *Layout::get(IntTuple(extents), IntTuple(strides));
}

/// Returns all flat layouts of rank `rank` over the extents and strides.
inline std::vector<Layout> allLayouts(size_t rank,
                                      const std::vector<int64_t> &extents,
                                      const std::vector<int64_t> &strides) {
  std::vector<Layout> result;
  FlatModes modes(rank);
  std::function<void(size_t)> fill = [&](size_t i) {
    if (i == rank) {
      result.push_back(flatLayout(modes));
      return;
    }
    for (int64_t extent : extents)
      for (int64_t stride : strides) {
        modes[i] = {extent, stride};
        fill(i + 1);
      }
  };
  fill(0);
  return result;
}

/// Returns ((a,b),c) and (a,(b,c)) for each layout (a,b,c), and (((a),b),c) for
/// some.
inline std::vector<Layout> nested(const std::vector<Layout> &flat) {
  std::vector<Layout> result;
  auto pair = [](const Layout &a, const Layout &b) {
    return *concatenate({a, b});
  };
  for (size_t i = 0; i < flat.size(); ++i) {
    Layout a = flat[i].mode(0), b = flat[i].mode(1), c = flat[i].mode(2);
    result.push_back(pair(pair(a, b), c));
    result.push_back(pair(a, pair(b, c)));
    if (i % 7 == 0)
      result.push_back(pair(pair(*concatenate({a}), b), c));
  }
  return result;
}

/// Returns all flat layouts up to rank 3 over kExtents and kStrides, and nested
/// ones over fewer strides: about 110 000.
inline const std::vector<Layout> &manyLayouts() {
  static const std::vector<Layout> layouts = [] {
    std::vector<Layout> result;
    auto append = [&](const std::vector<Layout> &more) {
      result.insert(result.end(), more.begin(), more.end());
    };
    for (size_t rank = 1; rank <= 3; ++rank)
      append(allLayouts(rank, kExtents, kStrides));
    append(nested(allLayouts(3, {1, 2, 3}, {0, 1, 2, 3, 4, 6})));
    append(nested(allLayouts(3, {2, 4}, {-2, -1, 1, 8})));
    return result;
  }();
  return layouts;
}

/// Returns the value at `index`, digit by digit over the flat modes. With
/// `isUnbounded` the last mode continues beyond the size.
inline int64_t valueAt(const Layout &layout, int64_t index,
                       bool isUnbounded = false) {
  int64_t sum = 0;
  FlatModes modes = layout.flattened();
  for (size_t i = 0; i < modes.size(); ++i) {
    bool keep = isUnbounded && i + 1 == modes.size();
    sum += (keep ? index : index % modes[i].first) * modes[i].second;
    index /= modes[i].first;
  }
  return sum;
}

/// Returns all values in the order of the index.
inline std::vector<int64_t> valuesOf(const Layout &layout) {
  FlatModes modes = layout.flattened();
  std::vector<int64_t> values = {0};
  for (auto [extent, stride] : modes) {
    size_t count = values.size();
    for (int64_t digit = 1; digit < extent; ++digit)
      for (size_t i = 0; i < count; ++i)
        values.push_back(values[i] + digit * stride);
  }
  return values;
}

/// Whether no two adjacent modes of a flat layout can be joined.
inline bool isShortest(const Layout &layout) {
  FlatModes modes = layout.flattened();
  if (modes.size() == 1)
    return modes[0].first > 1 || modes[0].second == 0;
  for (size_t i = 0; i < modes.size(); ++i)
    if (modes[i].first == 1 ||
        (i > 0 && modes[i].second == modes[i - 1].first * modes[i - 1].second))
      return false;
  return true;
}

/// Pseudo-random values that are the same in every run (Knuth's MMIX linear
/// congruential generator, upper bits).
class Sequence {
public:
  explicit Sequence(uint64_t seed) : state(seed) {}
  /// Returns a value from 0 to `bound` - 1.
  uint64_t next(uint64_t bound) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % bound;
  }

private:
  uint64_t state;
};

} // namespace test
} // namespace tile

#endif // TILE_TEST_UNIT_LAYOUT_ALLLAYOUTS_H
