// ResultTest.cpp - tests Result: a value, or the reason why there is none
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Layout/Result.h"

#include "gtest/gtest.h"

#include <vector>

using namespace tile;

TEST(Result, HoldsAValue) {
  Result<int> result = 3;
  ASSERT_TRUE(result);
  EXPECT_EQ(*result, 3);
  *result = 4;
  EXPECT_EQ(*result, 4);
}

TEST(Result, HoldsAnError) {
  Result<int> result = Result<int>::failure("expected a number");
  EXPECT_FALSE(result);
  EXPECT_EQ(result.error(), "expected a number");
}

// A type without a default constructor and a value that converts to false.
TEST(Result, NeedsNoDefaultValue) {
  struct Integer {
    explicit Integer(int value) : value(value) {}
    int value;
  };
  Result<Integer> result = Integer(0);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->value, 0);
  Result<bool> no = false;
  ASSERT_TRUE(no);
  EXPECT_FALSE(*no);
}

// An error of T = std::string is not taken for a value.
TEST(Result, TellsAStringFromAMessage) {
  EXPECT_TRUE(Result<std::string>("text"));
  EXPECT_FALSE(Result<std::string>::failure("text"));
}

// The vector of a temporary result must outlive the loop over it.
TEST(Result, MovesOutOfTemporaries) {
  auto make = [] { return Result<std::vector<int>>({1, 2, 3}); };
  int sum = 0;
  for (int i : *make())
    sum += i;
  EXPECT_EQ(sum, 6);
}
