// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/KernelMetadata.h"

#include <gtest/gtest.h>

using namespace tile::runtime;

/// Metadata of a kernel that uses everything in the schema.
static KernelMetadata makeGemm() {
  KernelMetadata kernel;
  kernel.name = "gemm";
  kernel.arch = "sm_90a";
  kernel.binary = "gemm.cubin";
  kernel.block = {128, 2, 1};
  kernel.cluster = {2, 1, 1};
  kernel.grid = std::array<Expression, 3>{
      Expression::binary(Expression::Kind::CeilDivide, Expression::size(0, 0),
                         Expression::constant(128)),
      Expression::scalar(1), Expression::constant(1)};
  kernel.sharedBytes = 49152;
  Argument a;
  a.name = "a";
  a.kind = Argument::Kind::Array;
  a.type = ElementType::F16;
  a.access = Access::ReadWrite;
  a.shape = {std::nullopt, 64};
  a.strides = {std::nullopt, 1};
  Argument n;
  n.name = "n";
  n.type = ElementType::I32;
  kernel.arguments = {a, n};
  EntryPoint promised;
  promised.symbol = "gemm_promised";
  promised.predicates = {{0, Predicate::What::Pointer, 0, 16},
                         {0, Predicate::What::Stride, 0, 8},
                         {0, Predicate::What::Size, 0, 64},
                         {1, Predicate::What::Scalar, 0, 4}};
  promised.registers = 96;
  promised.spillStoreBytes = 0;
  promised.spillLoadBytes = 4;
  promised.stackBytes = 8;
  EntryPoint generic;
  generic.symbol = "gemm";
  kernel.entries = {promised, generic};
  HiddenArgument workspace;
  workspace.bytes =
      Expression::binary(Expression::Kind::Multiply, Expression::stride(0, 0),
                         Expression::constant(4));
  workspace.zero = true;
  kernel.hiddenArguments = {workspace};
  return kernel;
}

/// The JSON that toJson() must return for makeGemm().
static const char kGemmJson[] = R"({
  "schema": 1,
  "kernels": [
    {
      "name": "gemm",
      "arch": "sm_90a",
      "binary": "gemm.cubin",
      "block": [128, 2, 1],
      "cluster": [2, 1, 1],
      "grid": [["ceildiv", ["size", 0, 0], 128], ["arg", 1], 1],
      "sharedBytes": 49152,
      "arguments": [
        {
          "name": "a",
          "kind": "array",
          "type": "f16",
          "access": "readwrite",
          "shape": [null, 64],
          "strides": [null, 1]
        },
        {"name": "n", "kind": "scalar", "type": "i32", "access": "read"}
      ],
      "entries": [
        {
          "symbol": "gemm_promised",
          "requires": [
            {"argument": 0, "what": "pointer", "multipleOf": 16},
            {"argument": 0, "what": "stride", "dim": 0, "multipleOf": 8},
            {"argument": 0, "what": "size", "dim": 0, "multipleOf": 64},
            {"argument": 1, "what": "scalar", "multipleOf": 4}
          ],
          "registers": 96,
          "spillStoreBytes": 0,
          "spillLoadBytes": 4,
          "stackBytes": 8
        },
        {
          "symbol": "gemm",
          "requires": [],
          "registers": null,
          "spillStoreBytes": null,
          "spillLoadBytes": null,
          "stackBytes": null
        }
      ],
      "hiddenArguments": [{"kind": "workspace", "bytes": ["*", ["stride", 0, 0], 4], "zero": true}],
      "tmaDescriptors": []
    }
  ]
}
)";

/// Returns kGemmJson with one piece of text replaced.
static std::string replaced(const std::string &from, const std::string &to) {
  std::string text = kGemmJson;
  size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return text.replace(at, from.size(), to);
}

/// Returns the message about kGemmJson with one piece replaced.
static std::string refusal(const std::string &from, const std::string &to) {
  Result<ModuleMetadata> module = fromJson(replaced(from, to), "k.json");
  return module ? "accepted" : module.error().message;
}

TEST(KernelMetadata, WritesThePromisedText) {
  EXPECT_EQ(toJson({{makeGemm()}}), kGemmJson);
  EXPECT_EQ(toJson({}), "{\"schema\": 1, \"kernels\": []}\n");
}

