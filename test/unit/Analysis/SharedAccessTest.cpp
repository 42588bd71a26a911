// SharedAccessTest.cpp - compares access plans with the fragments of the PTX
// ISA
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Fragments.h"
#include "tile/Analysis/SharedLayout.h"

#include "gtest/gtest.h"

#include <set>

using namespace mlir;
using namespace tile;

namespace {

/// Returns a tiling by mma.m16n8k16.
Tiling getMmaTiling(int64_t warpsM, int64_t warpsN, int64_t subM,
                    int64_t subN) {
  Tiling tiling;
  static MLIRContext context;
  context.loadDialect<TileDialect>();
  tiling.instruction =
      MmaAttr::get(&context, {16, 8, 16}, Float16Type::get(&context),
                   Float32Type::get(&context));
  tiling.warps[0] = warpsM;
  tiling.warps[1] = warpsN;
  tiling.sub[0] = subM;
  tiling.sub[1] = subN;
  return tiling;
}

using Coordinate = std::vector<int64_t>;

/// Returns the coordinates of the two elements that lane `lane` receives in
/// register `matrix` of the ldmatrix whose first value is `value` (PTX ISA,
/// "ldmatrix"). Row r of the matrix is eight contiguous elements from the
/// address of lane 8 * matrix + r on.
std::pair<Coordinate, Coordinate> simulateLdmatrix(const AccessPlan &plan,
                                                   int64_t lane, int64_t warp,
                                                   int64_t value,
                                                   int64_t matrix) {
  auto element = [&](int64_t row, int64_t column) {
    Coordinate at = plan.layout.coordinate(8 * matrix + row, warp, value);
    at[plan.dim] += column;
    return at;
  };
  int64_t major = lane / 4, minor = 2 * (lane % 4);
  if (plan.kind == AccessKind::kLdmatrixTransposed)
    return {element(minor, major), element(minor + 1, major)};
  return {element(major, minor), element(major, minor + 1)};
}

// Every lane gets the A fragment of mma.m16n8k16 (PTX ISA, "Matrix Fragments
// for mma.m16n8k16"): registers 0 and 1 have rows lane / 4 and lane / 4 + 8;
// registers 2 and 3 have these rows, 8 further along K.
TEST(OperandPlan, LhsFragmentsInBothOrders) {
  Tiling tiling = getMmaTiling(2, 2, 2, 4);
  SmallVector<int64_t> box = getOperandBox(tiling, 0, 48);
  for (int64_t fastest : {0, 1}) {
    AccessPlan plan = getOperandPlan(tiling, 0, box, fastest, 2, 4);
    EXPECT_EQ(plan.kind, fastest == 1 ? AccessKind::kLdmatrix
                                      : AccessKind::kLdmatrixTransposed);
    for (int64_t warp = 0; warp < 4; ++warp)
      for (int64_t lane = 0; lane < kWarpSize; ++lane)
        for (int64_t step = 0; step < 3; ++step)
          for (int64_t m = 0; m < 2; ++m)
            for (int64_t i = 0; i < 4; ++i) {
              int64_t row = (warp % 2 * 2 + m) * 16 + lane / 4 + i % 2 * 8;
              int64_t k = step * 16 + lane % 4 * 2 + i / 2 * 8;
              auto [low, high] =
                  simulateLdmatrix(plan, lane, warp, (step * 2 + m) * 8, i);
              EXPECT_EQ(low, (Coordinate{row, k}));
              EXPECT_EQ(high, (Coordinate{row, k + 1}));
            }
  }
}

// The B fragment: the second register is 8 further along K, and pairs of
// registers are 8 further along N if the count of those steps is even.
TEST(OperandPlan, RhsFragmentsInBothOrders) {
  for (int64_t subN : {1, 3, 4})
    for (int64_t fastest : {0, 1}) {
      Tiling tiling = getMmaTiling(2, 2, 1, subN);
      SmallVector<int64_t> box = getOperandBox(tiling, 1, 32);
      AccessPlan plan = getOperandPlan(tiling, 1, box, fastest, 2, 4);
      int64_t perLoad = plan.matrices / 2, loads = subN / perLoad;
      EXPECT_EQ(perLoad, subN % 2 == 0 ? 2 : 1);
      for (int64_t warp = 0; warp < 4; ++warp)
        for (int64_t lane = 0; lane < kWarpSize; ++lane)
          for (int64_t step = 0; step < 2; ++step)
            for (int64_t n = 0; n < subN; ++n)
              for (int64_t i = 0; i < 2; ++i) {
                int64_t column = (warp / 2 * subN + n) * 8 + lane / 4;
                int64_t k = step * 16 + lane % 4 * 2 + i * 8;
                auto [low, high] = simulateLdmatrix(
                    plan, lane, warp, (step * loads + n / perLoad) * 8,
                    n % perLoad * 2 + i);
                EXPECT_EQ(low, (Coordinate{k, column}));
                EXPECT_EQ(high, (Coordinate{k + 1, column}));
              }
    }
}

// In a batch each warp reads, matrix by matrix, the fragments of a single
// matmul; all warps along the batch read an operand of rank 2.
TEST(OperandPlan, BatchesRepeatTheirMatmul) {
  Tiling one = getMmaTiling(2, 1, 2, 4);
  Tiling batch = one;
  batch.warps[kBatchAxis] = 3;
  batch.sub[kBatchAxis] = 2;
  batch.hasBatch[0] = true;
  for (int operand : {0, 1})
    for (int64_t fastest : {0, 1}) {
      AccessPlan single = getOperandPlan(
          one, operand, getOperandBox(one, operand, 48), fastest, 2, 2);
      SmallVector<int64_t> box = getOperandBox(batch, operand, 48);
      int64_t leading = box.size() - 2;
      EXPECT_EQ(leading, operand == 0 ? 1 : 0);
      AccessPlan plan =
          getOperandPlan(batch, operand, box, leading + fastest, 2, 12);
      EXPECT_EQ(plan.dim, leading + single.dim);
      int64_t numValues = single.layout.getNumValues();
      EXPECT_EQ(plan.layout.getNumValues(), numValues * (1 + leading));
      for (int64_t warp = 0; warp < 12; ++warp)
        for (int64_t value = 0; value < plan.layout.getNumValues(); ++value) {
          Coordinate at =
              single.layout.coordinate(9, warp % 2, value % numValues);
          if (leading == 1)
            at.insert(at.begin(), warp / 2 % 3 * 2 + value / numValues);
          EXPECT_EQ(plan.layout.coordinate(9, warp, value), at);
        }
    }
}

// A tile in registers as fragments is read by ldmatrix: each register of a lane
// receives the two elements that the layout specifies, in both orders.
TEST(MatrixPlan, HandsOutWhatLanesHold) {
  MLIRContext context;
  Type f16 = Float16Type::get(&context);
  for (int64_t subN : {1, 3, 4})
    for (int operand : {0, 1})
      for (int64_t fastest : {0, 1}) {
        Tiling tiling = getMmaTiling(2, 2, 2, subN);
        RegisterLayout layout = getFragmentLayout(tiling, operand, 48, 4);
        std::optional<AccessPlan> plan = getMatrixPlan(layout, fastest, f16);
        ASSERT_TRUE(plan);
        EXPECT_EQ(plan->matrices, operand == 0 || subN == 4 ? 4 : 2);
        for (int64_t warp = 0; warp < 4; ++warp)
          for (int64_t lane = 0; lane < kWarpSize; ++lane)
            for (int64_t i = 0; i < layout.getNumValues() / 2; ++i) {
              auto [low, high] =
                  simulateLdmatrix(*plan, lane, warp, i / plan->matrices * 8,
                                   i % plan->matrices);
              EXPECT_EQ(low, layout.coordinate(lane, warp, 2 * i));
              EXPECT_EQ(high, layout.coordinate(lane, warp, 2 * i + 1));
            }
      }
}

// ldmatrix moves elements of at least 16 bits, transposed ones of exactly 16
// bits, and distributes them over the lanes in only one way.
TEST(MatrixPlan, IsNoneForOtherElementsAndLayouts) {
  MLIRContext context;
  Type i8 = IntegerType::get(&context, 8);
  Type f32 = Float32Type::get(&context);
  RegisterLayout layout = getFragmentLayout(getMmaTiling(2, 2, 2, 4), 0, 48, 4);
  EXPECT_FALSE(getMatrixPlan(layout, 1, i8));
  EXPECT_FALSE(getMatrixPlan(layout, 1, f32));
  RegisterLayout rows = RegisterLayout::blocked({64, 48}, 8, 4);
  EXPECT_FALSE(getMatrixPlan(rows, 1, Float16Type::get(&context)));
}

// A copy writes each element of its box once per replica.
TEST(CopyPlan, CoversTheBox) {
  for (SmallVector<int64_t> box :
       {SmallVector<int64_t>{64, 64}, {17, 40}, {5, 7}, {3, 6, 10}, {100}})
    for (int64_t fastest = 0; fastest < static_cast<int64_t>(box.size());
         ++fastest) {
      AccessPlan plan = getCopyPlan(box, fastest, 8, 4);
      EXPECT_EQ(box[fastest] % plan.vector, 0);
      std::set<Coordinate> written;
      for (int64_t warp = 0; warp < 4; ++warp)
        for (int64_t lane = 0; lane < kWarpSize; ++lane)
          for (int64_t value = 0; value < plan.layout.getNumValues(); ++value)
            written.insert(plan.layout.coordinate(lane, warp, value));
      int64_t inside = 0;
      for (const Coordinate &at : written) {
        bool isInside = true;
        for (size_t dim = 0; dim < at.size(); ++dim)
          isInside &= at[dim] < box[dim];
        inside += isInside;
      }
      int64_t elements = 1;
      for (int64_t extent : box)
        elements *= extent;
      EXPECT_EQ(inside, elements);
    }
}

class SharedLayouts : public ::testing::Test {
protected:
  SharedLayouts() { context.loadDialect<TileDialect>(); }

