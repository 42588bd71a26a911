// CuTeExamplesTest.cpp - tests the examples and pitfalls of CuTe's documents
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each test is one section of CuTe's layout algebra, with the examples of its
// documents (NVIDIA/cutlass, media/docs/cpp/cute). The last tests are false
// statements about layouts, each with the value that refutes it.

#include "tile/Layout/Algebra.h"

#include "AllLayouts.h"

#include "tile/Layout/BankConflicts.h"

using namespace tile;
using namespace tile::test;

static std::string composed(std::string_view left, std::string_view right) {
  return text(compose(layout(left), layout(right)));
}
static std::string complemented(std::string_view of, int64_t bound) {
  return text(complement(layout(of), bound));
}

TEST(CuTeExamples, Coordinates) {
  IntTuple shape = tuple("(3,(2,3))");
  EXPECT_EQ(idx2crd(16, tuple("(3,6)")), tuple("(1,5)"));
  EXPECT_EQ(idx2crd(16, shape), tuple("(1,(1,2))"));
  EXPECT_EQ(*naturalCoordinate(tuple("(1,5)"), shape), tuple("(1,(1,2))"));
  // Compatible is a weak partial order: 24 -> (4,6) -> ((2,2),6).
  EXPECT_TRUE(isCompatible(24, tuple("(4,6)")));
  EXPECT_TRUE(isCompatible(tuple("(4,6)"), tuple("((2,2),6)")));
  EXPECT_TRUE(isCompatible(24, tuple("((2,2),6)")));
  EXPECT_FALSE(isCompatible(tuple("((2,2),6)"), tuple("(4,6)")));
  EXPECT_FALSE(isCompatible(tuple("(4,6)"), 24));
  // Evaluates size, cosize, rank and depth; strides are compact by default.
  Layout any = layout("(3,(2,3)):(3,(12,1))");
  EXPECT_EQ(any.size(), 18);
  EXPECT_EQ(any.cosize(), any(any.size() - 1) + 1);
  EXPECT_EQ(any.cosize(), 21);
  EXPECT_EQ(any.rank(), 2u);
  EXPECT_EQ(any.depth(), 2u);
  EXPECT_EQ(any(tuple("(1,5)")), 17);
  EXPECT_EQ(text(layoutLeft(shape)), "(3,(2,3)):(1,(3,6))");
}

TEST(CuTeExamples, Coalesce) {
  EXPECT_EQ(coalesce(layout("(2,(1,6)):(1,(6,2))")), layout("12:1"));
  EXPECT_EQ(coalesceByMode(layout("(2,(1,6)):(1,(6,2))")),
            layout("(2,6):(1,2)"));
  // The four rules for joining two adjacent modes.
  EXPECT_EQ(coalesce(layout("(3,1):(5,7)")), layout("3:5"));
  EXPECT_EQ(coalesce(layout("(1,3):(7,5)")), layout("3:5"));
  EXPECT_EQ(coalesce(layout("(3,4):(5,15)")), layout("12:5"));
  EXPECT_EQ(coalesce(layout("(3,4):(5,16)")), layout("(3,4):(5,16)"));
}

TEST(CuTeExamples, Composition) {
  EXPECT_EQ(composed("(6,2):(8,2)", "(4,3):(3,1)"), "((2,2),3):((24,2),8)");
  EXPECT_EQ(composed("20:2", "(5,4):(4,1)"), "(5,4):(8,2)");
  EXPECT_EQ(composed("(10,2):(16,4)", "(5,4):(1,5)"), "(5,(2,2)):(16,(80,4))");
  // R(c) = A(B(c)), value by value as the document lists them.
  Layout result = *compose(layout("(6,2):(8,2)"), layout("(4,3):(3,1)"));
  std::vector<int64_t> values;
  for (int64_t i = 0; i < result.size(); ++i)
    values.push_back(result(i));
  EXPECT_EQ(values, (std::vector<int64_t>{0, 24, 2, 26, 8, 32, 10, 34, 16, 40,
                                          18, 42}));
  // Dividing out and modding out: (3,6,2,8):(w,x,y,z) o 16:9 is
  // (1,2,2,4):(9w,3x,y,z), whatever the strides.
  EXPECT_EQ(composed("(3,6,2,8):(1000,100,10,1)", "16:9"),
            "(2,2,4):(300,10,1)");
  EXPECT_EQ(composed("(6,2):(8,2)", "2:3"), "2:24");
  EXPECT_EQ(composed("(6,2):(8,2)", "2:6"), "2:2");
}

TEST(CuTeExamples, CompositionByMode) {
  Layout any = layout("(12,(4,8)):(59,(13,1))");
  EXPECT_EQ(text(compose(any, tiler({"3:4", "8:2"}))),
            "(3,(2,4)):(236,(26,1))");
  EXPECT_EQ(text(compose(any, *Tiler::ofShape(tuple("(3,8)")))),
            "(3,(4,2)):(59,(13,1))");
}

