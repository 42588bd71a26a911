// CpuJit.cpp - tile programs compiled in memory and run on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/CpuJit.h"

#include "tile/Conversion/TileToCPU.h"
#include "tile/Pipelines/TileToCPU.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

#include <atomic>
#include <thread>

using namespace mlir;
using namespace tile;

/// Block index and grid, x to z.
static constexpr size_t kNumGridParameters = 6;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

CpuProgram::CpuProgram() = default;
CpuProgram::~CpuProgram() = default;

llvm::Expected<std::unique_ptr<CpuProgram>>
CpuProgram::compile(ModuleOp module) {
  std::vector<std::string> kernels;
  for (KernelOp kernel : module.getOps<KernelOp>())
    kernels.push_back(kernel.getSymName().str());
  PassManager passes(module.getContext());
  buildTileToCPU(passes);
  if (failed(passes.run(module)))
    return reportedError();

  auto jit = HostJit::create(HostCode::kLoops);
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = (*jit)->add(module))
    return std::move(error);
  std::unique_ptr<CpuProgram> program(new CpuProgram());
  for (const std::string &kernel : kernels) {
    auto address = (*jit)->lookup(getPackedEntryName(kernel));
    if (!address)
      return address.takeError();
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel);
    program->entries.push_back(
        {kernel, reinterpret_cast<void (*)(void **)>(*address),
         function.getNumArguments() - kNumGridParameters});
  }
  program->jit = std::move(*jit);
  return program;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

const CpuProgram::Entry *CpuProgram::find(StringRef kernel) const {
  for (const Entry &entry : entries)
    if (entry.kernel == kernel)
      return &entry;
  return nullptr;
}

/// Runs blocks, taken from `next` one at a time, until there are no more.
static void runBlocks(void (*function)(void **), ArrayRef<void *> parameters,
                      const std::array<int64_t, 3> &grid,
                      std::atomic<int64_t> &next) {
  int64_t position[kNumGridParameters] = {0, 0, 0, grid[0], grid[1], grid[2]};
  SmallVector<void *> all(parameters);
  for (int64_t &value : position)
    all.push_back(&value);
  int64_t count = grid[0] * grid[1] * grid[2];
  for (int64_t block; (block = next.fetch_add(1)) < count;) {
    position[0] = block % grid[0];
    position[1] = block / grid[0] % grid[1];
    position[2] = block / (grid[0] * grid[1]);
    function(all.data());
  }
}

llvm::Error CpuProgram::run(StringRef kernel, void *const *parameters,
                            const std::array<int64_t, 3> &grid,
                            int threads) const {
  const Entry *entry = find(kernel);
  if (!entry)
    return llvm::createStringError("no kernel '" + kernel.str() + "'");
  int64_t count;
  if (llvm::any_of(grid, [](int64_t extent) { return extent < 1; }) ||
      llvm::MulOverflow(grid[0], grid[1], count) ||
      llvm::MulOverflow(count, grid[2], count))
    return llvm::createStringError(
        "expected a grid of positive extents with fewer than 2^63 blocks");
  int64_t numThreads =
      threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency());
  numThreads = std::min(numThreads, count);

  ArrayRef<void *> values(parameters, entry->numParameters);
  std::atomic<int64_t> next(0);
  std::vector<std::thread> workers;
  for (int64_t index = 1; index < numThreads; ++index)
    workers.emplace_back(
        [&] { runBlocks(entry->function, values, grid, next); });
  runBlocks(entry->function, values, grid, next);
  for (std::thread &worker : workers)
    worker.join();
  return llvm::Error::success();
}
