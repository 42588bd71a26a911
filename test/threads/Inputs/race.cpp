// race.cpp - races that ThreadSanitizer has to find
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   race counter FILE   two threads increment the same counter
//   race pass FILE      a pass counts the kernels that it visits: the pass
//                       manager runs it on several kernels at once, on threads
//                       and from frames of MLIR, for which there are
//                       suppressions
//   race progress FILE  two runs on the emulator call the same listener, which
//                       is not synchronized

#include "tile/Execution/EmulatorJit.h"
#include "tile/IR/Tile.h"
#include "tile/Registration.h"
#include "tile/Target/Compiler.h"
#include "tile/Target/ParseProgram.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

#include <chrono>
#include <thread>

using namespace mlir;
using namespace tile;

/// This counter is neither atomic nor guarded by a lock.
static int count = 0;
LLVM_ATTRIBUTE_NOINLINE static void countWithoutLock() { ++count; }

static void runTwice(const std::function<void()> &function) {
  std::thread first(function), second(function);
  first.join();
  second.join();
}

namespace {
struct CountKernels : PassWrapper<CountKernels, OperationPass<KernelOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountKernels)
  void runOnOperation() override {
    countWithoutLock();
    // Wait until the other threads have started. A thread that takes a kernel
    // after this call is ordered after it by the lock of the queue.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
};
} // namespace

static LogicalResult raceInPass(const char *path, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseProgram(path, &context);
  if (!module)
    return failure();
  PassManager passes(&context);
  passes.addNestedPass<KernelOp>(std::make_unique<CountKernels>());
  return passes.run(*module);
}

static LogicalResult raceInProgress(const char *path, MLIRContext &context) {
  OwningOpRef<ModuleOp> module = parseProgram(path, &context);
  if (!module || failed(keepKernel(*module, "elementwise")))
    return failure();
  auto program = llvm::cantFail(EmulatorProgram::compile(*module, "sm_80"));
  runTwice([&] {
    std::vector<float> x(4096, 1), y(4096);
    void *pointers[] = {x.data(), y.data()};
    void *parameters[] = {&pointers[0], &pointers[1]};
    EmulatorRun run;
    run.entry = program->getMetadata().kernels[0].entries.back().symbol;
    run.parameters = parameters;
    run.grid = {2, 1, 1};
    run.arrays = {{x.data(), 16384, {4096}, {4}, 4},
                  {y.data(), 16384, {4096}, {4}, 4}};
    run.numSchedules = 4;
    run.progress = [](uint64_t, uint64_t) { countWithoutLock(); };
    llvm::cantFail(program->run(run));
  });
  return success();
}

int main(int argc, char **argv) {
  if (argc != 3)
    return 2;
  llvm::StringRef kind = argv[1];
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  LogicalResult result = success();
  if (kind == "counter")
    runTwice(countWithoutLock);
  else if (kind == "pass")
    result = raceInPass(argv[2], context);
  else
    result = raceInProgress(argv[2], context);
  return failed(result);
}
