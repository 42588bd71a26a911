// ProductTest.cpp - tests copies of a tile, in six orders
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Product.h"

#include "AllLayouts.h"
#include "HasComposition.h"
#include "RandomLayouts.h"

#include "tile/Layout/Complement.h"

#include <algorithm>
#include <map>

using namespace tile;
using namespace tile::test;

TEST(LogicalProduct, Examples) {
  EXPECT_EQ(text(logicalProduct(layout("(2,2):(4,1)"), layout("6:1"))),
            "((2,2),(2,3)):((4,1),(2,8))");
  EXPECT_EQ(text(logicalProduct(layout("4:1"), layout("(2,3):(3,1)"))),
            "(4,(2,3)):(1,(12,4))");
  EXPECT_FALSE(logicalProduct(layout("2:0"), layout("6:1")));
  EXPECT_FALSE(logicalProduct(*Layout::get(int64_t(1) << 32, 1),
                              *Layout::get(2, int64_t(1) << 40)));
}

TEST(LogicalProduct, CopiesTheTile) {
  std::vector<Layout> tiles = allLayouts(2, {1, 2, 3, 4}, {1, 2, 3, 4, 8});
  std::vector<Layout> grids = allLayouts(2, {1, 2, 3, 4}, {0, 1, 2, 3, 4});
  for (const Layout &grid : allLayouts(1, {1, 2, 6}, {0, 1, 2, 5}))
    grids.push_back(grid);
  int numProducts = 0;
  for (const Layout &tile : tiles)
    for (const Layout &grid : grids) {
      Result<Layout> result = logicalProduct(tile, grid);
      Result<Layout> positions = complement(tile, tile.size() * grid.cosize());
      ASSERT_EQ(bool(result), positions && hasComposition(*positions, grid))
          << toString(tile) << " x " << toString(grid) << ": " << text(result);
      if (!result)
        continue;
      ++numProducts;
      ASSERT_EQ(result->rank(), 2u);
      ASSERT_EQ(result->mode(0), tile);
      ASSERT_TRUE(isCompatible(grid.shape(), result->mode(1).shape()));
      // Copies at equal values of the grid are equal; all others are disjoint.
      std::map<int64_t, std::vector<int64_t>> copyAt;
      std::map<int64_t, int64_t> ownerOf;
      for (int64_t j = 0; j < grid.size(); ++j) {
        std::vector<int64_t> copy;
        for (int64_t i = 0; i < tile.size(); ++i) {
          int64_t value = (*result)(makeTuple(i, j));
          copy.push_back(value);
          ASSERT_EQ(ownerOf.emplace(value, grid(j)).first->second, grid(j))
              << toString(tile) << " x " << toString(grid);
        }
        ASSERT_EQ(copyAt.emplace(grid(j), copy).first->second, copy);
      }
      // A grid that counts fills without gaps.
      if (grid.isBijection() && tile.isBijection()) {
        ASSERT_TRUE(result->isBijection()) << text(result);
      }
    }
  EXPECT_GT(numProducts, 10000);
}

//===----------------------------------------------------------------------===//
// Zipped, tiled, flat
//===----------------------------------------------------------------------===//

TEST(ZippedProduct, Examples) {
  Layout tile = layout("(2,5):(5,1)");
  Tiler copies = tiler({"3:5", "4:6"});
  EXPECT_EQ(text(logicalProduct(tile, copies)),
            "((2,3),(5,4)):((5,10),(1,30))");
  EXPECT_EQ(text(zippedProduct(tile, copies)), "((2,5),(3,4)):((5,1),(10,30))");
  EXPECT_EQ(text(tiledProduct(tile, copies)), "((2,5),3,4):((5,1),10,30)");
  EXPECT_EQ(text(flatProduct(tile, copies)), "(2,5,3,4):(5,1,10,30)");
  // A mode without a tiler is at the end of the copies.
  EXPECT_EQ(text(zippedProduct(tile, tiler({"3:5"}))),
            "((2),(3,5)):((5),(10,1))");
  EXPECT_EQ(text(zippedProduct(tile, layout("3:1"))), "((2,5),3):((5,1),10)");
  EXPECT_FALSE(flatProduct(tile, tiler({"3:5", "4:6", "2:1"})));
}

