// kernels.cpp - compiles and runs eight kernels on eight threads, by the C++
// libraries
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   kernels FILE: compiles the kernels of FILE (kernels.mlir) concurrently,
//   each on its own thread, to PTX and for the emulator, and runs them there.
//   PTX and results must equal those of a run on the main thread.

#include "tile/Execution/EmulatorJit.h"
#include "tile/Registration.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/ParseProgram.h"

#include "mlir/IR/MLIRContext.h"

#include <iostream>
#include <thread>

using namespace mlir;
using namespace tile;

static constexpr const char *kKernels[] = {
    "elementwise", "reduction", "transpose",    "scan",
    "sort",        "product",   "tensor_cores", "additions"};
static constexpr size_t kExtent = 64, kElements = kExtent * kExtent;

namespace {
/// PTX and results of one kernel; both are empty after a failure.
struct Work {
  std::string ptx;
  std::vector<float> result;

  bool operator==(const Work &other) const {
    return !ptx.empty() && ptx == other.ptx && !result.empty() &&
           result == other.result;
  }
};
} // namespace

static EmulatorArray describe(std::vector<float> &array) {
  int64_t row = kExtent * sizeof(float);
  return {array.data(),
          kElements * sizeof(float),
          {kExtent, kExtent},
          {row, sizeof(float)},
          sizeof(float)};
}

static std::vector<float> runOnEmulator(ModuleOp module) {
  std::vector<float> x(kElements), y(kElements);
  for (size_t i = 0; i < kElements; ++i)
    x[i] = float((i * 37) % 101) * 0.125f + 1;
  auto program = llvm::cantFail(EmulatorProgram::compile(module, "sm_80"));
  void *pointers[] = {x.data(), y.data()};
  void *parameters[] = {&pointers[0], &pointers[1]};
  EmulatorRun run;
  run.entry = program->getMetadata().kernels[0].entries.back().symbol;
  run.parameters = parameters;
  run.grid = {2, 1, 1};
  run.arrays = {describe(x), describe(y)};
  run.threads = 2;
  llvm::cantFail(program->run(run));
  return y;
}

/// Compiles and runs `kernel` of the file `path` in a new MLIRContext.
static Work compileAndRun(const char *path, const char *kernel,
                          const DialectRegistry &registry) {
  MLIRContext context(registry);
  OwningOpRef<ModuleOp> module = parseProgram(path, &context);
  if (!module || failed(keepKernel(*module, kernel)))
    return {};
  OwningOpRef<ModuleOp> copy(module->clone());
  CompileOptions options;
  options.stage = CompileStage::kPTX;
  FailureOr<CompiledModule> compiled = compile(*copy, options);
  if (failed(compiled))
    return {};
  return {compiled->ptx, runOnEmulator(*module)};
}

int main(int argc, char **argv) {
  if (argc != 2)
    return 2;
  DialectRegistry registry;
  registerAllDialects(registry);
  std::array<Work, std::size(kKernels)> together;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < std::size(kKernels); ++i)
    threads.emplace_back([&, i] {
      together[i] = compileAndRun(argv[1], kKernels[i], registry);
    });
  for (std::thread &thread : threads)
    thread.join();
  size_t equal = 0;
  for (size_t i = 0; i < std::size(kKernels); ++i)
    equal += together[i] == compileAndRun(argv[1], kKernels[i], registry);
  std::cout << equal << " of " << std::size(kKernels)
            << " kernels are as by themselves\n";
  return 0;
}
