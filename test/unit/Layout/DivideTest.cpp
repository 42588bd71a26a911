// DivideTest.cpp - tests division into tiles and rests, in four orders
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Divide.h"

#include "AllLayouts.h"
#include "HasComposition.h"
#include "RandomLayouts.h"

#include "tile/Layout/Complement.h"
#include "tile/Layout/Compose.h"

#include <algorithm>

using namespace tile;
using namespace tile::test;

TEST(LogicalDivide, Examples) {
  EXPECT_EQ(text(logicalDivide(layout("(4,2,3):(2,1,8)"), layout("4:2"))),
            "((2,2),(2,3)):((4,1),(2,8))");
  // A tile that does not fit evenly goes beyond the layout.
  EXPECT_EQ(text(logicalDivide(layout("10:3"), layout("4:1"))), "(4,3):(3,12)");
  EXPECT_EQ(text(logicalDivide(layout("8:1"), layout("2:0"))),
            "no complement of 2:0: expected positive strides, got 0");
  EXPECT_EQ(text(logicalDivide(layout("(4,8):(1,4)"), tiler({"2:1", "4:1"}))),
            "((2,2),(4,2)):((1,2),(4,16))");
  EXPECT_EQ(text(logicalDivide(layout("(4,8):(1,4)"), tiler({"2:1"}))),
            "((2,2),8):((1,2),4)");
  EXPECT_FALSE(logicalDivide(layout("4:1"), Tiler::list({})));
  EXPECT_EQ(text(logicalDivide(layout("(4,8):(1,4)"), tiler({"2:1", "2:0"}))),
            "mode 1: no complement of 2:0: expected positive strides, got 0");
}

TEST(LogicalDivide, SplitsTheLayoutIntoTiles) {
  std::vector<Layout> layouts = allLayouts(2, {1, 2, 3, 4, 6}, {0, 1, 2, 3, 8});
  for (const Layout &left : allLayouts(3, {2, 3}, {1, 2, 6}))
    layouts.push_back(left);
  std::vector<Layout> tiles = allLayouts(2, {1, 2, 3}, {1, 2, 4, 6});
  for (const Layout &tile : allLayouts(1, {1, 2, 3, 4, 6, 12}, {0, 1, 2, 3, 4}))
    tiles.push_back(tile);
  int numDivided = 0, numExact = 0;
  for (const Layout &any : layouts)
    for (const Layout &tile : tiles) {
      Result<Layout> rest = complement(tile, any.size());
      Result<Layout> result = logicalDivide(any, tile);
      bool expected = rest && hasComposition(any, *concatenate({tile, *rest}));
      ASSERT_EQ(bool(result), expected)
          << toString(any) << " / " << toString(tile) << ": " << text(result);
      if (!result)
        continue;
      ++numDivided;
      ASSERT_EQ(result->rank(), 2u);
      ASSERT_EQ(result->mode(0), *compose(any, tile));
      // Coordinate (i, j) is element i of the tile at rest(j) of the layout.
      for (int64_t j = 0; j < rest->size(); ++j)
        for (int64_t i = 0; i < tile.size(); ++i)
          ASSERT_EQ((*result)(makeTuple(i, j)),
                    valueAt(any, tile(i) + (*rest)(j), /*isUnbounded=*/true))
              << toString(any) << " / " << toString(tile);
      // If tiles fit evenly, the result is a permutation of the layout.
      if (result->size() == any.size()) {
        ++numExact;
        std::vector<int64_t> a = valuesOf(any), b = valuesOf(*result);
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        ASSERT_EQ(a, b);
      }
    }
  EXPECT_GT(numDivided, 5000);
  EXPECT_GT(numExact, 2000);
}

TEST(LogicalDivide, ByModeDividesEachMode) {
  std::vector<Layout> tilers = allLayouts(1, {1, 2, 3, 4}, {0, 1, 2});
  for (const Layout &any : nested(allLayouts(3, {2, 4}, {1, 2, 8})))
    for (const Layout &first : tilers)
      for (const Layout &second : tilers) {
        Result<Layout> result =
            logicalDivide(any, Tiler::list({first, second}));
        Result<Layout> mode0 = logicalDivide(any.mode(0), first);
        Result<Layout> mode1 = logicalDivide(any.mode(1), second);
        ASSERT_EQ(bool(result), mode0 && mode1);
        if (result) {
          ASSERT_EQ(*result, *concatenate({*mode0, *mode1}));
        }
      }
}

