// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/HostFunction.h"

#include <gtest/gtest.h>

using namespace tile::runtime;

static Argument makeArray(std::string name, ElementType type, size_t rank) {
  Argument argument;
  argument.name = std::move(name);
  argument.kind = Argument::Kind::Array;
  argument.type = type;
  argument.access = Access::ReadWrite;
  argument.shape.resize(rank);
  argument.strides.resize(rank);
  return argument;
}

static Argument makeScalar(std::string name, ElementType type) {
  Argument argument;
  argument.name = std::move(name);
  argument.type = type;
  return argument;
}

/// Metadata of k(a: f32[?,?], n: i32, s: f16), without a grid.
static KernelMetadata makeKernel() {
  KernelMetadata kernel;
  kernel.name = "k";
  kernel.arch = "cpu";
  kernel.block = {32, 1, 1};
  kernel.arguments = {makeArray("a", ElementType::F32, 2),
                      makeScalar("n", ElementType::I32),
                      makeScalar("s", ElementType::F16)};
  return kernel;
}

static Expression product(Expression lhs, Expression rhs) {
  return Expression::binary(Expression::Kind::Multiply, std::move(lhs),
                            std::move(rhs));
}

/// A function main(x: f32[?], s: f16) that launches k(x as rows of 3 from
/// element 1 on, size of x, s), then k(temporary of size of x by 2, 7, 0.5).
static HostFunction makeFunction() {
  HostFunction function;
  function.name = "main";
  function.arguments = {makeArray("x", ElementType::F32, 1),
                        makeScalar("s", ElementType::F16)};
  Expression size = Expression::size(0, 0);
  function.temporaries = {{ElementType::F32, {size, Expression::constant(2)}}};

  LaunchArgument rows;
  rows.offset = Expression::constant(1);
  rows.shape = {Expression::binary(Expression::Kind::FloorDivide, size,
                                   Expression::constant(3)),
                Expression::constant(3)};
  rows.strides = {product(Expression::constant(3), Expression::stride(0, 0)),
                  Expression::stride(0, 0)};
  LaunchArgument length;
  length.kind = LaunchArgument::Kind::Integer;
  length.value = size;
  LaunchArgument scalar;
  scalar.kind = LaunchArgument::Kind::Scalar;
  scalar.index = 1;
  Launch first;
  first.kernel = "k";
  first.grid = {Expression::constant(5), size, Expression::constant(1)};
  first.arguments = {rows, length, scalar};

  LaunchArgument temporary;
  temporary.kind = LaunchArgument::Kind::Temporary;
  temporary.shape = {size, Expression::constant(2)};
  temporary.strides = {Expression::constant(2), Expression::constant(1)};
  LaunchArgument seven;
  seven.kind = LaunchArgument::Kind::Integer;
  seven.value = Expression::constant(7);
  LaunchArgument half;
  half.kind = LaunchArgument::Kind::ConstantScalar;
  half.text = "0x1p-1";
  Launch second = first;
  second.arguments = {temporary, seven, half};
  function.launches = {first, second};
  return function;
}

static ModuleMetadata makeModule() {
  ModuleMetadata module;
  module.kernels = {makeKernel()};
  module.functions = {makeFunction()};
  return module;
}

