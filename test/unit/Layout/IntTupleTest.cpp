// IntTupleTest.cpp - tests nested integer tuples: shapes, strides, coordinates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/IntTuple.h"

#include "AllLayouts.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace tile;
using namespace tile::test;

/// Returns shapes of size 1 to 24 with many profiles, including lists of one.
static std::vector<IntTuple> manyShapes() {
  std::vector<IntTuple> shapes;
  for (const char *text :
       {"1",         "(1)",           "(1,1)",     "2",         "3",
        "4",         "(4)",           "((4))",     "(2,2)",     "((2),2)",
        "(1,4)",     "(4,1)",         "6",         "(6)",       "(2,3)",
        "(3,2)",     "(1,6)",         "((2,3),1)", "(1,(2,3))", "8",
        "(2,4)",     "(4,2)",         "(2,(2,2))", "((2,2),2)", "(2,2,2)",
        "12",        "(2,6)",         "(6,2)",     "((2,3),2)", "(2,(3,2))",
        "(2,3,2)",   "(4,3)",         "(3,4)",     "((2,2),3)", "(3,(2,2))",
        "24",        "(4,6)",         "(6,4)",     "((2,2),6)", "((2,2),(3,2))",
        "(2,(2,6))", "(4,(2,3))",     "(4,(3,2))", "(2,12)",    "(12,2)",
        "(3,(2,4))", "(3,(2,(2,2)))", "((3,2),4)", "(2,2,2,3)", "(3,8)"})
    shapes.push_back(tuple(text));
  return shapes;
}

TEST(IntTuple, LeafIsItsOwnElement) {
  IntTuple leaf = 24;
  EXPECT_TRUE(leaf.isLeaf());
  EXPECT_EQ(leaf.value(), 24);
  EXPECT_EQ(leaf.size(), 1u);
  EXPECT_EQ(leaf[0], leaf);
  EXPECT_EQ(leaf.depth(), 0u);
}

TEST(IntTuple, ListHasElements) {
  IntTuple list = makeTuple(makeTuple(2, 2), 6);
  EXPECT_FALSE(list.isLeaf());
  EXPECT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0], makeTuple(2, 2));
  EXPECT_EQ(list[1], IntTuple(6));
  EXPECT_EQ(list.depth(), 2u);
  EXPECT_EQ(list.leaves(), (std::vector<int64_t>{2, 2, 6}));
  EXPECT_EQ(list.product(), 24);
  EXPECT_EQ(IntTuple::flat({4, 8}), makeTuple(4, 8));
  EXPECT_EQ(IntTuple::flat({}).depth(), 1u);
  EXPECT_EQ(IntTuple::flat({}).product(), 1);
}

// A tuple constructed from a list with one tuple is a list of one, not a copy.
TEST(IntTuple, ListOfOneIsNotItsElement) {
  EXPECT_NE(makeTuple(4), IntTuple(4));
  EXPECT_NE(makeTuple(makeTuple(4)), makeTuple(4));
  EXPECT_EQ(makeTuple(4).size(), 1u);
  EXPECT_FALSE(makeTuple(4).congruent(4));
}

TEST(IntTuple, ProductThatOverflowsIsNothing) {
  int64_t big = int64_t(1) << 32;
  EXPECT_EQ(makeTuple(big, big).tryProduct(), std::nullopt);
  EXPECT_EQ(makeTuple(big, big / 4).tryProduct(), int64_t(1) << 62);
  EXPECT_EQ(makeTuple(big, big, 0).tryProduct(), 0);
  EXPECT_EQ(makeTuple(INT64_MAX, 1).tryProduct(), INT64_MAX);
  EXPECT_EQ(makeTuple(INT64_MIN, -1).tryProduct(), std::nullopt);
}

TEST(IntTuple, CongruentComparesProfiles) {
  EXPECT_TRUE(tuple("(4,(2,3))").congruent(tuple("(1,(0,5))")));
  EXPECT_FALSE(tuple("(4,(2,3))").congruent(tuple("((1,0),5)")));
  EXPECT_FALSE(tuple("(4,2)").congruent(tuple("(4,2,1)")));
  EXPECT_FALSE(tuple("(4,2,1)").congruent(tuple("(4,2)")));
  EXPECT_FALSE(tuple("4").congruent(tuple("(4)")));
}