// The count of threads is written only if it differs from the block's.
TEST(KernelMetadata, WritesThreadsWhereBlocksHaveMore) {
  KernelMetadata kernel = makeGemm();
  kernel.threads = 250;
  std::string text = toJson({{kernel}});
  EXPECT_EQ(text,
            replaced("\"block\": [128, 2, 1],\n",
                     "\"block\": [128, 2, 1],\n      \"threads\": 250,\n"));
  Result<ModuleMetadata> module = fromJson(text, "k.json");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_TRUE(module->kernels[0] == kernel);
  EXPECT_FALSE(module->kernels[0] == makeGemm());
}

// Whether the kernel waits for earlier launches is written only if it does.
TEST(KernelMetadata, WritesWaitsWhereThereAreSome) {
  KernelMetadata kernel = makeGemm();
  kernel.waitsForLaunches = true;
  std::string text = toJson({{kernel}});
  EXPECT_EQ(text, replaced("\"sharedBytes\": 49152,\n",
                           "\"sharedBytes\": 49152,\n"
                           "      \"waitsForLaunches\": true,\n"));
  Result<ModuleMetadata> module = fromJson(text, "k.json");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_TRUE(module->kernels[0] == kernel);
  EXPECT_FALSE(module->kernels[0] == makeGemm());
  EXPECT_EQ(refusal("\"sharedBytes\": 49152,",
                    "\"sharedBytes\": 49152, \"waitsForLaunches\": 1,"),
            "k.json: kernel 'gemm': expected 'waitsForLaunches' to be true or "
            "false, found 1");
}

TEST(KernelMetadata, ReadsWhatItWrites) {
  KernelMetadata other = makeGemm();
  other.name = "says \"no\"\n\xc3\xa4";
  other.arch = "cpu";
  other.binary = "";
  other.grid.reset();
  other.entries.clear();
  ModuleMetadata module = {{makeGemm(), other}};
  Result<ModuleMetadata> read = fromJson(toJson(module), "k.json");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(*read == module);
}

TEST(KernelMetadata, KnowsBlocksOfEntryPoints) {
  KernelMetadata kernel = makeGemm();
  kernel.entries[1].block = {64, 1, 1};
  kernel.entries[1].sharedBytes = 512;
  EXPECT_EQ(getBlock(kernel, 0), kernel.block);
  EXPECT_EQ(getSharedBytes(kernel, 0), 49152);
  EXPECT_EQ(getBlock(kernel, 1)[0], 64);
  EXPECT_EQ(getSharedBytes(kernel, 1), 512);
  // A kernel of the CPU path has no entry points.
  EXPECT_EQ(getBlock(kernel, 2), kernel.block);
  std::string text = toJson({{kernel}, {}});
  EXPECT_NE(text.find("\"block\": [64, 1, 1]"), text.npos) << text;
  EXPECT_NE(text.find("\"sharedBytes\": 512"), text.npos) << text;
  Result<ModuleMetadata> module = fromJson(text, "k.json");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_TRUE(module->kernels[0] == kernel);
  kernel.entries[1].block = {64, 32, 1};
  EXPECT_EQ(verify(kernel).error().message,
            "kernel 'gemm': entry 1: expected 'block' sizes with a product of "
            "at most 1024, found 2048");
  kernel.entries[1].block = std::nullopt;
  kernel.entries[1].sharedBytes = -1;
  EXPECT_EQ(verify(kernel).error().message,
            "kernel 'gemm': entry 1: expected 'sharedBytes' of at least 0, "
            "found -1");
}

TEST(KernelMetadata, ReadsEveryElementType) {
  for (int i = 0; i <= int(ElementType::ComplexF64); ++i) {
    auto type = static_cast<ElementType>(i);
    EXPECT_EQ(parseElementType(getElementTypeName(type)), type);
  }
  EXPECT_FALSE(parseElementType("f31"));
  EXPECT_EQ(getByteSize(ElementType::I1), 1);
  EXPECT_EQ(getByteSize(ElementType::Index), 8);
  EXPECT_EQ(getByteSize(ElementType::ComplexF64), 16);
}

TEST(KernelMetadata, ReadsAbsentOptionalKeys) {
  std::string text = replaced(R"(      "binary": "gemm.cubin",
)",
                              "");
  Result<ModuleMetadata> module = fromJson(text, "k.json");
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ(module->kernels[0].binary, "");
}

