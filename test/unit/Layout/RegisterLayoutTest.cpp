// RegisterLayoutTest.cpp - tests post-conditions over many shapes, also odd
// ones
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/RegisterLayout.h"
#include "tile/Layout/Chunks.h"

#include "gtest/gtest.h"

#include <map>
#include <set>

using namespace tile;

namespace {

using Shape = std::vector<int64_t>;

/// Calls `visit` with blocked layouts of many shapes, vector sizes and warp
/// counts.
template <typename Visit>
void forEachLayout(Visit visit) {
  const std::vector<Shape> shapes = {
      {},        {1},       {5},       {32},        {100},    {1, 1},
      {6, 18},   {17, 3},   {1, 40},   {64, 1},     {64, 64}, {33, 31},
      {3, 5, 7}, {2, 1, 9}, {4, 8, 8}, {2, 3, 5, 7}};
  for (const Shape &shape : shapes)
    for (int64_t warps : {1, 2, 3, 4, 7, 8})
      for (int64_t vector : {1, 2, 8})
        visit(shape, RegisterLayout::blocked(shape, vector, warps));
}

/// Returns the coordinates of the values of one lane of one warp, in order.
std::vector<Shape> valuesOf(const RegisterLayout &layout, int64_t lane,
                            int64_t warp) {
  std::vector<Shape> values;
  for (int64_t value = 0; value < layout.getNumValues(); ++value)
    values.push_back(layout.coordinate(lane, warp, value));
  return values;
}

template <typename Visit>
void forEachThread(const RegisterLayout &layout, Visit visit) {
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < kWarpSize; ++lane)
      visit(lane, warp);
}

int64_t productOf(const Shape &shape) {
  int64_t product = 1;
  for (int64_t extent : shape)
    product *= extent;
  return product;
}

// Every element of the box is held once per replica.
TEST(RegisterLayout, HoldsEachElementOnceAReplica) {
  forEachLayout([](const Shape &, const RegisterLayout &layout) {
    std::map<Shape, int64_t> held;
    forEachThread(layout, [&](int64_t lane, int64_t warp) {
      for (const Shape &at : valuesOf(layout, lane, warp))
        ++held[at];
    });
    int64_t replicas = layout.getReplication(RegisterLayout::kLane) *
                       layout.getReplication(RegisterLayout::kWarp);
    EXPECT_EQ(static_cast<int64_t>(held.size()), productOf(layout.getBox()));
    for (auto &[at, count] : held) {
      EXPECT_EQ(count, replicas);
      for (size_t dim = 0; dim < at.size(); ++dim)
        EXPECT_LT(at[dim], layout.getBox()[dim]);
    }
  });
}

// A blocked layout covers the shape with the requested count of warps.
TEST(RegisterLayout, BlockedCoversTheShape) {
  for (int64_t warps : {1, 2, 3, 6})
    for (const Shape &shape : {Shape{5, 7}, Shape{64, 64}, Shape{1, 130}}) {
      RegisterLayout layout = RegisterLayout::blocked(shape, 4, warps);
      EXPECT_EQ(layout.getNumWarps(), warps);
      for (size_t dim = 0; dim < shape.size(); ++dim)
        EXPECT_GE(layout.getBox()[dim], shape[dim]);
      EXPECT_GE(layout.getContiguity(shape.size() - 1), 4);
    }
}

// Lanes follow the given order of dimensions, fastest first.
TEST(RegisterLayout, BlockedFollowsTheOrder) {
  RegisterLayout columns = RegisterLayout::blocked({32, 8}, 1, 1, {0, 1});
  EXPECT_EQ(columns.coordinate(1, 0, 0), (Shape{1, 0}));
  RegisterLayout rows = RegisterLayout::blocked({32, 8}, 1, 1, {1, 0});
  EXPECT_EQ(rows.coordinate(1, 0, 0), (Shape{0, 1}));
}

