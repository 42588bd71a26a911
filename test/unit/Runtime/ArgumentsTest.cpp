// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Arguments.h"

#include <gtest/gtest.h>

#include <cstring>

using namespace tile::runtime;

static Argument makeArray(std::string name, ElementType type,
                          std::vector<StaticOrRunTime> shape,
                          std::vector<StaticOrRunTime> strides) {
  Argument argument;
  argument.name = std::move(name);
  argument.kind = Argument::Kind::Array;
  argument.type = type;
  argument.shape = std::move(shape);
  argument.strides = std::move(strides);
  return argument;
}

static Argument makeScalar(std::string name, ElementType type) {
  Argument argument;
  argument.name = std::move(name);
  argument.type = type;
  return argument;
}

/// Metadata of k(a: f16[?,64] strides [?,1], n: i8, c: complex<f64>), which has
/// a block for each row and two entry points.
static KernelMetadata makeKernel() {
  KernelMetadata kernel;
  kernel.name = "k";
  kernel.arch = "sm_90a";
  kernel.arguments = {
      makeArray("a", ElementType::F16, {std::nullopt, 64}, {std::nullopt, 1}),
      makeScalar("n", ElementType::I8),
      makeScalar("c", ElementType::ComplexF64)};
  kernel.grid = std::array<Expression, 3>{
      Expression::size(0, 0), Expression::scalar(1), Expression::constant(1)};
  EntryPoint promised, generic;
  promised.symbol = "promised";
  promised.predicates = {{0, Predicate::What::Pointer, 0, 16},
                         {0, Predicate::What::Stride, 0, 8}};
  generic.symbol = "general";
  kernel.entries = {promised, generic};
  return kernel;
}

static ScalarValue scalar(ElementType type, const char *text) {
  return *parseScalar(type, text);
}

static std::vector<KernelArgument> makeArguments(uint64_t address = 0x1000) {
  return {ArrayView{ElementType::F16, address, {5, 64}, {72, 1}},
          scalar(ElementType::I8, "2"), scalar(ElementType::ComplexF64, "1j")};
}

/// Returns the message about makeArguments() with another array.
static std::string refusal(ArrayView array) {
  std::vector<KernelArgument> arguments = makeArguments();
  arguments[0] = std::move(array);
  Status status = checkArguments(makeKernel(), arguments);
  return status ? "accepted" : status.error().message;
}

TEST(Arguments, AcceptsWhatFits) {
  EXPECT_TRUE(checkArguments(makeKernel(), makeArguments()));
  // A stride along a dimension of one element, or without any element, does
  // not matter; nor does a pointer to nothing.
  KernelMetadata kernel = makeKernel();
  kernel.arguments[0].shape = {std::nullopt, std::nullopt};
  std::vector<KernelArgument> arguments = makeArguments();
  arguments[0] = ArrayView{ElementType::F16, 0x1000, {5, 1}, {1, 17}};
  EXPECT_TRUE(checkArguments(kernel, arguments));
  arguments[0] = ArrayView{ElementType::F16, 0, {0, 64}, {1, 17}};
  EXPECT_TRUE(checkArguments(kernel, arguments));
  // The rows are in reverse order.
  arguments[0] = ArrayView{ElementType::F16, 0x1000, {5, 64}, {-64, 1}};
  EXPECT_TRUE(checkArguments(kernel, arguments));
}

TEST(Arguments, RefusesWhatDoesNot) {
  std::string where = "kernel 'k': argument 0 ('a'): ";
  EXPECT_EQ(refusal({ElementType::F32, 0x1000, {5, 64}, {64, 1}}),
            where + "expected an array of f16, found an array of f32");
  EXPECT_EQ(refusal({ElementType::F16, 0x1000, {5}, {1}}),
            where + "expected rank 2, found 1 (shape 5)");
  EXPECT_EQ(refusal({ElementType::F16, 0x1000, {5, 64}, {1}}),
            where + "expected 2 strides, found 1");
  EXPECT_EQ(refusal({ElementType::F16, 0x1000, {5, 32}, {64, 1}}),
            where +
                "expected size 64 along dimension 1, found 32 (shape 5x32)");
  EXPECT_EQ(refusal({ElementType::F16, 0x1000, {-5, 64}, {64, 1}}),
            where + "expected sizes of at least 0, found -5 along dimension 0");
  EXPECT_EQ(refusal({ElementType::F16, 0x1000, {5, 64}, {1, 5}}),
            where + "expected stride 1 along dimension 1, found 5 (strides "
                    "[1, 5])");
  EXPECT_EQ(refusal({ElementType::F16, 0, {5, 64}, {64, 1}}),
            where + "expected a pointer, found null");
  EXPECT_EQ(refusal({ElementType::F16, 0x1001, {5, 64}, {64, 1}}),
            where + "expected a pointer aligned to 2 bytes, found one that is "
                    "1 bytes beyond");
  std::string tooLarge = where + "expected an array of fewer than 2^63 bytes";
  EXPECT_EQ(refusal({ElementType::F16, 0x1000, {INT64_MAX, 64}, {64, 1}})
                .substr(0, tooLarge.size()),
            tooLarge);
  for (int64_t stride : {INT64_MIN, INT64_MAX, INT64_MAX / 4})
    EXPECT_EQ(refusal({ElementType::F16, 0x1000, {5, 64}, {stride, 1}})
                  .substr(0, tooLarge.size()),
              tooLarge);
}