TEST(CuTeExamples, Complement) {
  EXPECT_EQ(complemented("4:1", 24), "6:4");
  EXPECT_EQ(complemented("6:4", 24), "4:1");
  EXPECT_EQ(complemented("(4,6):(1,4)", 24), "1:0");
  EXPECT_EQ(complemented("4:2", 24), "(2,3):(1,8)");
  EXPECT_EQ(complemented("(2,4):(1,6)", 24), "3:2");
  EXPECT_EQ(complemented("(2,2):(1,6)", 24), "(3,2):(2,12)");
}

TEST(CuTeExamples, Divide) {
  EXPECT_EQ(text(logicalDivide(layout("(4,2,3):(2,1,8)"), layout("4:2"))),
            "((2,2),(2,3)):((4,1),(2,8))");
  // The two-dimensional example: 9 rows, of which a tile has every third, and
  // 32 columns.
  Layout any = layout("(9,(4,8)):(59,(13,1))");
  Tiler tile = tiler({"3:3", "(2,4):(1,8)"});
  EXPECT_EQ(text(logicalDivide(any, tile)),
            "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))");
  EXPECT_EQ(text(zippedDivide(any, tile)),
            "((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1)))");
  EXPECT_EQ(text(tiledDivide(any, tile)),
            "((3,(2,4)),3,(2,2)):((177,(13,2)),59,(26,1))");
  EXPECT_EQ(text(flatDivide(any, tile)),
            "(3,(2,4),3,(2,2)):(177,(13,2),59,(26,1))");
  EXPECT_EQ(zippedDivide(any, tile)->mode(0), *compose(any, tile));
  // (M,N,L) divided by <TM,TN>: L has no tiler, so it is not a mode of the
  // tile.
  Layout deep = layout("(4,6,5):(1,4,24)");
  Tiler two = tiler({"2:1", "3:1"});
  EXPECT_EQ(logicalDivide(deep, two)->shape(), tuple("((2,2),(3,2),5)"));
  EXPECT_EQ(zippedDivide(deep, two)->shape(), tuple("((2,3),(2,2,5))"));
  EXPECT_EQ(tiledDivide(deep, two)->shape(), tuple("((2,3),2,2,5)"));
  EXPECT_EQ(flatDivide(deep, two)->shape(), tuple("(2,3,2,2,5)"));
  EXPECT_EQ(zippedDivide(deep, two)->mode(0), *compose(deep, two));
}

TEST(CuTeExamples, Product) {
  EXPECT_EQ(text(logicalProduct(layout("(2,2):(4,1)"), layout("6:1"))),
            "((2,2),(2,3)):((4,1),(2,8))");
  EXPECT_EQ(text(logicalProduct(layout("(2,2):(4,1)"), layout("(4,2):(2,1)"))),
            "((2,2),(4,2)):((4,1),(8,2))");
  // A 2x5 block, row-major, over a 3x4 grid, column-major.
  Layout block = layout("(2,5):(5,1)"), grid = layout("(3,4):(1,3)");
  EXPECT_EQ(text(logicalProduct(block, tiler({"3:5", "4:6"}))),
            "((2,3),(5,4)):((5,10),(1,30))");
  EXPECT_EQ(text(blockedProduct(block, grid)), "((2,3),(5,4)):((5,10),(1,30))");
  EXPECT_EQ(coalesceByMode(*blockedProduct(block, grid)),
            layout("(6,(5,4)):(5,(1,30))"));
  EXPECT_EQ(text(rakedProduct(block, grid)), "((3,2),(4,5)):((10,5),(30,1))");
}

TEST(CuTeExamples, Inverses) {
  Layout any = layout("(4,8):(1,5)");
  Layout right = *rightInverse(any), left = *leftInverse(any);
  for (int64_t i = 0; i < right.size(); ++i)
    EXPECT_EQ(any(right(i)), i);
  for (int64_t i = 0; i < any.size(); ++i)
    EXPECT_EQ(left(any(i)), i);
}

TEST(CuTeExamples, Swizzle) {
  // A swizzle xors bits [M+S, M+S+B) into bits [M, M+B).
  Swizzle swizzle = *Swizzle::get(3, 4, 3);
  for (int64_t offset = 0; offset < 4096; ++offset)
    EXPECT_EQ(swizzle.apply(offset), offset ^ ((offset >> 7 & 7) << 4));
}

//===----------------------------------------------------------------------===//
// Traps
//===----------------------------------------------------------------------===//

// A check of only the strides would give (2,3):(6,3), which is 3 at
// coordinate 2; A(B(2)) is 7 (cutlass issue 3177).
TEST(CuTeTraps, StrideDivisibilityIsNotEnough) {
  Layout a = layout("(4,6,8):(2,3,5)"), b = layout("6:3");
  EXPECT_EQ(layout("(2,3):(6,3)")(2), 3);
  EXPECT_EQ(a(b(2)), 7);
  EXPECT_FALSE(compose(a, b));
}

