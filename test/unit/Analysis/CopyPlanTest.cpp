// CopyPlanTest.cpp - how a box of an array is copied to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/CopyPlan.h"

#include "gtest/gtest.h"

#include <map>

using namespace mlir;
using namespace tile;

namespace {
using Coordinate = std::vector<int64_t>;

class CopyPlans : public ::testing::Test {
protected:
  CopyPlans() : builder(&context) { context.loadDialect<TileDialect>(); }

  /// An array of `rank` run-time extents, contiguous along `dim`.
  MemRefType getArray(int64_t rank, int64_t dim, Type element) {
    SmallVector<int64_t> shape(rank, ShapedType::kDynamic), strides = shape;
    strides[dim] = 1;
    return MemRefType::get(shape, element,
                           StridedLayoutAttr::get(&context, 0, strides));
  }

  MLIRContext context;
  Builder builder;
};

// Each element of the box is in the words of one thread, in one class, which is
// that of its row; words begin at multiples of their elements.
TEST_F(CopyPlans, WordsCoverTheBoxInClasses) {
  for (unsigned bits : {8, 16})
    for (SmallVector<int64_t> box : {SmallVector<int64_t>{64, 64},
                                     {17, 40},
                                     {5, 8},
                                     {3, 6, 12},
                                     {100},
                                     {1, 24},
                                     {128, 4}})
      for (int64_t numWarps : {1, 4, 6}) {
        int64_t rank = box.size(), fastest = rank - 1, word = 32 / bits;
        MemRefType array =
            getArray(rank, fastest, builder.getIntegerType(bits));
        CopyPlan plan = planCopy(array, box, fastest, /*arrayVector=*/1,
                                 /*bufferVector=*/16, numWarps);
        ASSERT_EQ(plan.method, CopyMethod::kWords);
        EXPECT_EQ(plan.vector, word);
        int64_t rowDim = rank - 2;
        EXPECT_EQ(plan.numClasses, rowDim >= 0 && box[rowDim] > 1 ? word : 1);
        const RegisterLayout &layout = plan.layout;
        int64_t ofClass = layout.getNumValues() / plan.numClasses;
        std::map<Coordinate, int64_t> classOf;
        for (int64_t warp = 0; warp < numWarps; ++warp)
          for (int64_t lane = 0; lane < kWarpSize; ++lane)
            for (int64_t value = 0; value < layout.getNumValues(); ++value) {
              Coordinate at = layout.coordinate(lane, warp, value);
              EXPECT_EQ(at[fastest] % word, value % word);
              auto [it, isNew] = classOf.try_emplace(at, value / ofClass);
              EXPECT_EQ(it->second, value / ofClass);
              if (plan.numClasses > 1)
                EXPECT_EQ(at[rowDim] % word, value / ofClass);
            }
        int64_t inside = 0, elements = 1;
        for (const auto &[at, number] : classOf)
          inside += llvm::all_of(llvm::zip(at, box), [](auto pair) {
            return std::get<0>(pair) < std::get<1>(pair);
          });
        for (int64_t extent : box)
          elements *= extent;
        EXPECT_EQ(inside, elements);
      }
}

// What is known of the alignment is used; words are for what has bytes, and
// for rows and buffers that they divide.
TEST_F(CopyPlans, MethodsFollowTheAlignment) {
  auto getMethod = [&](Type element, int64_t arrayDim, int64_t arrayVector,
                       int64_t columns) {
    return planCopy(getArray(2, arrayDim, element), {8, columns}, /*fastest=*/1,
                    arrayVector, /*bufferVector=*/8, /*numWarps=*/1)
        .method;
  };
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  EXPECT_EQ(getMethod(f16, 1, 8, 64), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(f16, 1, 2, 64), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(f16, 1, 1, 64), CopyMethod::kWords);
  EXPECT_EQ(getMethod(f16, 1, 1, 63), CopyMethod::kElements);
  EXPECT_EQ(getMethod(f16, 0, 8, 64), CopyMethod::kElements);
  EXPECT_EQ(getMethod(f32, 1, 1, 63), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(f32, 0, 4, 64), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(builder.getI1Type(), 1, 1, 64), CopyMethod::kElements);
  EXPECT_EQ(getMethod(ComplexType::get(f32), 1, 1, 64), CopyMethod::kElements);
}

// One class after the other: its rows are `classes` apart, and a warp's access
// is side by side.
TEST_F(CopyPlans, WordsOfAWarpAreNeighbours) {
  CopyPlan plan = planCopy(getArray(2, 1, builder.getF16Type()), {128, 64},
                           /*fastest=*/1, /*arrayVector=*/1,
                           /*bufferVector=*/8, /*numWarps=*/4);
  for (int64_t lane = 0; lane < kWarpSize; ++lane)
    EXPECT_EQ(plan.layout.coordinate(lane, 0, 0), (Coordinate{0, 2 * lane}));
  EXPECT_EQ(plan.layout.coordinate(0, 1, 0), (Coordinate{2, 0}));
  EXPECT_EQ(plan.layout.coordinate(0, 0, 2), (Coordinate{8, 0}));
  EXPECT_EQ(plan.layout.coordinate(0, 0, 32), (Coordinate{1, 0}));
}
} // namespace