TEST(Arguments, RefusesWrongNumbersAndKinds) {
  std::vector<KernelArgument> arguments = makeArguments();
  arguments.pop_back();
  EXPECT_EQ(checkArguments(makeKernel(), arguments).error().message,
            "kernel 'k': expected 3 arguments (a, n, c), found 2");
  arguments = makeArguments();
  std::swap(arguments[0], arguments[1]);
  EXPECT_EQ(checkArguments(makeKernel(), arguments).error().message,
            "kernel 'k': argument 0 ('a'): expected an array of f16, found a "
            "scalar of i8");
  arguments = makeArguments();
  arguments[1] = scalar(ElementType::I32, "2");
  EXPECT_EQ(checkArguments(makeKernel(), arguments).error().message,
            "kernel 'k': argument 1 ('n'): expected a scalar of i8, found a "
            "scalar of i32");
}

TEST(Plan, ComputesTheGridAndTheEntry) {
  Result<LaunchPlan> plan = planLaunch(makeKernel(), makeArguments(), {});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_EQ(plan->grid, (Grid{5, 2, 1}));
  EXPECT_EQ(plan->entry, 0u);
  EXPECT_EQ(planLaunch(makeKernel(), makeArguments(0x1002), {})->entry, 1u);
  EXPECT_EQ(planLaunch(makeKernel(), makeArguments(), Grid{7, 8, 9})->grid,
            (Grid{7, 8, 9}));
}

TEST(Plan, RefusesGrids) {
  KernelMetadata kernel = makeKernel();
  auto refusal = [&](std::optional<Grid> grid) {
    Result<LaunchPlan> plan = planLaunch(kernel, makeArguments(), grid);
    return plan ? "accepted" : plan.error().message;
  };
  EXPECT_EQ(refusal(Grid{0, 1, 1}),
            "kernel 'k': expected a grid of 1 to 2147483647 blocks along x, "
            "found 0");
  EXPECT_EQ(refusal(Grid{int64_t(1) << 31, 1, 1}),
            "kernel 'k': expected a grid of 1 to 2147483647 blocks along x, "
            "found 2147483648");
  EXPECT_EQ(refusal(Grid{1, 65536, 1}),
            "kernel 'k': expected a grid of 1 to 65535 blocks along y, found "
            "65536");
  EXPECT_EQ(refusal(Grid{1, 1, -1}),
            "kernel 'k': expected a grid of 1 to 65535 blocks along z, found "
            "-1");
  kernel.cluster = {2, 1, 1};
  EXPECT_EQ(refusal(Grid{3, 1, 1}),
            "kernel 'k': expected a grid that is a multiple of the cluster (2 "
            "blocks) along x, found 3");
  kernel.cluster = {1, 1, 1};
  (*kernel.grid)[1] =
      Expression::binary(Expression::Kind::FloorDivide, Expression::constant(1),
                         Expression::constant(0));
  EXPECT_EQ(refusal({}),
            "kernel 'k': grid y: division by zero in [\"floordiv\", 1, 0]");
  (*kernel.grid)[1] = Expression::constant(-3);
  EXPECT_EQ(refusal({}),
            "kernel 'k': expected a grid of 0 to 65535 blocks along y, found "
            "-3");
  kernel.grid.reset();
  EXPECT_EQ(refusal({}), "kernel 'k': expected a grid, as the kernel's "
                         "metadata states none");
}

// A launch with an empty grid uses no entry point, whatever they require.
TEST(Plan, MayBeEmpty) {
  std::vector<KernelArgument> arguments = makeArguments();
  arguments[0] = ArrayView{ElementType::F16, 0, {0, 64}, {64, 1}};
  KernelMetadata kernel = makeKernel();
  kernel.entries.pop_back();
  kernel.entries[0].predicates = {{1, Predicate::What::Scalar, 0, 100}};
  kernel.hiddenArguments.resize(1);
  Result<LaunchPlan> plan = planLaunch(kernel, arguments, {});
  ASSERT_TRUE(plan) << plan.error().message;
  EXPECT_TRUE(plan->isEmpty());
  EXPECT_EQ(plan->hiddenBytes.size(), 1u);
}

TEST(Plan, NamesThePredicateThatFails) {
  KernelMetadata kernel = makeKernel();
  kernel.entries.pop_back();
  EXPECT_EQ(planLaunch(kernel, makeArguments(0x1002), {}).error().message,
            "kernel 'k': argument 0 ('a'): expected a pointer that is a "
            "multiple of 16 bytes");
  kernel.entries[0].predicates = {{0, Predicate::What::Stride, 0, 16}};
  EXPECT_EQ(planLaunch(kernel, makeArguments(), {}).error().message,
            "kernel 'k': argument 0 ('a'): expected a stride along dimension 0 "
            "that is a multiple of 16");
}