// Dividing 72 out of (3,6,2,8):(w,x,y,z) leaves 72/18 = 4 for the third mode
// and 2 for the fourth: 4y and 2z, not 4x (cutlass issue 3182).
TEST(CuTeTraps, StridesOfTheDividedLayout) {
  EXPECT_EQ(composed("(3,6,2,8):(1000,100,10,1)", "4:72"), "4:2");
  EXPECT_EQ(composed("(3,6,8,2):(1000,100,10,1)", "2:72"), "2:40");
}

// Left-distributive: A o (B0, B1) is (A o B0, A o B1) for an injective B. But
// injective is not enough for the result to be a layout: digits may carry.
TEST(CuTeTraps, DistributesOnlyWhereDigitsDoNotCarry) {
  Layout a = layout("(4,2):(1,10)"), b = layout("(2,2):(3,1)");
  EXPECT_TRUE(b.isInjective());
  EXPECT_TRUE(compose(a, b.mode(0)));
  EXPECT_TRUE(compose(a, b.mode(1)));
  EXPECT_FALSE(compose(a, b));
}

// ((2,4),(3,5)):((3,1),(1,4)) evaluated at ((1,3),(2,4)) is 24, not 119, and it
// is not injective. A 2x3 tile blocked by a 4x5 grid gives 119.
TEST(CuTeTraps, TileAndGridAreNotOneLayout) {
  Layout pair = layout("((2,4),(3,5)):((3,1),(1,4))");
  IntTuple coord = tuple("((1,3),(2,4))");
  EXPECT_EQ(pair(coord), 24);
  EXPECT_EQ(pair.size(), 120);
  EXPECT_EQ(pair.image().size(), 25u);
  Layout tile = layout("(2,3):(3,1)"), grid = layout("(4,5):(1,4)");
  Layout blocked = *blockedProduct(tile, grid);
  EXPECT_EQ(blocked, layout("((2,4),(3,5)):((3,6),(1,24))"));
  EXPECT_EQ(blocked(coord), 119);
  EXPECT_TRUE(blocked.isBijection());
  // The strides belong to these coordinates: the outer ones count whole tiles.
  int64_t inner = 1 * 3 + 2 * 1, outer = 3 * 1 + 4 * 4;
  EXPECT_EQ(outer * tile.size() + inner, 119);
  // If the strides of the outer and the inner coordinates are exchanged, the
  // value differs.
  EXPECT_NE((1 * 1 + 2 * 4) * tile.size() + 3 * 3 + 4 * 1, 119);
}

// A o B applies B first: "first A, then B" is another function.
TEST(CuTeTraps, TheRightLayoutComesFirst) {
  Layout a = layout("(6,2):(8,2)"), b = layout("(4,3):(3,1)");
  Layout result = *compose(a, b);
  EXPECT_EQ(result(1), a(b(1)));
  EXPECT_EQ(result(1), 24);
  EXPECT_EQ(b(a(1)), 2);
}

// The tiles of a divide are not runs of size(B): the tile 4:2 spans 7 elements.
TEST(CuTeTraps, TilesAreNotRuns) {
  Layout tile = layout("4:2");
  EXPECT_EQ(tile.size(), 4);
  EXPECT_EQ(tile.cosize(), 7);
  Layout divided = *logicalDivide(layout("8:1"), tile);
  EXPECT_EQ(divided, layout("(4,2):(2,1)"));
  std::vector<int64_t> first;
  for (int64_t i = 0; i < 4; ++i)
    first.push_back(divided(makeTuple(i, 0)));
  EXPECT_EQ(first, (std::vector<int64_t>{0, 2, 4, 6}));
  // If B permutes 0 ... size-1, the tiles are runs.
  EXPECT_EQ(text(logicalDivide(layout("8:1"), layout("(2,2):(2,1)"))),
            "((2,2),2):((2,1),4)");
}

// A logical product needs the complement: strides of the grid times size(A) are
// wrong as soon as the tile has holes.
TEST(CuTeTraps, ProductsFillTheHolesOfTheTile) {
  Layout tile = layout("4:2"), grid = layout("2:1");
  EXPECT_EQ(text(logicalProduct(tile, grid)), "(4,2):(2,1)");
  EXPECT_FALSE(layout("(4,2):(2,4)").isInjective());
}

// A swizzle avoids bank conflicts: reads of 16 bytes a lane down one column of
// eight rows of 128 bytes use the same four banks without it, and all banks
// with it.
TEST(CuTeTraps, SwizzlesAreAboutBanks) {
  ComposedLayout rows =
      *ComposedLayout::get(Swizzle(), 0, layout("(8,8):(128,16)"));
  ComposedLayout swizzled =
      *ComposedLayout::get(Swizzle{3, 4, 3}, 0, layout("(8,8):(128,16)"));
  for (int64_t column = 0; column < 8; ++column) {
    LaneAddresses plain, spread;
    for (int64_t row = 0; row < 8; ++row) {
      plain.push_back(*rows.evaluate(makeTuple(row, column)));
      spread.push_back(*swizzled.evaluate(makeTuple(row, column)));
    }
    EXPECT_EQ(countBankConflicts(plain, 16, AccessDirection::kRead), 7);
    EXPECT_EQ(countBankConflicts(spread, 16, AccessDirection::kRead), 0);
  }
}