/// Checks that the elements of each row along a dimension are visited in order.
/// Only the first replica of an element counts.
class RowOrder {
public:
  explicit RowOrder(size_t dim) : dim(dim) {}

  /// Whether `at` was visited before, or comes after all visited elements of
  /// its row.
  bool visit(Shape at) {
    if (!visited.insert(at).second)
      return true;
    int64_t along = std::exchange(at[dim], 0);
    auto [entry, isFirst] = last.try_emplace(at, along);
    if (!isFirst && along <= entry->second)
      return false;
    entry->second = along;
    return true;
  }

private:
  size_t dim;
  std::set<Shape> visited;
  std::map<Shape, int64_t> last;
};

/// Whether the elements of each row along `dim` are in the order of warps,
/// lanes and values.
bool isInOrder(const RegisterLayout &layout, size_t dim) {
  RowOrder order(dim);
  for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
    for (int64_t lane = 0; lane < kWarpSize; ++lane)
      for (int64_t value = 0; value < layout.getNumValues(); ++value)
        if (!order.visit(layout.coordinate(lane, warp, value)))
          return false;
  return true;
}

TEST(RegisterLayout, OrderedIsInOrder) {
  for (const Shape &shape : {Shape{1},
                             {5},
                             {100},
                             {1024},
                             {6, 18},
                             {17, 3},
                             {33, 31},
                             {1, 40},
                             {3, 5, 7},
                             {2, 1, 9},
                             {2, 3, 5, 7}})
    for (int64_t warps : {1, 2, 3, 4, 6, 7})
      for (size_t dim = 0; dim < shape.size(); ++dim) {
        RegisterLayout layout = RegisterLayout::ordered(shape, dim, warps);
        EXPECT_TRUE(layout.isOrdered(dim));
        EXPECT_TRUE(isInOrder(layout, dim));
        for (size_t other = 0; other < shape.size(); ++other)
          EXPECT_GE(layout.getBox()[other], shape[other]);
      }
}

TEST(RegisterLayout, IsOrderedSaysSo) {
  forEachLayout([](const Shape &shape, const RegisterLayout &layout) {
    for (size_t dim = 0; dim < shape.size(); ++dim)
      if (layout.isOrdered(dim))
        EXPECT_TRUE(isInOrder(layout, dim));
  });
  EXPECT_TRUE(RegisterLayout::blocked({128}, 4, 1).isOrdered(0));
  // One thread has elements 0 to 3 and 128 to 131.
  EXPECT_FALSE(RegisterLayout::blocked({256}, 4, 1).isOrdered(0));
}

