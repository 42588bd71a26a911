// WrongCallsTest.cpp - tests wrong calls of the C++ libraries, and their errors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each call of a table fails with the error next to it and leaves the process
// unchanged. All errors are different.

#include "tile/Execution/CpuJit.h"
#include "tile/Execution/EmulatorJit.h"
#include "tile/Layout/Complement.h"
#include "tile/Layout/Compose.h"
#include "tile/Layout/Divide.h"
#include "tile/Layout/Inverse.h"
#include "tile/Layout/LinearLayout.h"
#include "tile/Layout/Print.h"
#include "tile/Registration.h"
#include "tile/Runtime/HostFunction.h"
#include "tile/Runtime/Npy.h"
#include "tile/Runtime/Runtime.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/ParseProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringSet.h"

#include <cstdio>
#include <functional>

#include <gtest/gtest.h>

using namespace mlir;
using namespace tile;

namespace {

/// Returns the error of a call; empty if it did not fail.
using Call = std::function<std::string()>;

struct WrongCall {
  Call call;
  const char *text;
};

//===----------------------------------------------------------------------===//
// Programs
//===----------------------------------------------------------------------===//

constexpr const char *kAxpy = R"(
#grid = #tile.grid<affine_map<(n) -> (n ceildiv 64)> of [[0, 0]]>
tile.kernel @axpy(%x: memref<?xf32>, %y: memref<?xf32>) attributes {grid = #grid} {
  %c64 = arith.constant 64 : index
  %p = tile.program_id x
  %i = arith.muli %p, %c64 : index
  %a = tile.load %x[%i] : memref<?xf32> -> !tile.tile<64xf32>
  %b = tile.load %y[%i] : memref<?xf32> -> !tile.tile<64xf32>
  %s = arith.addf %a, %b : !tile.tile<64xf32>
  tile.store %s, %y[%i] : !tile.tile<64xf32>, memref<?xf32>
  tile.return
})";

constexpr const char *kMma = R"(
tile.kernel @product(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %d: memref<64x64xf32>)
    attributes {block = 128 : i64} {
  %c0 = arith.constant 0 : index
  %x = tile.load %a[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %y = tile.load %b[%c0, %c0] : memref<64x64xf16> -> !tile.tile<64x64xf16>
  %z = arith.constant dense<0.0> : !tile.tile<64x64xf32>
  %r = tile.matmul %x, %y, %z : !tile.tile<64x64xf16>, !tile.tile<64x64xf16> -> !tile.tile<64x64xf32>
  tile.store %r, %d[%c0, %c0] : !tile.tile<64x64xf32>, memref<64x64xf32>
  tile.return
})";

constexpr const char *kAssertion = R"(
tile.kernel @check(%n: index) {
  %false = arith.constant false
  tile.assert %false, "never" : i1
  tile.return
})";

constexpr const char *kLowered =
    "llvm.func @k() attributes {nvvm.kernel} { llvm.return }";

/// A context, and the module that `text` contains.
struct Program {
  explicit Program(StringRef text)
      : context(getRegistry(), MLIRContext::Threading::DISABLED),
        diagnostics(&context) {
    context.printOpOnDiagnostic(false);
    module = parseProgram(llvm::MemoryBuffer::getMemBuffer(text, "program"),
                          &context);
  }

  static const DialectRegistry &getRegistry() {
    static const DialectRegistry registry = [] {
      DialectRegistry all;
      registerAllDialects(all);
      return all;
    }();
    return registry;
  }

  MLIRContext context;
  DiagnosticText diagnostics;
  OwningOpRef<ModuleOp> module;
};

Call parsing(StringRef text) {
  return [=] {
    Program program(text);
    return program.module ? "" : program.diagnostics.str();
  };
}

Call parsingFile(const char *path) {
  return [=]() -> std::string {
    Program program("module {}");
    return parseProgram(StringRef(path), &program.context)
               ? ""
               : program.diagnostics.str();
  };
}

/// Compiles to PTX with the options that `change` sets.
Call compiling(StringRef text,
               std::function<void(CompileOptions &)> change = {}) {
  return [=]() -> std::string {
    Program program(text);
    if (!program.module)
      return "does not parse: " + program.diagnostics.str();
    CompileOptions options;
    options.stage = CompileStage::kPTX;
    if (change)
      change(options);
    return failed(compile(*program.module, options)) ? program.diagnostics.str()
                                                     : "";
  };
}

