// TilerTest.cpp - tests layouts, lists and shapes as tilers
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Tiler.h"

#include "RandomLayouts.h"

#include "tile/Layout/Compose.h"

using namespace tile;
using namespace tile::test;

TEST(Tiler, ShapeStandsForLayoutsOfStrideOne) {
  EXPECT_EQ(text(Tiler::ofShape(tuple("4"))), "4:1");
  EXPECT_EQ(text(Tiler::ofShape(tuple("(3,(2,8))"))), "<3:1,<2:1,8:1>>");
  EXPECT_EQ(text(Tiler::ofShape(tuple("(3,0)"))),
            "expected positive extents, got 0 in the shape 0");
}

// A tiler that is a list maps coordinates, a tiler that is a layout maps
// indices.
TEST(Tiler, ListIsNotItsConcatenation) {
  Layout any = layout("(4,8):(8,1)");
  EXPECT_EQ(text(compose(any, tiler({"2:1", "4:1"}))), "(2,4):(8,1)");
  EXPECT_EQ(text(compose(any, Tiler(layout("(2,4):(1,2)")))),
            "(2,(2,2)):(8,(16,1))");
}

/// Returns the value of `layout` at the coordinate that the tiler selects for
/// the linear index `index`, and removes the tiler's digits from `index`.
static int64_t valueByMode(const Layout &layout, const Tiler &tiler,
                           int64_t &index) {
  if (tiler.isLayout()) {
    int64_t digit = index % tiler.layout().size();
    index /= tiler.layout().size();
    return valueAt(layout, tiler.layout()(digit), /*isUnbounded=*/true);
  }
  int64_t sum = 0;
  for (size_t i = 0; i < tiler.size(); ++i)
    sum += valueByMode(layout.mode(i), tiler[i], index);
  return sum;
}

TEST(Tiler, ComposesEachModeAtAnyDepth) {
  Sequence random(1);
  int numComposed = 0, numRefused = 0;
  for (int i = 0; i < 5000; ++i) {
    Layout any = randomLayout(random);
    Tiler tiler = randomTiler(random, any.shape());
    Result<Layout> result = compose(any, tiler);
    if (!result) {
      ++numRefused;
      continue;
    }
    ++numComposed;
    std::vector<int64_t> values = valuesOf(*result);
    for (size_t j = 0; j < values.size(); ++j) {
      int64_t index = j;
      ASSERT_EQ(values[j], valueByMode(any, tiler, index))
          << toString(any) << " o " << toString(tiler) << " at " << j;
    }
    if (!tiler.isLayout()) {
      ASSERT_EQ(result->rank(), tiler.size());
    }
  }
  EXPECT_GT(numComposed, 2500);
  EXPECT_GT(numRefused, 200);
}