TEST(RegisterLayout, ChunksAreWhatRepeats) {
  EXPECT_EQ(getNumChunks(RegisterLayout::blocked({512}, 4, 4), 0), 1);
  RegisterLayout two = RegisterLayout::blocked({1024}, 4, 4);
  EXPECT_EQ(getNumChunks(two, 0), 2);
  std::vector<std::vector<int64_t>> runs = getRunsByChunk(two, 0);
  EXPECT_EQ(runs,
            (std::vector<std::vector<int64_t>>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  // A warp's lanes hold every second element, so its elements form no chunk.
  RegisterLayout mixed = *RegisterLayout::get(
      *Layout::get(IntTuple({IntTuple(32), IntTuple(2), IntTuple(1)}),
                   IntTuple({IntTuple(2), IntTuple(1), IntTuple(0)})),
      {64});
  EXPECT_EQ(getNumChunks(mixed, 0), 0);
}

/// The chunks, one after the other, have the elements of a row in order.
TEST(RegisterLayout, ChunksAreInOrder) {
  forEachLayout([](const Shape &shape, const RegisterLayout &layout) {
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int64_t chunks = getNumChunks(layout, dim);
      if (chunks == 0)
        continue;
      RowOrder order(dim);
      std::vector<std::vector<int64_t>> runs = getRunsByChunk(layout, dim);
      size_t rows = runs.size() / chunks;
      for (int64_t chunk = 0; chunk < chunks; ++chunk)
        for (int64_t warp = 0; warp < layout.getNumWarps(); ++warp)
          for (int64_t lane = 0; lane < kWarpSize; ++lane)
            for (size_t row = 0; row < rows; ++row)
              for (int64_t value : runs[chunk * rows + row])
                EXPECT_TRUE(order.visit(layout.coordinate(lane, warp, value)));
    }
  });
}

// coordinate() agrees with the layout as a function.
TEST(RegisterLayout, CoordinateAgreesWithTheLayout) {
  forEachLayout([](const Shape &, const RegisterLayout &layout) {
    const Layout &function = layout.getLayout();
    forEachThread(layout, [&](int64_t lane, int64_t warp) {
      for (int64_t value = 0; value < layout.getNumValues(); ++value) {
        int64_t linear = 0;
        Shape at = layout.coordinate(lane, warp, value);
        for (size_t dim = 0; dim < at.size(); ++dim)
          linear = linear * layout.getBox()[dim] + at[dim];
        EXPECT_EQ(linear, function.mode(0)(lane) + function.mode(1)(warp) +
                              function.mode(2)(value));
      }
    });
  });
}

// get() accepts layouts that fromModes made, and returns the same values.
TEST(RegisterLayout, GetIsTheInverse) {
  forEachLayout([](const Shape &, const RegisterLayout &layout) {
    Result<RegisterLayout> again =
        RegisterLayout::get(layout.getLayout(), layout.getBox());
    ASSERT_TRUE(static_cast<bool>(again));
    EXPECT_TRUE(*again == layout);
    EXPECT_TRUE(again->isEquivalent(layout));
  });
}

// Dimension i of a transposed layout is dimension permutation[i] of the first.
TEST(RegisterLayout, TransposeRenames) {
  RegisterLayout layout = RegisterLayout::blocked({3, 5, 7}, 2, 2);
  RegisterLayout turned = layout.transpose({2, 0, 1});
  forEachThread(layout, [&](int64_t lane, int64_t warp) {
    for (int64_t value = 0; value < layout.getNumValues(); ++value) {
      Shape from = layout.coordinate(lane, warp, value);
      EXPECT_EQ(turned.coordinate(lane, warp, value),
                (Shape{from[2], from[0], from[1]}));
    }
  });
}

// Squeezing keeps, for each thread, the values with the dimension's coordinate
// of its first value, and sets this coordinate to 0.
TEST(RegisterLayout, SqueezeForgetsOneDimension) {
  forEachLayout([](const Shape &shape, const RegisterLayout &layout) {
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      RegisterLayout squeezed = layout.squeezeDimension(dim);
      EXPECT_EQ(squeezed.getBox()[dim], 1);
      forEachThread(layout, [&](int64_t lane, int64_t warp) {
        std::vector<Shape> kept;
        Shape base = layout.coordinate(lane, warp, 0);
        for (Shape at : valuesOf(layout, lane, warp))
          if (at[dim] == base[dim]) {
            at[dim] = 0;
            kept.push_back(at);
          }
        EXPECT_EQ(valuesOf(squeezed, lane, warp), kept);
      });
    }
  });
}

// Dropping is squeezing without the dimension; inserting it again is squeezing.
TEST(RegisterLayout, DropThenInsertIsSqueeze) {
  forEachLayout([](const Shape &shape, const RegisterLayout &layout) {
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      RegisterLayout dropped = layout.dropDimension(dim);
      EXPECT_EQ(dropped.getRank(), layout.getRank() - 1);
      EXPECT_TRUE(dropped.insertDimension(dim).isEquivalent(
          layout.squeezeDimension(dim)));
    }
  });
}

