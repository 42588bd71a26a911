// CpuJit.cpp - tile programs compiled in memory and run on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Execution/CpuJit.h"

#include "CpuCalls.h"

#include "tile/Analysis/HostCode.h"
#include "tile/Analysis/Levels.h"
#include "tile/Conversion/HostSymbols.h"
#include "tile/Conversion/TileToCPU.h"
#include "tile/IR/BoundsAssertions.h"
#include "tile/Pipelines/TileToCPU.h"
#include "tile/Target/BuildMetadata.h"
#include "tile/Target/DescribeHostFunctions.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"

#include <atomic>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace tile;

/// The number of parameters for the block index and the grid, along x to z.
static constexpr size_t kNumGridParameters = 6;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// Inlines calls, so that the accesses to an array can be seen. Kernels at
/// level decomposed have none.
static LogicalResult inlineCalls(ModuleOp module) {
  auto kernels = module.getOps<KernelOp>();
  bool isDecomposed = llvm::any_of(kernels, [](KernelOp kernel) {
    return getLevel(kernel) == Level::decomposed;
  });
  if (isDecomposed)
    return success(llvm::all_of(kernels, [](KernelOp kernel) {
      return succeeded(verifyLevel(kernel, Level::decomposed));
    }));
  assertFilledBounds(module);
  PassManager passes(module.getContext());
  passes.addPass(createCanonicalForm());
  return passes.run(module);
}

FailureOr<bool> tile::decomposeProgram(ModuleOp module) {
  PassManager inlining(module.getContext());
  inlining.addPass(createCanonicalForm());
  if (failed(inlining.run(module)))
    return failure();
  auto findComposite = [](Operation *op) {
    return isComposite(op) ? WalkResult::interrupt() : WalkResult::advance();
  };
  if (!module.walk(findComposite).wasInterrupted())
    return false;
  PassManager decomposition(module.getContext());
  decomposition.addNestedPass<KernelOp>(createDecompose());
  if (failed(decomposition.run(module)))
    return failure();
  return true;
}

/// Declares that tile_cpu_poll accesses no memory of the program, so that LLVM
/// may keep loaded values in registers while a loop polls.
static void describePoll(ModuleOp module) {
  auto poll = module.lookupSymbol<LLVM::LLVMFuncOp>("tile_cpu_poll");
  if (!poll)
    return;
  auto none = LLVM::ModRefInfo::NoModRef;
  poll.setMemoryEffectsAttr(LLVM::MemoryEffectsAttr::get(
      module.getContext(), none, LLVM::ModRefInfo::Ref,
      LLVM::ModRefInfo::ModRef, none, none, none));
}

CpuProgram::CpuProgram() = default;
CpuProgram::~CpuProgram() = default;

llvm::Expected<std::unique_ptr<CpuProgram>>
CpuProgram::compile(ModuleOp module, HostEffort effort) {
  if (failed(inlineCalls(module)))
    return reportedError();
  runtime::ModuleMetadata metadata;
  for (KernelOp kernel : module.getOps<KernelOp>())
    metadata.kernels.push_back(describeKernel(kernel, "cpu"));
  describeHostFunctions(module, metadata);
  // Host functions are removed, as they may call functions that this process
  // does not have.
  SmallVector<Operation *> host = collectHostCode(module);
  for (Operation *op : llvm::reverse(host))
    op->erase();
  PassManager passes(module.getContext());
  buildCanonicalToCPU(passes);
  if (failed(passes.run(module)))
    return reportedError();

  describePoll(module);
  auto jit = HostJit::create(HostCode::kLoops);
  if (!jit)
    return jit.takeError();
  if (llvm::Error error = (*jit)->define(getCpuCalls()))
    return std::move(error);
  if (llvm::Error error = (*jit)->add(module))
    return std::move(error);
  std::unique_ptr<CpuProgram> program(new CpuProgram());
  for (const runtime::KernelMetadata &described : metadata.kernels) {
    const std::string &kernel = described.name;
    auto address = (*jit)->lookup(getPackedEntryName(kernel), effort);
    if (!address)
      return address.takeError();
    auto function =
        module.lookupSymbol<LLVM::LLVMFuncOp>(getHostSymbol(kernel));
    program->entries.push_back(
        {kernel, reinterpret_cast<void (*)(void **)>(*address),
         function.getNumArguments() - kNumGridParameters});
  }
  program->jit = std::move(*jit);
  program->metadata = std::move(metadata);
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

namespace {
/// State that is shared by the threads of a run.
struct SharedRun {
  explicit SharedRun(std::function<bool()> mustStop)
      : control(std::move(mustStop)) {}

  std::atomic<int64_t> next{0}; ///< index of the next block to start
  std::mutex mutex;
  std::string failure; ///< message of the first failure; empty if there is none
  CpuTurns turns;
  RunControl control;
};
} // namespace

/// Runs blocks, one at a time, until there are no more or one has failed. The
/// last block of the grid starts first, as on a GPU, so that a block may wait
/// for blocks that start before it.
static void runBlocks(void (*function)(void **), ArrayRef<void *> parameters,
                      const std::array<int64_t, 3> &grid, SharedRun &run) {
  int64_t position[kNumGridParameters] = {0, 0, 0, grid[0], grid[1], grid[2]};
  SmallVector<void *> all(parameters);
  for (int64_t &value : position)
    all.push_back(&value);
  int64_t count = grid[0] * grid[1] * grid[2];
  for (int64_t block; (block = run.next.fetch_add(1)) < count;) {
    int64_t program = count - 1 - block;
    position[0] = program % grid[0];
    position[1] = program / grid[0] % grid[1];
    position[2] = program / (grid[0] * grid[1]);
    if (run.control.poll())
      return;
    CpuBlock running = {
        {position[0], position[1], position[2]}, block, run.turns, run.control};
    std::string failure = runCpuBlock(function, all.data(), running);
    if (failure.empty())
      continue;
    run.turns.end();
    std::lock_guard<std::mutex> lock(run.mutex);
    if (run.failure.empty())
      run.failure = std::move(failure);
    run.next = count;
  }
}

llvm::Error CpuProgram::run(StringRef kernel, void *const *parameters,
                            const std::array<int64_t, 3> &grid, int threads,
                            std::function<bool()> mustStop) const {
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
  SharedRun run(std::move(mustStop));
  run.control.run(static_cast<uint64_t>(numThreads),
                  [&] { runBlocks(entry->function, values, grid, run); });
  if (!run.failure.empty())
    return llvm::createStringError(run.failure);
  if (run.control.isStopped())
    return llvm::createStringError("stopped: not all blocks have run");
  return llvm::Error::success();
}