TEST(KernelMetadata, LocatesMalformedJson) {
  EXPECT_EQ(refusal("\"schema\": 1", "\"schema\": x").substr(0, 50),
            "k.json:2:13: malformed JSON: syntax error while pa");
  std::string text = kGemmJson;
  for (size_t length = 0; length + 2 < text.size(); ++length) {
    Result<ModuleMetadata> module =
        fromJson(std::string_view(text).substr(0, length), "k.json");
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().message.rfind("k.json:", 0), 0u);
    EXPECT_NE(module.error().message.find("malformed JSON"), std::string::npos);
  }
  EXPECT_FALSE(fromJson("\xff\xfe", "k.json"));
  EXPECT_FALSE(fromJson(std::string(100000, '['), "k.json"));
}

TEST(KernelMetadata, RefusesOtherSchemas) {
  EXPECT_EQ(refusal("\"schema\": 1", "\"schema\": 2"),
            "k.json: expected schema 1, found 2 (written by another version of "
            "the compiler)");
  EXPECT_EQ(refusal("\"schema\": 1,", ""),
            "k.json: expected key 'schema', found none");
  EXPECT_EQ(fromJson("[]", "k.json").error().message,
            "k.json: expected an object, found a list");
  EXPECT_EQ(refusal("\"tmaDescriptors\": []", "\"tmaDescriptors\": [{}]"),
            "k.json: kernel 'gemm': expected no 'tmaDescriptors', which this "
            "version of the runtime cannot make");
  EXPECT_EQ(refusal("\"sharedBytes\"", "\"colour\": 1, \"sharedBytes\""),
            "k.json: kernel 'gemm': expected no key 'colour' in schema 1");
}

TEST(KernelMetadata, RefusesWrongForms) {
  EXPECT_EQ(refusal("\"strides\": [null, 1]", "\"strides\": [1, 2, 3]"),
            "k.json: kernel 'gemm': argument 0: expected 'strides' of rank 2, "
            "found 3 entries");
  EXPECT_EQ(refusal("\"f16\"", "\"float\""),
            "k.json: kernel 'gemm': argument 0: expected 'type' to be an "
            "element type such as f32, found 'float'");
  EXPECT_EQ(refusal("\"readwrite\"", "\"rw\""),
            "k.json: kernel 'gemm': argument 0: expected 'access' to be "
            "'read', 'write' or 'readwrite', found \"rw\"");
  EXPECT_EQ(refusal("[null, 64]", "[null, -64]"),
            "k.json: kernel 'gemm': argument 0: expected sizes of at least 0, "
            "found -64");
  EXPECT_EQ(refusal("[null, 64]", "[null, 1.5]"),
            "k.json: kernel 'gemm': argument 0: expected 'shape' to be a "
            "64-bit integer, found 1.5");
  EXPECT_EQ(refusal("49152", "9223372036854775808"),
            "k.json: kernel 'gemm': expected 'sharedBytes' to be a 64-bit "
            "integer, found 9223372036854775808");
  EXPECT_EQ(refusal("49152", "-1"), "k.json: kernel 'gemm': expected "
                                    "'sharedBytes' of at least 0, found -1");
  EXPECT_EQ(refusal("\"type\": \"i32\", \"access\": \"read\"",
                    "\"type\": \"i32\", \"access\": \"write\""),
            "k.json: kernel 'gemm': argument 1: expected access 'read' of a "
            "scalar, found 'write'");
  EXPECT_EQ(refusal("[128, 2, 1]", "[128, 2]"),
            "k.json: kernel 'gemm': expected 'block' of 3 numbers, found 2");
  EXPECT_EQ(refusal("[128, 2, 1]", "[128, 16, 1]"),
            "k.json: kernel 'gemm': expected 'block' sizes with a product of "
            "at most 1024, found 2048");
  EXPECT_EQ(refusal("[128, 2, 1]", "[128, 0, 1]"),
            "k.json: kernel 'gemm': expected 'block' sizes from 1 to 1024, "
            "found 0");
  for (int threads : {-1, 0, 256})
    EXPECT_EQ(refusal("[128, 2, 1],", "[128, 2, 1], \"threads\": " +
                                          std::to_string(threads) + ","),
              "k.json: kernel 'gemm': expected 'threads' from 1 to 255 (fewer "
              "than the block's), found " +
                  std::to_string(threads));
  EXPECT_EQ(refusal("\"sm_90a\"", "\"gfx90a\""),
            "k.json: kernel 'gemm': expected 'arch' to be cpu or sm_NN, found "
            "'gfx90a'");
  EXPECT_EQ(refusal("\"gemm.cubin\"", "\"../gemm.cubin\""),
            "k.json: kernel 'gemm': expected 'binary' to be a file name "
            "without a folder, found '../gemm.cubin'");
  EXPECT_EQ(refusal("\"name\": \"gemm\"", "\"name\": 3"),
            "k.json: kernel 0: expected 'name' to be a string, found 3");
  EXPECT_EQ(refusal("\"zero\": true", "\"zero\": 1"),
            "k.json: kernel 'gemm': hidden argument 0: expected 'zero' to be "
            "true or false, found 1");
  EXPECT_EQ(refusal("\"kind\": \"workspace\"", "\"kind\": \"tape\""),
            "k.json: kernel 'gemm': hidden argument 0: expected 'kind' to be "
            "'workspace', found \"tape\"");
}