//===----------------------------------------------------------------------===//
// Zipped, tiled, flat
//===----------------------------------------------------------------------===//

TEST(ZippedDivide, Examples) {
  Layout any = layout("(4,8):(1,4)");
  Tiler tile = tiler({"2:1", "4:1"});
  EXPECT_EQ(text(zippedDivide(any, tile)), "((2,4),(2,2)):((1,4),(2,16))");
  EXPECT_EQ(text(tiledDivide(any, tile)), "((2,4),2,2):((1,4),2,16)");
  EXPECT_EQ(text(flatDivide(any, tile)), "(2,4,2,2):(1,4,2,16)");
  // If the tiler is a layout, the tile is one mode, and the rest another.
  EXPECT_EQ(text(zippedDivide(layout("24:1"), layout("4:2"))),
            "(4,(2,3)):(2,(1,8))");
  EXPECT_EQ(text(tiledDivide(layout("24:1"), layout("4:2"))),
            "(4,2,3):(2,1,8)");
  // Modes without a tiler are at the end of the rest.
  EXPECT_EQ(text(zippedDivide(layout("(4,8,3):(1,4,100)"), tile)),
            "((2,4),(2,2,3)):((1,4),(2,16,100))");
  EXPECT_EQ(text(flatDivide(layout("(4,8,3):(1,4,100)"), tile)),
            "(2,4,2,2,3):(1,4,2,16,100)");
  EXPECT_FALSE(flatDivide(any, tiler({"2:0"})));
}

/// Returns the coordinate of a zipped divide for one of the logical divide: the
/// digits of tile and rest are separated.
static IntTuple separateCoordinate(const IntTuple &coord, const Tiler &tiler) {
  if (tiler.isLayout())
    return coord;
  std::vector<IntTuple> tiles, rests;
  for (size_t i = 0; i < coord.size(); ++i) {
    if (i >= tiler.size()) {
      rests.push_back(coord[i]);
      continue;
    }
    IntTuple parts = separateCoordinate(coord[i], tiler[i]);
    tiles.push_back(parts[0]);
    rests.push_back(parts[1]);
  }
  return makeTuple(IntTuple(tiles), IntTuple(rests));
}

TEST(ZippedDivide, IsTheLogicalDivideInAnotherOrder) {
  Sequence random(2);
  int numDivided = 0, numLists = 0;
  for (int i = 0; i < 4000; ++i) {
    Layout any = randomLayout(random);
    Tiler tiler = randomTiler(random, any.shape());
    Result<Layout> logical = logicalDivide(any, tiler);
    Result<Layout> zipped = zippedDivide(any, tiler);
    Result<Layout> tiled = tiledDivide(any, tiler);
    Result<Layout> flat = flatDivide(any, tiler);
    ASSERT_EQ(bool(logical), bool(zipped));
    ASSERT_EQ(bool(logical), bool(tiled));
    ASSERT_EQ(bool(logical), bool(flat));
    if (!logical)
      continue;
    ++numDivided;
    numLists += !tiler.isLayout();
    std::string where = toString(any) + " by " + toString(tiler);
    ASSERT_EQ(zipped->rank(), 2u) << where;
    ASSERT_EQ(zipped->mode(0), *compose(any, tiler)) << where;
    ASSERT_EQ(tiled->mode(0), zipped->mode(0)) << where;
    ASSERT_EQ(flat->flattened(), zipped->flattened()) << where;
    ASSERT_EQ(tiled->flattened(), zipped->flattened()) << where;
    ASSERT_EQ(tiled->rank(), 1 + zipped->mode(1).rank()) << where;
    ASSERT_EQ(flat->rank(), zipped->mode(0).rank() + zipped->mode(1).rank());
    for (int64_t j = 0; j < logical->size(); ++j) {
      IntTuple coord = idx2crd(j, logical->shape());
      ASSERT_EQ((*zipped)(separateCoordinate(coord, tiler)), (*logical)(j))
          << where << " at " << toString(coord);
    }
  }
  EXPECT_GT(numDivided, 1500);
  EXPECT_GT(numLists, 500);
}