TEST(IntTuple, EqualTuplesHaveEqualHashesAndOthersDiffer) {
  std::set<size_t> hashes;
  std::vector<IntTuple> shapes = manyShapes();
  for (const IntTuple &shape : shapes) {
    EXPECT_EQ(shape.hash(), tuple(toString(shape)).hash());
    hashes.insert(shape.hash());
  }
  EXPECT_EQ(hashes.size(), shapes.size());
}

TEST(IntTuple, CompatibleChainOfTheManual) {
  EXPECT_TRUE(isCompatible(tuple("24"), tuple("(4,6)")));
  EXPECT_TRUE(isCompatible(tuple("(4,6)"), tuple("((2,2),6)")));
  EXPECT_TRUE(isCompatible(tuple("24"), tuple("((2,2),6)")));
  EXPECT_FALSE(isCompatible(tuple("((2,2),6)"), tuple("(4,6)")));
  EXPECT_FALSE(isCompatible(tuple("((2,2),6)"), tuple("(2,12)")));
  EXPECT_FALSE(isCompatible(tuple("(2,12)"), tuple("((2,2),6)")));
}

// By definition, the sizes are equal, and each coordinate of S is one of T.
TEST(IntTuple, CompatibleIsWhatItsDefinitionSays) {
  int numCompatible = 0;
  for (const IntTuple &shape : manyShapes())
    for (const IntTuple &finer : manyShapes()) {
      bool expected = shape.product() == finer.product();
      for (int64_t i = 0; i < shape.product() && expected; ++i)
        expected = bool(naturalCoordinate(idx2crd(i, shape), finer));
      EXPECT_EQ(isCompatible(shape, finer), expected)
          << toString(shape) << " and " << toString(finer);
      numCompatible += expected;
      // Compatibility is antisymmetric: no two shapes have the same
      // coordinates.
      if (isCompatible(shape, finer) && isCompatible(finer, shape)) {
        EXPECT_EQ(shape, finer);
      }
    }
  EXPECT_GT(numCompatible, 100);
}

TEST(IntTuple, CompatibleIsTransitive) {
  std::vector<IntTuple> shapes = manyShapes();
  for (const IntTuple &a : shapes)
    for (const IntTuple &b : shapes)
      for (const IntTuple &c : shapes)
        if (isCompatible(a, b) && isCompatible(b, c)) {
          EXPECT_TRUE(isCompatible(a, c)) << toString(a) << toString(c);
        }
}

TEST(IntTuple, WeaklyCompatibleDividesEachLeaf) {
  EXPECT_TRUE(isWeaklyCompatible(tuple("6"), tuple("(4,6)")));
  EXPECT_TRUE(isWeaklyCompatible(tuple("(2,3)"), tuple("((2,2),6)")));
  EXPECT_FALSE(isWeaklyCompatible(tuple("5"), tuple("(4,6)")));
  EXPECT_FALSE(isWeaklyCompatible(tuple("(2,4)"), tuple("((2,2),6)")));
  EXPECT_FALSE(isWeaklyCompatible(tuple("(2,3)"), tuple("6")));
  EXPECT_FALSE(isWeaklyCompatible(tuple("0"), tuple("6")));
  EXPECT_TRUE(isWeaklyCompatible(-1, INT64_MIN));
  for (const IntTuple &shape : manyShapes())
    for (const IntTuple &finer : manyShapes())
      if (isCompatible(shape, finer)) {
        EXPECT_TRUE(isWeaklyCompatible(shape, finer));
      }
}

/// Whether some multiple of each leaf of `shape`, from leaf `next` on, makes a
/// shape that is compatible with `finer`.
static bool someMultipleIsCompatible(std::vector<int64_t> &factors,
                                     const IntTuple &shape,
                                     const IntTuple &finer) {
  if (factors.size() == shape.leaves().size()) {
    size_t next = 0;
    std::function<IntTuple(const IntTuple &)> scale = [&](const IntTuple &t) {
      if (t.isLeaf())
        return IntTuple(t.value() * factors[next++]);
      std::vector<IntTuple> elements;
      for (size_t i = 0; i < t.size(); ++i)
        elements.push_back(scale(t[i]));
      return IntTuple(elements);
    };
    return isCompatible(scale(shape), finer);
  }
  for (int64_t factor = 1; factor <= finer.product(); ++factor) {
    factors.push_back(factor);
    bool found = someMultipleIsCompatible(factors, shape, finer);
    factors.pop_back();
    if (found)
      return true;
  }
  return false;
}

