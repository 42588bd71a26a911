// CopyPlanTest.cpp - how a box of an array is copied to shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/CopyPlan.h"

#include "gtest/gtest.h"

using namespace mlir;
using namespace tile;

namespace {
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

// What is known of the alignment is used, for what has bytes.
TEST_F(CopyPlans, MethodsFollowTheAlignment) {
  auto getMethod = [&](Type element, int64_t arrayDim, int64_t arrayVector,
                       int64_t columns) {
    return planCopy(getArray(2, arrayDim, element), {8, columns}, /*fastest=*/1,
                    arrayVector, /*bufferVector=*/8, /*numWarps=*/1,
                    /*isCovering=*/false)
        .method;
  };
  Type f16 = builder.getF16Type(), f32 = builder.getF32Type();
  EXPECT_EQ(getMethod(f16, 1, 8, 64), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(f16, 1, 2, 64), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(f16, 1, 1, 64), CopyMethod::kElements);
  EXPECT_EQ(getMethod(f16, 0, 8, 64), CopyMethod::kElements);
  EXPECT_EQ(getMethod(f32, 1, 1, 63), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(f32, 0, 4, 64), CopyMethod::kVectors);
  EXPECT_EQ(getMethod(builder.getI1Type(), 1, 1, 64), CopyMethod::kElements);
  EXPECT_EQ(getMethod(ComplexType::get(f32), 1, 1, 64), CopyMethod::kElements);
}

// A row that is covered takes chunks of 16 bytes, whatever is known.
TEST_F(CopyPlans, CoversAreChunks) {
  for (unsigned bits : {8, 16}) {
    CopyPlan plan = planCopy(getArray(2, 1, builder.getIntegerType(bits)),
                             {64, 64}, /*fastest=*/1, /*arrayVector=*/1,
                             /*bufferVector=*/16, /*numWarps=*/4,
                             /*isCovering=*/true);
    EXPECT_EQ(plan.method, CopyMethod::kVectors);
    EXPECT_EQ(plan.vector, 128 / bits);
  }
}
} // namespace