  /// Chooses the layout for a matmul that reads `operand` with K = `k`;
  /// returns it with the wavefronts of its reads and copies.
  std::pair<SharedAttr, Wavefronts> choose(const Tiling &tiling, int operand,
                                           int64_t k, int64_t fastest) {
    SmallVector<int64_t> box = getOperandBox(tiling, operand, k);
    SmallVector<AccessPlan> plans = {
        getOperandPlan(tiling, operand, box, fastest, 2, 4),
        getCopyPlan(box, fastest, 8, 4)};
    SharedAttr shared = chooseSharedLayout(&context, box, fastest, 2, plans);
    Wavefronts sum;
    for (const AccessPlan &plan : plans) {
      Wavefronts wavefronts = countPlanWavefronts(plan, shared, 2);
      sum.actual += wavefronts.actual;
      sum.minimal += wavefronts.minimal;
    }
    return {shared, sum};
  }

  MLIRContext context;
};

// The tiles of f16 matmuls have no bank conflicts in either order.
TEST_F(SharedLayouts, MatmulsOfF16HaveNoConflicts) {
  for (int64_t k : {32, 64, 128})
    for (int operand : {0, 1})
      for (int64_t fastest : {0, 1}) {
        auto [shared, sum] =
            choose(getMmaTiling(2, 2, 4, 8), operand, k, fastest);
        EXPECT_EQ(sum.conflicts(), 0);
      }
}

// A swizzle permutes the buffer's own bytes.
TEST_F(SharedLayouts, SwizzlesStayInTheBuffer) {
  for (int64_t k : {16, 32, 48, 64, 80})
    for (int64_t subN : {1, 2, 3, 8}) {
      auto [shared, sum] = choose(getMmaTiling(2, 2, 1, subN), 1, k, 1);
      std::set<int64_t> offsets;
      SmallVector<int64_t> box = shared.getBox();
      const Layout &layout = shared.getLayout().getValue();
      for (int64_t row = 0; row < box[0]; ++row)
        for (int64_t column = 0; column < box[1]; ++column) {
          int64_t offset = 2 * (layout.mode(0)(row) + layout.mode(1)(column));
          if (SwizzleAttr swizzle = shared.getSwizzle())
            offset = swizzle.getSwizzle().apply(offset);
          offsets.insert(offset);
        }
      EXPECT_EQ(static_cast<int64_t>(offsets.size()), box[0] * box[1]);
      EXPECT_LE(*offsets.rbegin() + 2, getBufferBytes(shared, 2));
    }
}

// An access may be as wide as the alignment that all strides preserve.
TEST_F(SharedLayouts, WidestAlignedAccess) {
  auto rows = [&](int64_t stride, SwizzleAttr swizzle) {
    IntTuple shape(std::vector<IntTuple>{IntTuple(8), IntTuple(16)});
    IntTuple strides(std::vector<IntTuple>{IntTuple(stride), IntTuple(1)});
    return SharedAttr::get(
        &context, LayoutAttr::get(&context, *Layout::get(shape, strides)),
        swizzle, 16);
  };
  EXPECT_EQ(getMaxVector(rows(16, {}), 2), 8);
  EXPECT_EQ(getMaxVector(rows(18, {}), 2), 2);
  EXPECT_EQ(getMaxVector(rows(17, {}), 2), 1);
  EXPECT_EQ(getMaxVector(rows(16, SwizzleAttr::get(&context, 1, 3, 3)), 2), 4);
  EXPECT_EQ(getMaxVector(rows(16, {}), 4), 4);
}

// The accumulator has each element of the padded result once per replica.
TEST(AccumulatorLayout, CoversTheTiling) {
  for (int64_t numWarps : {4, 8}) {
    RegisterLayout layout =
        getAccumulatorLayout(getMmaTiling(2, 2, 3, 5), numWarps);
    EXPECT_EQ(layout.getBox(), (Coordinate{96, 80}));
    EXPECT_EQ(layout.getReplication(RegisterLayout::kWarp), numWarps / 4);
    EXPECT_EQ(layout.coordinate(5, 0, 0), (Coordinate{1, 2}));
    EXPECT_EQ(layout.coordinate(5, 0, 3), (Coordinate{9, 3}));
  }
}

} // namespace