// By definition, shapes are compatible after each leaf is multiplied by some
// factor.
TEST(IntTuple, WeaklyCompatibleIsWhatItsDefinitionSays) {
  int numWeak = 0;
  for (const IntTuple &shape : manyShapes())
    for (const IntTuple &finer : manyShapes()) {
      if (shape.leaves().size() > 2 || finer.product() > 24)
        continue;
      std::vector<int64_t> factors;
      bool expected = someMultipleIsCompatible(factors, shape, finer);
      numWeak += expected && !isCompatible(shape, finer);
      EXPECT_EQ(isWeaklyCompatible(shape, finer), expected)
          << toString(shape) << " and " << toString(finer);
    }
  EXPECT_GT(numWeak, 20);
}

TEST(IntTuple, CoordinatesOfTheManual) {
  IntTuple shape = tuple("(3,(2,3))");
  EXPECT_EQ(idx2crd(16, tuple("(3,6)")), tuple("(1,5)"));
  EXPECT_EQ(idx2crd(16, shape), tuple("(1,(1,2))"));
  for (const char *text : {"16", "(1,5)", "(1,(1,2))"}) {
    ASSERT_TRUE(naturalCoordinate(tuple(text), shape)) << text;
    EXPECT_EQ(*naturalCoordinate(tuple(text), shape), tuple("(1,(1,2))"));
    EXPECT_EQ(crd2idx(tuple(text), shape), 16);
    EXPECT_EQ(crd2idx(tuple(text), shape, tuple("(3,(12,1))")), 17);
  }
}

// Colexicographic: read from the right, coordinates increase with the index.
TEST(IntTuple, IndexAndCoordinateUndoEachOther) {
  for (const IntTuple &shape : manyShapes()) {
    std::vector<int64_t> before;
    for (int64_t i = 0; i < shape.product(); ++i) {
      IntTuple coord = idx2crd(i, shape);
      EXPECT_TRUE(coord.congruent(shape));
      EXPECT_EQ(crd2idx(coord, shape), i) << toString(shape);
      std::vector<int64_t> digits = coord.leaves();
      std::reverse(digits.begin(), digits.end());
      EXPECT_LT(before, digits) << toString(shape) << " at " << i;
      before = digits;
    }
  }
}

// A coordinate has the same index in each of the compatible shapes in which it
// can be written.
TEST(IntTuple, CompatibleCoordinatesHaveOneIndex) {
  for (const IntTuple &shape : manyShapes())
    for (const IntTuple &finer : manyShapes())
      if (isCompatible(shape, finer))
        for (int64_t i = 0; i < shape.product(); ++i) {
          IntTuple coord = idx2crd(i, shape);
          EXPECT_EQ(crd2idx(coord, finer), i);
          EXPECT_EQ(*naturalCoordinate(coord, finer), idx2crd(i, finer));
        }
}

TEST(IntTuple, RefusesWhatIsNoCoordinate) {
  IntTuple shape = tuple("(3,(2,3))");
  EXPECT_EQ(naturalCoordinate(18, shape).error(),
            "expected a coordinate from 0 to 17, got 18");
  EXPECT_EQ(naturalCoordinate(-1, shape).error(),
            "expected a coordinate from 0 to 17, got -1");
  EXPECT_EQ(naturalCoordinate(tuple("(0,6)"), shape).error(),
            "expected a coordinate from 0 to 5, got 6");
  EXPECT_EQ(naturalCoordinate(tuple("((0,0),0)"), shape).error(),
            "expected a coordinate of the shape 3, got (0,0)");
  EXPECT_EQ(naturalCoordinate(tuple("(0,0,0)"), shape).error(),
            "expected a coordinate of the shape (3,(2,3)), got (0,0,0)");
  int64_t big = int64_t(1) << 32;
  EXPECT_FALSE(naturalCoordinate(0, makeTuple(big, big)));
}