static std::vector<KernelArgument> makeArguments(int64_t size) {
  ArrayView x;
  x.address = 4096;
  x.sizes = {size};
  x.strides = {10};
  return {x, *parseScalar(ElementType::F16, "-2")};
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

TEST(HostFunction, IsReadAsItIsWritten) {
  std::string text = toJson(makeModule());
  EXPECT_NE(text.find("\"functions\": ["), text.npos);
  Result<ModuleMetadata> read = fromJson(text, "k.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == makeModule());
  EXPECT_EQ(toJson(*read), text);
  ModuleMetadata other = makeModule();
  other.functions[0].launches[1].arguments[2].text = "0x1p-2";
  EXPECT_FALSE(*read == other);
  // Metadata with only kernels has no key that older readers do not know.
  other.functions.clear();
  EXPECT_EQ(toJson(other).find("functions"), text.npos);
}

TEST(HostFunction, HasConstants) {
  ModuleMetadata module = makeModule();
  HostFunction &function = module.functions[0];
  function.temporaries.push_back({ElementType::F16,
                                  {Expression::constant(2)},
                                  std::string("\x00\x3c\x00\xc0", 4)});
  std::string text = toJson(module);
  EXPECT_NE(text.find("\"content\": \"003c00c0\""), text.npos) << text;
  Result<ModuleMetadata> read = fromJson(text, "k.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == module);

  text.replace(text.find("003c00c0"), 8, "003c0gc0");
  EXPECT_EQ(fromJson(text, "k.json").error().message,
            "k.json: function 'main': temporary 1: expected 'content' of pairs "
            "of digits 0 to 9 and a to f, found another from place 4 on");
  function.temporaries[1].content.pop_back();
  EXPECT_FALSE(*read == module);
  EXPECT_EQ(getTemporaryBytes(function, makeArguments(11)).error().message,
            "function 'main': temporary 1: expected a 'content' of 4 bytes, "
            "found 3");
}

/// Returns the error for the module's text with `from` replaced by `to`.
static std::string refusal(const std::string &from, const std::string &to) {
  std::string text = toJson(makeModule());
  size_t position = text.find(from, text.find("\"functions\""));
  if (position == text.npos)
    return "no " + from + " in " + text;
  text.replace(position, from.size(), to);
  Result<ModuleMetadata> read = fromJson(text, "k.json");
  return read ? "accepted" : read.error().message;
}

TEST(HostFunction, RefusesWrongForms) {
  std::string where = "k.json: function 'main': ";
  EXPECT_EQ(refusal("\"name\": \"main\"", "\"name\": \"\""),
            "k.json: function '': expected a 'name' that is not empty");
  EXPECT_EQ(refusal("\"name\": \"main\"", "\"name\": \"k\""),
            "k.json: function 'k': expected a name that no kernel has");
  EXPECT_EQ(refusal("\"name\": \"main\"", "\"name\": \"main\", \"x\": 1"),
            where + "expected no key 'x' in schema 1");
  EXPECT_EQ(refusal("\"kernel\": \"k\"", "\"kernel\": \"l\""),
            where + "launch 0 ('l'): expected one of the kernels, found 'l'");
  EXPECT_EQ(refusal("\"grid\": [5, [\"size\", 0, 0], 1]", "\"grid\": null"),
            where + "launch 0 ('k'): expected a 'grid', as the kernel has "
                    "none");
  EXPECT_EQ(refusal("\"grid\": [5, ", "\"grid\": ["),
            where + "launch 0: expected 'grid' to be null or 3 expressions, "
                    "found 2");
  EXPECT_EQ(refusal("\"grid\": [5, ", "\"grid\": [[\"arg\", 1], "),
            where + "launch 0 ('k'): expected argument 1 to be an integer "
                    "scalar, found a scalar of f16");
  EXPECT_EQ(refusal("{\"scalar\": \"argument\", \"index\": 1}",
                    "{\"scalar\": \"argument\", \"index\": 2}"),
            where + "launch 0 ('k'): argument 2: expected 'index' of one of 2 "
                    "arguments, found 2");
  EXPECT_EQ(refusal("{\"scalar\": \"argument\", \"index\": 1}",
                    "{\"scalar\": \"argument\", \"index\": -1}"),
            where + "launch 0 ('k'): argument 2: expected 'index' of one of 2 "
                    "arguments, found -1");
  EXPECT_EQ(refusal("{\"scalar\": \"argument\", \"index\": 1}",
                    "{\"scalar\": \"argument\", \"index\": 0}"),
            where + "launch 0 ('k'): argument 2: expected argument 0 of the "
                    "function to be a scalar, found an array");
  EXPECT_EQ(refusal("\"index\": 0,\n              \"offset\": 1",
                    "\"index\": 1,\n              \"offset\": 1"),
            where + "launch 0 ('k'): argument 0: expected argument 1 of the "
                    "function to be an array, found a scalar");
  EXPECT_EQ(refusal("\"array\": \"argument\"", "\"array\": \"result\""),
            where + "launch 0: argument 0: expected 'array' to be 'argument' "
                    "or 'temporary', found \"result\"");
  EXPECT_EQ(refusal("\"array\": \"temporary\", \"index\": 0",
                    "\"array\": \"temporary\", \"index\": 1"),
            where + "launch 1 ('k'): argument 0: expected 'index' of one of 1 "
                    "temporaries, found 1");
  EXPECT_EQ(refusal("{\"type\": \"f32\"", "{\"type\": \"f16\""),
            where + "launch 1 ('k'): argument 0: expected an array of f32, "
                    "found an array of f16");
  EXPECT_EQ(refusal("{\"type\": \"f32\"", "{\"type\": \"float\""),
            where + "temporary 0: expected 'type' to be an element type such "
                    "as f32, found 'float'");
  EXPECT_EQ(refusal("\"shape\": [[\"size\", 0, 0], 2]}]",
                    "\"shape\": [[\"size\", 0, 1], 2]}]"),
            where + "temporary 0: expected a dimension below 1 of argument 0, "
                    "found 1");
  EXPECT_EQ(refusal("\"strides\": [2, 1]", "\"strides\": [1]"),
            where + "launch 1 ('k'): argument 0: expected 'shape' and "
                    "'strides' of rank 2, found 2 and 1 entries");
  EXPECT_EQ(refusal("\"offset\": 1", "\"offset\": [\"size\", 1, 0]"),
            where + "launch 0 ('k'): argument 0: expected argument 1 to be an "
                    "array, found a scalar");
  EXPECT_EQ(refusal("\"0x1p-1\"", "\"half\""),
            where + "launch 1 ('k'): argument 2: expected a number that "
                    "f16 can hold, found 'half'");
  EXPECT_EQ(refusal("{\"scalar\": \"constant\", \"text\": \"0x1p-1\"}",
                    "{\"scalar\": \"integer\", \"value\": 1}"),
            where + "launch 1 ('k'): argument 2: expected a scalar of f16, "
                    "found a scalar of index");
  EXPECT_EQ(refusal("{\"scalar\": \"constant\", \"text\": \"0x1p-1\"}",
                    "{\"scalar\": \"argument\", \"index\": 1}, 3"),
            where + "launch 1: argument 3: expected an object, found 3");
  EXPECT_EQ(refusal("{\"scalar\": \"integer\", \"value\": 7},", ""),
            where + "launch 1 ('k'): expected 3 arguments, found 2");
  ModuleMetadata twice = makeModule();
  twice.functions.push_back(makeFunction());
  EXPECT_EQ(fromJson(toJson(twice), "k.json").error().message,
            "k.json: expected one function 'main', found two");
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

TEST(HostFunction, BindsLaunches) {
  ModuleMetadata module = makeModule();
  const HostFunction &function = module.functions[0];
  std::vector<KernelArgument> arguments = makeArguments(11);
  Result<std::vector<int64_t>> bytes = getTemporaryBytes(function, arguments);
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes, std::vector<int64_t>{11 * 2 * 4});

  auto launches = bindLaunches(module, function, arguments, {256});
  ASSERT_TRUE(launches) << launches.error().message;
  ASSERT_EQ(launches->size(), 2u);
  const BoundLaunch &first = (*launches)[0];
  EXPECT_EQ(first.kernel, &module.kernels[0]);
  EXPECT_EQ(first.plan.grid, (Grid{5, 11, 1}));
  const auto &rows = std::get<ArrayView>(first.arguments[0]);
  EXPECT_EQ(rows.address, 4096u + 4u);
  EXPECT_EQ(rows.sizes, (std::vector<int64_t>{3, 3}));
  EXPECT_EQ(rows.strides, (std::vector<int64_t>{30, 10}));
  const auto &length = std::get<ScalarValue>(first.arguments[1]);
  EXPECT_EQ(length.type, ElementType::I32);
  EXPECT_EQ(length.bytes[0], 11);
  const auto &scalar = std::get<ScalarValue>(first.arguments[2]);
  EXPECT_EQ(scalar.type, ElementType::F16);
  EXPECT_EQ(scalar.bytes[1], 0xc0); // -2

  const BoundLaunch &second = (*launches)[1];
  const auto &temporary = std::get<ArrayView>(second.arguments[0]);
  EXPECT_EQ(temporary.address, 256u);
  EXPECT_EQ(temporary.sizes, (std::vector<int64_t>{11, 2}));
  EXPECT_EQ(std::get<ScalarValue>(second.arguments[1]).bytes[0], 7);
  EXPECT_EQ(std::get<ScalarValue>(second.arguments[2]).bytes[1], 0x38); // 0.5
}

TEST(HostFunction, LaunchesNothingWithoutBlocks) {
  ModuleMetadata module = makeModule();
  auto launches =
      bindLaunches(module, module.functions[0], makeArguments(0), {256});
  ASSERT_TRUE(launches) << launches.error().message;
  EXPECT_TRUE((*launches)[0].plan.isEmpty());
}

TEST(HostFunction, RefusesWrongCalls) {
  ModuleMetadata module = makeModule();
  HostFunction &function = module.functions[0];
  EXPECT_EQ(getTemporaryBytes(function, {}).error().message,
            "function 'main': expected 2 arguments (x, s), found 0");
  std::vector<KernelArgument> swapped = makeArguments(11);
  std::swap(swapped[0], swapped[1]);
  EXPECT_EQ(getTemporaryBytes(function, swapped).error().message,
            "function 'main': argument 0 ('x'): expected an array of f32, "
            "found a scalar of f16");

  function.temporaries[0].shape[1] = Expression::constant(-1);
  EXPECT_EQ(getTemporaryBytes(function, makeArguments(11)).error().message,
            "function 'main': temporary 0: expected sizes of at least 0, "
            "found -1");
  function.temporaries[0].shape[1] = Expression::constant(int64_t(1) << 60);
  EXPECT_EQ(getTemporaryBytes(function, makeArguments(11)).error().message,
            "function 'main': temporary 0: expected an array of fewer than "
            "2^63 bytes, found shape 11x1152921504606846976");
  function.temporaries[0].shape[1] =
      Expression::binary(Expression::Kind::Modulo, Expression::constant(1),
                         Expression::constant(0));
  EXPECT_EQ(getTemporaryBytes(function, makeArguments(11)).error().message,
            "function 'main': temporary 0: division by zero in [\"mod\", 1, "
            "0]");

  auto fail = [&](HostFunction changed) {
    auto launches = bindLaunches(module, changed, makeArguments(11), {256});
    return launches ? "accepted" : launches.error().message;
  };
  HostFunction changed = makeFunction();
  changed.launches[0].arguments[0].shape[0] = Expression::constant(-3);
  EXPECT_EQ(fail(changed),
            "function 'main': launch 0 ('k'): kernel 'k': argument 0 ('a'): "
            "expected sizes of at least 0, found -3 along dimension 0");
  changed = makeFunction();
  changed.launches[1].arguments[1].value =
      Expression::constant(int64_t(1) << 40);
  EXPECT_EQ(fail(changed), "function 'main': launch 1 ('k'): argument 1: "
                           "expected a number that i32 can hold, found "
                           "'1099511627776'");
  changed = makeFunction();
  (*changed.launches[1].grid)[2] = Expression::constant(-1);
  EXPECT_EQ(fail(changed),
            "function 'main': launch 1 ('k'): kernel 'k': expected a grid of 1 "
            "to 65535 blocks along z, found -1");
  changed = makeFunction();
  changed.launches[0].arguments[0].offset =
      Expression::constant(int64_t(1) << 61);
  EXPECT_EQ(fail(changed), "function 'main': launch 0 ('k'): argument 0: "
                           "expected an offset of fewer than 2^63 bytes, found "
                           "2305843009213693952 elements");
}
