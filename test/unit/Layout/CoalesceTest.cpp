// CoalesceTest.cpp - tests that coalesce() keeps the function and is shortest
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Coalesce.h"

#include "AllLayouts.h"

using namespace tile;
using namespace tile::test;

TEST(Coalesce, Examples) {
  EXPECT_EQ(coalesce(layout("(2,(1,6)):(1,(6,2))")), layout("12:1"));
  EXPECT_EQ(coalesce(layout("(1,1):(3,7)")), layout("1:0"));
  EXPECT_EQ(coalesce(layout("(2,4):(1,4)")), layout("(2,4):(1,4)"));
  EXPECT_EQ(coalesce(layout("((2,2),3):((0,0),0)")), layout("12:0"));
  EXPECT_EQ(coalesceByMode(layout("(2,(1,6)):(1,(6,2))")),
            layout("(2,6):(1,2)"));
  EXPECT_EQ(coalesceByMode(layout("((2,2),(2,3)):((1,2),(5,9))")),
            layout("(4,(2,3)):(1,(5,9))"));
  EXPECT_EQ(coalesceByMode(layout("1:5")), layout("1:0"));
}

TEST(Coalesce, KeepsTheFunctionAndIsShortest) {
  for (const Layout &layout : manyLayouts()) {
    Layout result = coalesce(layout);
    ASSERT_EQ(valuesOf(result), valuesOf(layout)) << toString(layout);
    ASSERT_LE(result.depth(), 1u);
    ASSERT_TRUE(isShortest(result)) << toString(layout);
    ASSERT_EQ(coalesce(result), result);
  }
}

TEST(Coalesce, ByModeKeepsTheRank) {
  for (const Layout &layout : manyLayouts()) {
    Layout result = coalesceByMode(layout);
    ASSERT_EQ(result.rank(), layout.rank());
    ASSERT_EQ(valuesOf(result), valuesOf(layout)) << toString(layout);
    for (size_t i = 0; i < layout.rank(); ++i)
      ASSERT_EQ(result.mode(i), coalesce(layout.mode(i)));
  }
}