// A thread that holds an element also holds all elements at a multiple of the
// period from it. Resizing a dimension leaves elements in their threads.
TEST(RegisterLayout, ResizeKeepsElementsInTheirThread) {
  forEachLayout([](const Shape &shape, const RegisterLayout &layout) {
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int64_t period = layout.getPeriod(dim);
      ASSERT_EQ(layout.getBox()[dim] % period, 0);
      for (int64_t extent : {int64_t(1), period, shape[dim], 3 * period + 1}) {
        RegisterLayout resized = layout.resizeDimension(dim, extent);
        int64_t box = (extent + period - 1) / period * period;
        EXPECT_EQ(resized.getBox()[dim], box);
        EXPECT_EQ(resized.getPeriod(dim), period);
        forEachThread(layout, [&](int64_t lane, int64_t warp) {
          std::set<Shape> expected;
          for (Shape at : valuesOf(layout, lane, warp))
            for (at[dim] %= period; at[dim] < box; at[dim] += period)
              expected.insert(at);
          std::vector<Shape> values = valuesOf(resized, lane, warp);
          EXPECT_EQ(std::set<Shape>(values.begin(), values.end()), expected);
        });
      }
    }
  });
}

// The modes that count periods are merged at the position of the first one.
TEST(RegisterLayout, ResizeCountsPeriodsOnce) {
  RegisterLayout layout = RegisterLayout::fromModes(
      {{8, 1, 2}, {4, 0, 1}}, {},
      {{2, 1, 1}, {2, 1, 16}, {3, 0, 4}, {2, 1, 32}}, {12, 64});
  RegisterLayout half = RegisterLayout::fromModes(
      {{8, 1, 2}, {4, 0, 1}}, {}, {{2, 1, 1}, {2, 1, 16}, {3, 0, 4}}, {12, 32});
  RegisterLayout twice =
      RegisterLayout::fromModes({{8, 1, 2}, {4, 0, 1}}, {},
                                {{2, 1, 1}, {8, 1, 16}, {3, 0, 4}}, {12, 128});
  EXPECT_EQ(layout.getPeriod(1), 16);
  EXPECT_EQ(layout.getPeriod(0), 4);
  EXPECT_EQ(layout.resizeDimension(1, 32), half);
  EXPECT_EQ(layout.resizeDimension(1, 128), twice);
}

// Returns the row-major index of a coordinate.
int64_t rowMajorIndex(const Shape &coordinates, const Shape &shape) {
  int64_t index = 0;
  for (size_t dim = 0; dim < shape.size(); ++dim)
    index = index * shape[dim] + coordinates[dim];
  return index;
}

TEST(RegisterLayout, ReshapeKeepsIndicesInTheirThread) {
  const std::vector<std::pair<Shape, Shape>> shapes = {
      {{64, 64}, {4096}},          {{1024}, {8, 128}},
      {{4, 1024}, {4, 16, 64, 1}}, {{4, 16, 1, 64}, {4, 8, 8, 16}},
      {{3, 1024}, {3, 4, 256}},    {{2, 3, 32}, {6, 32}},
      {{6, 32}, {3, 64}},          {{64}, {64, 1, 1}}};
  int reshaped = 0;
  for (const auto &[from, to] : shapes)
    for (int64_t warps : {1, 2, 4, 8})
      for (int64_t vector : {1, 2, 8}) {
        auto layout = RegisterLayout::blocked(from, vector, warps);
        if (layout.getBox() != from)
          continue;
        auto result = layout.reshape(to);
        if (!result)
          continue;
        ++reshaped;
        ASSERT_EQ(result->getBox(), to);
        ASSERT_EQ(result->getNumValues(), layout.getNumValues());
        for (int64_t warp = 0; warp < warps; ++warp)
          for (int64_t lane = 0; lane < kWarpSize; ++lane)
            for (int64_t value = 0; value < layout.getNumValues(); ++value)
              ASSERT_EQ(
                  rowMajorIndex(result->coordinate(lane, warp, value), to),
                  rowMajorIndex(layout.coordinate(lane, warp, value), from));
      }
  EXPECT_GT(reshaped, 40);
}

