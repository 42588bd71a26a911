// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/KernelMetadata.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

using namespace tile::runtime;
using Kind = Expression::Kind;

static constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
static constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

static Result<int64_t> evaluateBinary(Kind kind, int64_t lhs, int64_t rhs) {
  return evaluate(Expression::binary(kind, Expression::constant(lhs),
                                     Expression::constant(rhs)),
                  {});
}

// Each division rounds as its name states, for all four combinations of signs,
// and the remainder is that of floordiv.
TEST(Expression, DividesWithAllSigns) {
  for (int64_t lhs = -20; lhs <= 20; ++lhs)
    for (int64_t rhs = -7; rhs <= 7; ++rhs) {
      if (rhs == 0)
        continue;
      double exact = double(lhs) / double(rhs);
      int64_t floor = *evaluateBinary(Kind::FloorDivide, lhs, rhs);
      int64_t remainder = *evaluateBinary(Kind::Modulo, lhs, rhs);
      EXPECT_EQ(floor, std::floor(exact)) << lhs << " / " << rhs;
      EXPECT_EQ(*evaluateBinary(Kind::CeilDivide, lhs, rhs), std::ceil(exact));
      EXPECT_EQ(floor * rhs + remainder, lhs);
      EXPECT_TRUE(rhs > 0 ? remainder >= 0 && remainder < rhs
                          : remainder <= 0 && remainder > rhs);
    }
}

TEST(Expression, EvaluatesArithmetic) {
  EXPECT_EQ(*evaluateBinary(Kind::Add, 3, -5), -2);
  EXPECT_EQ(*evaluateBinary(Kind::Subtract, 3, -5), 8);
  EXPECT_EQ(*evaluateBinary(Kind::Multiply, 3, -5), -15);
  EXPECT_EQ(*evaluateBinary(Kind::Minimum, 3, -5), -5);
  EXPECT_EQ(*evaluateBinary(Kind::Maximum, 3, -5), 3);
  EXPECT_EQ(*evaluateBinary(Kind::Modulo, kMin, -1), 0);
  EXPECT_EQ(*evaluateBinary(Kind::CeilDivide, kMax, 2), kMax / 2 + 1);
}

TEST(Expression, RefusesOverflow) {
  EXPECT_EQ(evaluateBinary(Kind::Add, kMax, 1).error().message,
            "overflow of 64 bits in [\"+\", 9223372036854775807, 1]");
  EXPECT_FALSE(evaluateBinary(Kind::Subtract, kMin, 1));
  EXPECT_FALSE(evaluateBinary(Kind::Multiply, kMax, 2));
  EXPECT_FALSE(evaluateBinary(Kind::FloorDivide, kMin, -1));
  EXPECT_FALSE(evaluateBinary(Kind::CeilDivide, kMin, -1));
}

TEST(Expression, RefusesDivisionByZero) {
  EXPECT_EQ(evaluateBinary(Kind::FloorDivide, 1, 0).error().message,
            "division by zero in [\"floordiv\", 1, 0]");
  EXPECT_FALSE(evaluateBinary(Kind::CeilDivide, 1, 0));
  EXPECT_FALSE(evaluateBinary(Kind::Modulo, 1, 0));
}

TEST(Expression, ReadsArguments) {
  std::vector<ArgumentFacts> facts(2);
  facts[0].sizes = {7, 5};
  facts[0].strides = {-5, 1};
  facts[1].integer = 42;
  EXPECT_EQ(*evaluate(Expression::size(0, 1), facts), 5);
  EXPECT_EQ(*evaluate(Expression::stride(0, 0), facts), -5);
  EXPECT_EQ(*evaluate(Expression::scalar(1), facts), 42);
  EXPECT_EQ(evaluate(Expression::size(0, 2), facts).error().message,
            "expected a dimension below 2 in [\"size\", 0, 2]");
  EXPECT_EQ(evaluate(Expression::scalar(2), facts).error().message,
            "expected an argument below 2 in [\"arg\", 2]");
  EXPECT_FALSE(evaluate(Expression::size(-1, 0), facts));
}

TEST(Predicate, Holds) {
  std::vector<ArgumentFacts> facts(2);
  facts[0].address = 0xffffffffffffff10;
  facts[0].sizes = {12};
  facts[0].strides = {-8};
  facts[1].integer = -6;
  EXPECT_TRUE(holds({0, Predicate::What::Pointer, 0, 16}, facts));
  EXPECT_FALSE(holds({0, Predicate::What::Pointer, 0, 32}, facts));
  EXPECT_TRUE(holds({0, Predicate::What::Size, 0, 4}, facts));
  EXPECT_FALSE(holds({0, Predicate::What::Size, 0, 8}, facts));
  EXPECT_TRUE(holds({0, Predicate::What::Stride, 0, 8}, facts));
  EXPECT_FALSE(holds({0, Predicate::What::Stride, 0, 16}, facts));
  EXPECT_TRUE(holds({1, Predicate::What::Scalar, 0, 3}, facts));
  EXPECT_FALSE(holds({1, Predicate::What::Scalar, 0, 4}, facts));
}