Call keeping(StringRef text, StringRef name) {
  return [=]() -> std::string {
    Program program(text);
    return failed(keepKernel(*program.module, name)) ? program.diagnostics.str()
                                                     : "";
  };
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Returns the error of the compilation, which the context reports, or of the
/// run.
template <typename Compiled>
std::string explain(Program &program, llvm::Expected<Compiled> &compiled) {
  std::string text = llvm::toString(compiled.takeError());
  return text.empty() ? program.diagnostics.str() : text;
}

Call compilingForCpu(StringRef text) {
  return [=]() -> std::string {
    Program program(text);
    auto compiled = CpuProgram::compile(*program.module);
    return compiled ? "" : explain(program, compiled);
  };
}

Call runningOnCpu(StringRef text, StringRef kernel,
                  std::array<int64_t, 3> grid) {
  return [=]() -> std::string {
    Program program(text);
    auto compiled = llvm::cantFail(CpuProgram::compile(*program.module));
    int64_t value = 0;
    void *parameters[] = {&value, &value, &value, &value};
    return llvm::toString(compiled->run(kernel, parameters, grid, 1));
  };
}

Call compilingForEmulator(StringRef text, StringRef arch) {
  return [=]() -> std::string {
    Program program(text);
    auto compiled = EmulatorProgram::compile(*program.module, arch);
    return compiled ? "" : explain(program, compiled);
  };
}

/// Runs axpy on 64 elements, with settings that `change` may modify.
Call emulating(std::function<void(EmulatorRun &)> change) {
  return [=]() -> std::string {
    Program program(kAxpy);
    auto compiled =
        llvm::cantFail(EmulatorProgram::compile(*program.module, "sm_80"));
    std::vector<float> x(64, 1.5f), y(64, 2.5f);
    void *pointers[] = {x.data(), y.data()};
    int64_t size = 64;
    void *parameters[] = {&pointers[0], &size, &pointers[1], &size};
    EmulatorRun run;
    run.entry = compiled->getMetadata().kernels[0].entries.back().symbol;
    run.parameters = parameters;
    for (std::vector<float> *array : {&x, &y}) {
      EmulatorArray whole;
      whole.first = array->data();
      whole.size = array->size() * sizeof(float);
      run.arrays.push_back(whole);
    }
    change(run);
    auto profile = compiled->run(run);
    return profile ? "" : llvm::toString(profile.takeError());
  };
}

//===----------------------------------------------------------------------===//
// Runtime and layouts
//===----------------------------------------------------------------------===//

template <typename T>
std::string getMessage(const runtime::Result<T> &result) {
  return result ? "" : result.error().message;
}

Call planning(std::vector<runtime::KernelArgument> arguments,
              std::optional<runtime::Grid> grid = {}) {
  return [=] {
    runtime::KernelMetadata kernel;
    kernel.name = "k";
    kernel.arch = "cpu";
    runtime::Argument scalar;
    scalar.name = "n";
    scalar.type = runtime::ElementType::I32;
    kernel.arguments = {scalar};
    return getMessage(runtime::planLaunch(kernel, arguments, grid));
  };
}

Call reading(const char *json) {
  return [=] { return getMessage(runtime::fromJson(json, "metadata")); };
}

Call scalar(runtime::ElementType type, const char *text) {
  return [=] { return getMessage(runtime::parseScalar(type, text)); };
}

template <typename T>
std::string getLayoutMessage(const Result<T> &result) {
  return result ? "" : result.error();
}

Layout layout(const char *text) { return *parseLayout(text); }

//===----------------------------------------------------------------------===//
// The table
//===----------------------------------------------------------------------===//

std::vector<WrongCall> getWrongCalls() {
  using runtime::ElementType;
  runtime::KernelArgument seven = *runtime::parseScalar(ElementType::I32, "7");
  runtime::KernelArgument real = *runtime::parseScalar(ElementType::F32, "7");
  return {
      // parseProgram
      {parsing("this is no program"),
       "program:1:1: error: custom op 'this' is unknown"},
      {parsing("tile.kernel @k("),
       "program:1:15: error: expected non-function type"},
      {parsing(
           "tile.kernel @k() attributes {block = 2000 : i64} { tile.return }"),
       "expected 'block' to be from 1 to 1024, got 2000"},
      {parsing("tile.kernel @k(%t: tensor<4xf32>) { tile.return }"),
       "expected argument 0 to be an array in global memory"},
      {parsing("func.func @f() { tile.launch @k() return }"),
       "expected a kernel of the module, got @k"},
      {parsing(StringRef("ML\xefR\x0dtile\x00\xff\xff", 12)),
       "program:0:0: error: invalid section ID: 127"},
      {parsingFile("/does/not/exist.mlir"),
       "'/does/not/exist.mlir': No such file"},
      {parsingFile("/"), "'/': Is a directory"},
      // compile
      {compiling("module {}"),
       "expected a module with a kernel, got one without"},
      {compiling("module { module { tile.kernel @k() { tile.return } } }"),
       "got one in a nested 'builtin.module'"},
      {compiling("tile.kernel @\"a-b\"() { tile.return }"),
       "expected a kernel's name to be that of a C function, got 'a-b'"},
      {compiling(kAxpy, [](CompileOptions &o) { o.pipeline.arch = "sm_91"; }),
       "got 'sm_91'"},
      {compiling("module attributes {tile.target = \"sm_92\"} { tile.kernel "
                 "@k() { tile.return } }"),
       "got 'sm_92'"},
      {compiling(kAxpy, [](CompileOptions &o) { o.ptxVersion = 12; }),
       "expected PTX version 8.0 to 9.0 for sm_80, got 1.2"},
      {compiling(kMma,
                 [](CompileOptions &o) { o.pipeline.tiling.warps = {3, 5}; }),
       "'warps' that divide the block's 4 warps, got 3 x 5"},
      {compiling(kMma,
                 [](CompileOptions &o) { o.pipeline.tiling.warps = {4}; }),
       "'warps' to be two or three numbers from 1 to 65536, got [4]"},
      {compiling(kMma,
                 [](CompileOptions &o) { o.pipeline.tiling.stages = -1; }),
       "'stages' from 0 to 64, got -1"},
      {compiling(kMma,
                 [](CompileOptions &o) { o.pipeline.tiling.atom = "m9n9k9"; }),
       "got 'm9n9k9'"},
      {compiling(kAxpy,
                 [](CompileOptions &o) { o.stage = CompileStage::kCubin; }),
       "install the CUDA toolkit, and give the path"},
      {compiling(kAxpy,
                 [](CompileOptions &o) {
                   o.stage = CompileStage::kCubin;
                   o.ptxas = {"/none/ptxas", "look elsewhere"};
                 }),
       "'/none/ptxas', which was not found; look elsewhere"},
      {compiling(kAxpy,
                 [](CompileOptions &o) { o.dumpDirectory = "/dev/null"; }),
       "cannot make directory '/dev/null'"},
      {compiling(kLowered,
                 [](CompileOptions &o) { o.stage = CompileStage::kCubin; }),
       "expected a 'tile.kernel', got a kernel that is lowered already"},
      {compiling(R"(tile.kernel @k(%a: memref<64xf32>) {
           %c0 = arith.constant 0 : index
           %x = arith.constant 1.0 : f32
           memref.store %x, %a[%c0] : memref<64xf32>
           tile.return
         })"),
       "program:4:12: error: expected an array to be written by an operation "
       "on tiles"},
      {compiling(R"(tile.kernel @k(%a: memref<8xf32>) {
           %c0 = arith.constant 0 : index
           %t = tile.load %a[%c0] : memref<8xf32> -> !tile.tile<8xf32>
           %s = math.sin %t : !tile.tile<8xf32>
           tile.store %s, %a[%c0] : !tile.tile<8xf32>, memref<8xf32>
           tile.return
         })"),
       "program:4:17: error: expected libdevice for function '__nv_sinf'"},
      {compiling(
           R"(func.func private @f(%t: !tile.tile<8xf32>) -> !tile.tile<8xf32> {
           %r = call @f(%t) : (!tile.tile<8xf32>) -> !tile.tile<8xf32>
           return %r : !tile.tile<8xf32>
         }
         tile.kernel @k(%a: memref<8xf32>) {
           %c0 = arith.constant 0 : index
           %t = tile.load %a[%c0] : memref<8xf32> -> !tile.tile<8xf32>
           %s = func.call @f(%t) : (!tile.tile<8xf32>) -> !tile.tile<8xf32>
           tile.store %s, %a[%c0] : !tile.tile<8xf32>, memref<8xf32>
           tile.return
         })"),
       "program:8:17: error: expected a call that can be inlined"},
      // keepKernel
      {keeping(kAxpy, "other"), "expected a kernel called 'other', got 'axpy'"},
      {keeping("module {}", "other"), "got a module without kernels"},
      // CpuProgram
      {compilingForCpu("module { func.func @f() { return } }"),
       "program:1:1: error: expected a module with a kernel"},
      {compilingForCpu(kLowered), "got a kernel that is lowered already, 'k'"},
      {runningOnCpu(kAssertion, "other", {1, 1, 1}), "no kernel 'other'"},
      {runningOnCpu(kAssertion, "check", {1, 0, 1}),
       "expected a grid of positive extents with fewer than 2^63 blocks"},
      {runningOnCpu(kAssertion, "check", {1, 1, 1}),
       "program:4:3: error: assertion failed: never"},
      // EmulatorProgram
      {compilingForEmulator(kAxpy, "sm_81"), "got 'sm_81'"},
      {emulating([](EmulatorRun &run) { run.entry = "other"; }),
       "expected an entry point of the program, got 'other'"},
      {emulating([](EmulatorRun &run) { run.grid = {1, 1, 0}; }),
       "expected a grid of at least 1 block along z that is within the limits, "
       "got 0"},
      {emulating([](EmulatorRun &run) { run.arrays.pop_back(); }),
       "expected 2 arrays, got 1"},
      {emulating([](EmulatorRun &run) { run.arrays[0].size = 16; }),
       "program:7:8: error: out of bounds: expected an address in an array"},
      // The runtime
      {reading("{"), "malformed JSON"},
      {reading("[]"), "metadata: expected an object, found a list"},
      {reading("{\"kernels\": []}"), "expected key 'schema', found none"},
      {reading("{\"schema\": 7}"), "expected schema 1, found 7"},
      {scalar(ElementType::I8, "300"),
       "expected a number that i8 can hold, found '300'"},
      {scalar(ElementType::F16, "1e9"),
       "expected a number that f16 can hold, found '1e9'"},
      {scalar(ElementType::I1, "2"), "that i1 can hold, found '2'"},
      {planning({}), "kernel 'k': expected 1 arguments (n), found 0"},
      {planning({real}),
       "argument 0 ('n'): expected a scalar of i32, found a scalar of f32"},
      {planning({seven}),
       "expected a grid, as the kernel's metadata states none"},
      {planning({seven}, runtime::Grid{0, 1, 1}), "blocks along x, found 0"},
      {planning({seven}, runtime::Grid{1, 1, 65536}),
       "blocks along z, found 65536"},
      {[] { return getMessage(runtime::readMetadata("/does/not/exist.json")); },
       "cannot read '/does/not/exist.json'"},
      {[] { return getMessage(runtime::readNpy("/dev/null")); },
       "cannot read '/dev/null': expected a regular file"},
      {[] { return getMessage(runtime::findKernel({}, "fft", "file")); },
       "file: expected the name of a kernel (there are none), found 'fft'"},
      // Layouts
      {[] { return getLayoutMessage(parseLayout("(4,8):(8")); },
       "expected ',' or ')' at character 8"},
      {[] {
         return getLayoutMessage(
             compose(layout("(4,8):(8,1)"), layout("(3,5):(7,1)")));
       },
       "composition is not a layout"},
      {[] { return getLayoutMessage(complement(layout("4:0"), -1)); },
       "no complement of 4:0: expected a positive bound, got -1"},
      {[] { return getLayoutMessage(leftInverse(layout("(4,8):(0,0)"))); },
       "no left inverse of (4,8):(0,0)"},
      {[] { return getLayoutMessage(toLinear(layout("3:1"))); },
       "expected extents that are powers of two, got 3 in 3:1"},
      {[] {
         return getLayoutMessage(layout("(4,8):(8,1)").evaluate(IntTuple(99)));
       },
       "expected a coordinate from 0 to 31, got 99"},
  };
}
} // namespace

TEST(WrongCalls, AreRefused) {
  std::vector<WrongCall> calls = getWrongCalls();
  EXPECT_GE(calls.size(), 50u);
  llvm::StringSet<> texts;
  for (const WrongCall &wrong : calls) {
    EXPECT_TRUE(texts.insert(wrong.text).second) << wrong.text;
    std::string said = wrong.call();
    EXPECT_NE(said.find(wrong.text), said.npos)
        << "expected '" << wrong.text
        << "', found: " << (said.empty() ? "no error" : said);
  }
  // The process still compiles programs.
  EXPECT_EQ(compiling(kAxpy)(), "");
  // .ci/wrong-calls counts the calls by this line.
  if (!HasFailure())
    std::printf("%zu wrong calls, 0 surprises\n", calls.size());
}