TEST(RegisterLayout, ReshapeCutsNoDigitAcrossDimensions) {
  // Lanes are along 32 of 96 elements; a row of 48 would end within a run of
  // 32.
  auto layout = RegisterLayout::blocked({96}, 1, 1);
  EXPECT_FALSE(layout.reshape({2, 48}));
  EXPECT_TRUE(layout.reshape({3, 32}));
}

TEST(RegisterLayout, EquivalenceIgnoresCuts) {
  Shape box = {32};
  RegisterLayout one = RegisterLayout::fromModes({{32, 0, 1}}, {}, {}, box);
  RegisterLayout two =
      RegisterLayout::fromModes({{4, 0, 1}, {8, 0, 4}}, {}, {}, box);
  RegisterLayout other =
      RegisterLayout::fromModes({{4, 0, 8}, {8, 0, 1}}, {}, {}, box);
  EXPECT_TRUE(one.isEquivalent(two));
  EXPECT_FALSE(one.isEquivalent(other));
}

// A thread's values are found in another order; values of another thread, or of
// none, are not found.
TEST(RegisterLayout, FindsValuesInTheirThread) {
  Shape box = {64, 4};
  auto make = [&](RegisterLayout::Modes lane, RegisterLayout::Modes value) {
    return RegisterLayout::fromModes(std::move(lane), {}, std::move(value),
                                     box);
  };
  RegisterLayout one = make({{32, 0, 1}}, {{4, 1, 1}, {2, 0, 32}});
  RegisterLayout turned = make({{32, 0, 1}}, {{2, 0, 32}, {4, 1, 1}});
  RegisterLayout moved = make({{32, 0, 2}}, {{4, 1, 1}, {2, 0, 1}});
  EXPECT_EQ(*one.findValues(one),
            (std::vector<int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_EQ(*one.findValues(turned),
            (std::vector<int64_t>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_FALSE(one.findValues(moved));
  EXPECT_FALSE(one.squeezeDimension(1).findValues(one));
  forEachLayout([](const Shape &, const RegisterLayout &layout) {
    std::optional<std::vector<int64_t>> found = layout.findValues(layout);
    ASSERT_TRUE(found);
    for (int64_t value = 0; value < layout.getNumValues(); ++value)
      EXPECT_EQ(layout.valueOffset((*found)[value]), layout.valueOffset(value));
  });
}

/// Returns the message for a layout that get() refuses.
std::string refusal(IntTuple shape, IntTuple stride, Shape box) {
  Result<RegisterLayout> result =
      RegisterLayout::get(*Layout::get(shape, stride), box);
  return result ? "" : result.error();
}

// get() checks each condition that RegisterLayout.h states.
TEST(RegisterLayout, GetRefuses) {
  using T = IntTuple;
  auto three = [](T a, T b, T c) { return T(std::vector<T>{a, b, c}); };
  EXPECT_NE(refusal(T(32), T(1), {32}).find("expected a layout of 3 modes"),
            std::string::npos);
  EXPECT_EQ(refusal(three(T(16), T(1), T(2)), three(T(1), T(0), T(16)), {32}),
            "expected a first mode of 32 lanes, got 16");
  EXPECT_EQ(
      refusal(three(T(32), T(64), T(1)), three(T(1), T(32), T(0)), {2048}),
      "expected at most 32 warps, got 64");
  EXPECT_EQ(refusal(three(T(32), T(1), T(2)), three(T(1), T(0), T(0)), {32}),
            "expected values of a thread that differ, got a value mode of "
            "stride 0");
  EXPECT_EQ(refusal(three(T(32), T(1), T(1)), three(T(1), T(0), T(0)), {4, 8}),
            "expected each mode to step inside one dimension of the box, got "
            "32:1");
  EXPECT_EQ(refusal(three(T(32), T(1), T(1)), three(T(1), T(0), T(0)), {64}),
            "expected the modes of dimension 0 to cover its extent 64 exactly "
            "once");
  EXPECT_EQ(refusal(three(T(32), T(1), T(1)), three(T(1), T(0), T(0)), {0}),
            "expected a box of positive extents and fewer than 2^63 elements");
}

} // namespace