TEST(KernelMetadata, RefusesWrongExpressions) {
  std::string where = "k.json: kernel 'gemm': ";
  EXPECT_EQ(refusal("\"ceildiv\"", "\"pow\""),
            where +
                "expected an operator (size, stride, arg, +, -, *, "
                "floordiv, ceildiv, mod, min, max, ==, <, <=) in 'grid', found "
                "'pow'");
  EXPECT_EQ(refusal("[\"size\", 0, 0], 128]", "[\"size\", 0, 0]]"),
            where + "expected 2 operands of 'ceildiv' in 'grid', found 1");
  EXPECT_EQ(refusal("[\"size\", 0, 0], 128", "[\"size\", 0, 2], 128"),
            where + "grid x: expected a dimension below 2 of argument 0, "
                    "found 2");
  EXPECT_EQ(refusal("[\"size\", 0, 0], 128", "[\"size\", 1, 0], 128"),
            where + "grid x: expected argument 1 to be an array, found a "
                    "scalar");
  EXPECT_EQ(refusal("[\"arg\", 1]", "[\"arg\", 0]"),
            where + "grid y: expected argument 0 to be an integer scalar, "
                    "found an array of f16");
  EXPECT_EQ(refusal("[\"arg\", 1]", "[\"arg\", 7]"),
            where + "grid y: expected an argument below 2, found 7");
  EXPECT_EQ(refusal("[\"arg\", 1]", "true"),
            where + "expected 'grid' to be a number or a list that begins with "
                    "an operator, found true");
  EXPECT_EQ(refusal("[\"arg\", 1], 1]", "1]"),
            where + "expected 'grid' to be null or 3 expressions, found 2");
  std::string deep;
  for (int i = 0; i < 200; ++i)
    deep += "[\"+\", 1, ";
  deep += "1" + std::string(200, ']');
  EXPECT_EQ(refusal("[\"arg\", 1]", deep),
            where + "expected 'grid' nested at most 100 deep");
}

TEST(KernelMetadata, RefusesWrongEntries) {
  std::string where = "k.json: kernel 'gemm': entry 0: ";
  EXPECT_EQ(refusal("\"what\": \"pointer\"", "\"what\": \"colour\""),
            where + "predicate 0: expected 'what' to be 'pointer', 'stride', "
                    "'size' or 'scalar', found \"colour\"");
  EXPECT_EQ(refusal("\"multipleOf\": 16", "\"multipleOf\": 0"),
            where + "predicate 0: expected 'multipleOf' of at least 1, found "
                    "0");
  EXPECT_EQ(
      refusal("\"dim\": 0, \"multipleOf\": 8", "\"dim\": 5, \"multipleOf\": 8"),
      where + "predicate 1: expected a dimension below 2 of argument 0, "
              "found 5");
  EXPECT_EQ(refusal("\"symbol\": \"gemm_promised\"", "\"symbol\": \"\""),
            where + "expected a 'symbol' that is not empty");
  KernelMetadata kernel = makeGemm();
  kernel.entries.clear();
  EXPECT_EQ(verify(kernel).error().message,
            "kernel 'gemm': expected 'entries' of at least 1 entry point, "
            "found 0");
  EXPECT_EQ(
      fromJson(toJson({{makeGemm(), makeGemm()}}), "k.json").error().message,
      "k.json: expected one kernel 'gemm' for sm_90a, found two");
}

TEST(KernelMetadata, NamesTheKernelsThereAre) {
  KernelMetadata other = makeGemm();
  other.name = "axpy";
  ModuleMetadata module = {{makeGemm(), other}};
  EXPECT_EQ((*findKernel(module, "axpy", "k.json"))->name, "axpy");
  EXPECT_EQ(findKernel(module, "fft", "k.json").error().message,
            "k.json: expected the name of a kernel ('gemm', 'axpy'), found "
            "'fft'");
  EXPECT_EQ(findKernel({}, "fft", "k.json").error().message,
            "k.json: expected the name of a kernel (there are none), found "
            "'fft'");
}