TEST(Plan, ComputesWorkspaces) {
  KernelMetadata kernel = makeKernel();
  HiddenArgument workspace;
  workspace.bytes =
      Expression::binary(Expression::Kind::Multiply, Expression::size(0, 0),
                         Expression::constant(12));
  kernel.hiddenArguments = {workspace};
  EXPECT_EQ(planLaunch(kernel, makeArguments(), {})->hiddenBytes,
            std::vector<int64_t>{60});
  kernel.hiddenArguments[0].bytes = Expression::constant(-1);
  EXPECT_EQ(planLaunch(kernel, makeArguments(), {}).error().message,
            "kernel 'k': hidden argument 0: expected at least 0 bytes, found "
            "-1");
}

// The ABI passes for each array a pointer, run-time sizes and run-time strides;
// scalars in their own size; then hidden arguments.
TEST(ParameterList, HasTheOrderOfTheAbi) {
  KernelMetadata kernel = makeKernel();
  kernel.arguments.push_back(makeArray("b", ElementType::I1,
                                       {std::nullopt, 3, std::nullopt},
                                       {1, std::nullopt, std::nullopt}));
  kernel.hiddenArguments.resize(1);
  std::vector<KernelArgument> arguments = makeArguments();
  arguments.push_back(ArrayView{ElementType::I1, 0x77, {4, 3, 2}, {1, 4, 12}});
  ParameterList parameters(kernel, arguments, {0x99});
  std::vector<int64_t> sizes = getParameterSizes(kernel);
  EXPECT_EQ(sizes, (std::vector<int64_t>{8, 8, 8, 1, 16, 8, 8, 8, 8, 8, 8}));
  ASSERT_EQ(parameters.size(), sizes.size());
  auto integer = [&](size_t position) {
    int64_t value = 0;
    std::memcpy(&value, parameters.data()[position],
                size_t(std::min<int64_t>(8, sizes[position])));
    return value;
  };
  const int64_t expected[] = {0x1000, 5, 72, 2, 0, 0x77, 4, 2, 4, 12, 0x99};
  for (size_t i = 0; i < sizes.size(); ++i)
    EXPECT_EQ(integer(i), expected[i]) << i;
  double imaginary;
  std::memcpy(&imaginary, static_cast<char *>(parameters.data()[4]) + 8, 8);
  EXPECT_EQ(imaginary, 1.0);
}

// The sign of an i8 is extended in expressions.
TEST(Plan, ExtendsTheSignOfScalars) {
  std::vector<KernelArgument> arguments = makeArguments();
  arguments[1] = scalar(ElementType::I8, "-2");
  EXPECT_EQ(planLaunch(makeKernel(), arguments, {}).error().message,
            "kernel 'k': expected a grid of 0 to 65535 blocks along y, found "
            "-2");
}

TEST(ArgumentsTest, ExtentOfAnArray) {
  // Rows of a wider array extend to the end of the last element.
  ArrayExtent rows = getExtent({ElementType::F16, 0x1000, {3, 5}, {8, 1}});
  EXPECT_EQ(rows.first, 0x1000u);
  EXPECT_EQ(rows.size, 2u * (2 * 8 + 4 + 1));
  EXPECT_EQ(rows.byteStrides, (std::vector<int64_t>{16, 2}));
  // Reversed rows extend from the first element of the last row.
  ArrayExtent back = getExtent({ElementType::F32, 0x1000, {3, 2}, {-4, 1}});
  EXPECT_EQ(back.first, 0x1000u - 32);
  EXPECT_EQ(back.size, 4u * (2 * 4 + 1 + 1));
  EXPECT_EQ(back.byteStrides, (std::vector<int64_t>{16, 4}));
  // An array of equal elements with stride 0, an array of rank 0, and an empty
  // array.
  EXPECT_EQ(getExtent({ElementType::F64, 64, {9}, {0}}).size, 8u);
  EXPECT_EQ(getExtent({ElementType::I8, 64, {}, {}}).size, 1u);
  ArrayExtent empty = getExtent({ElementType::F32, 64, {4, 0}, {-8, 1}});
  EXPECT_EQ(empty.first, 64u);
  EXPECT_EQ(empty.size, 0u);
}

TEST(ArgumentsTest, EntryByName) {
  KernelMetadata kernel = makeKernel();
  EXPECT_EQ(*findEntry(kernel, makeArguments(), "general"), 1u);
  EXPECT_EQ(*findEntry(kernel, makeArguments(), "promised"), 0u);
  EXPECT_EQ(
      findEntry(kernel, makeArguments(0x1002), "promised").error().message,
      "kernel 'k', entry point 'promised': argument 0 ('a'): expected a "
      "pointer that is a multiple of 16 bytes");
  EXPECT_EQ(findEntry(kernel, makeArguments(), "k").error().message,
            "kernel 'k': expected one of the entry points 'promised', "
            "'general', found 'k'");
}