TEST(ZippedProduct, IsTheLogicalProductInAnotherOrder) {
  Sequence random(3);
  int numProducts = 0;
  for (int i = 0; i < 4000; ++i) {
    Layout tile = randomLayout(random, /*least=*/1);
    Tiler tiler = randomTiler(random, tile.shape());
    Result<Layout> logical = logicalProduct(tile, tiler);
    Result<Layout> zipped = zippedProduct(tile, tiler);
    ASSERT_EQ(bool(logical), bool(zipped));
    ASSERT_EQ(bool(logical), bool(tiledProduct(tile, tiler)));
    ASSERT_EQ(bool(logical), bool(flatProduct(tile, tiler)));
    if (!logical)
      continue;
    ++numProducts;
    std::string where = toString(tile) + " by " + toString(tiler);
    FlatModes flat = zipped->flattened();
    ASSERT_EQ(flatProduct(tile, tiler)->flattened(), flat) << where;
    ASSERT_EQ(tiledProduct(tile, tiler)->flattened(), flat) << where;
    ASSERT_EQ(tiledProduct(tile, tiler)->mode(0), zipped->mode(0)) << where;
    std::vector<int64_t> a = valuesOf(*logical), b = valuesOf(*zipped);
    std::sort(a.begin(), a.end());
    std::sort(b.begin(), b.end());
    ASSERT_EQ(a, b) << where;
    if (tiler.isLayout() || tiler.size() != tile.rank())
      continue;
    for (size_t mode = 0; mode < tile.rank(); ++mode) {
      ASSERT_EQ(logical->mode(mode),
                *logicalProduct(tile.mode(mode), tiler[mode]))
          << where;
      if (tiler[mode].isLayout()) {
        ASSERT_EQ(zipped->mode(0).mode(mode), tile.mode(mode)) << where;
        ASSERT_EQ(zipped->mode(1).mode(mode), logical->mode(mode).mode(1));
      }
    }
  }
  EXPECT_GT(numProducts, 1500);
}

//===----------------------------------------------------------------------===//
// Blocked, raked
//===----------------------------------------------------------------------===//

TEST(BlockedProduct, Examples) {
  EXPECT_EQ(text(blockedProduct(layout("(2,5):(5,1)"), layout("(3,4):(1,3)"))),
            "((2,3),(5,4)):((5,10),(1,30))");
  EXPECT_EQ(text(rakedProduct(layout("(2,5):(5,1)"), layout("(3,4):(1,3)"))),
            "((3,2),(4,5)):((10,5),(30,1))");
  // Integers are one mode each, though the copies of one may be a list.
  EXPECT_EQ(text(blockedProduct(layout("4:2"), layout("6:1"))),
            "((4,(2,3))):((2,(1,8)))");
  EXPECT_EQ(text(rakedProduct(layout("4:2"), layout("6:1"))),
            "(((2,3),4)):(((1,8),2))");
  EXPECT_EQ(text(blockedProduct(layout("(2,5):(5,1)"), layout("3:1"))),
            "expected a tile and a grid of equal rank, got (2,5):(5,1) and "
            "3:1");
  EXPECT_FALSE(rakedProduct(layout("(2,5):(0,1)"), layout("(3,4):(1,3)")));
}

/// Returns the coordinate ((a0,b0),(a1,b1),...).
static IntTuple pairCoordinates(const IntTuple &a, const IntTuple &b) {
  std::vector<IntTuple> pairs;
  for (size_t i = 0; i < a.size(); ++i)
    pairs.push_back(makeTuple(a[i], b[i]));
  return IntTuple(pairs);
}

TEST(BlockedProduct, PutsLikeModesTogether) {
  Sequence random(4);
  int numProducts = 0, numOtherRanks = 0;
  for (int i = 0; i < 6000; ++i) {
    Layout tile = randomLayout(random, /*least=*/1);
    Layout grid = randomLayout(random, /*least=*/0);
    Result<Layout> blocked = blockedProduct(tile, grid);
    Result<Layout> raked = rakedProduct(tile, grid);
    Result<Layout> logical = logicalProduct(tile, grid);
    bool expected = logical && tile.rank() == grid.rank();
    ASSERT_EQ(bool(blocked), expected) << toString(tile) << toString(grid);
    ASSERT_EQ(bool(raked), expected);
    numOtherRanks += tile.rank() != grid.rank();
    if (!expected || blocked->size() > 2000)
      continue;
    ++numProducts;
    std::string where = toString(tile) + " and " + toString(grid);
    ASSERT_EQ(blocked->rank(), tile.rank()) << where;
    ASSERT_EQ(raked->rank(), tile.rank()) << where;
    for (int64_t b = 0; b < grid.size(); ++b)
      for (int64_t a = 0; a < tile.size(); ++a) {
        IntTuple inTile = idx2crd(a, tile.shape());
        IntTuple inGrid = idx2crd(b, grid.shape());
        int64_t value = (*logical)(makeTuple(a, b));
        ASSERT_EQ((*blocked)(pairCoordinates(inTile, inGrid)), value) << where;
        ASSERT_EQ((*raked)(pairCoordinates(inGrid, inTile)), value) << where;
      }
  }
  EXPECT_GT(numProducts, 400);
  EXPECT_GT(numOtherRanks, 1000);
}
