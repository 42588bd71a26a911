// CpuJit.cpp - tile programs compiled in memory and run on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Target/CpuJit.h"

#include "tile/Conversion/TileToCPU.h"
#include "tile/Pipelines/TileToCPU.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"

#include <atomic>
#include <thread>

using namespace mlir;
using namespace tile;

/// Block index and grid, x to z.
static constexpr size_t kNumGridParameters = 6;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// An error whose text is with the module's context.
static llvm::Error reportedError() {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), "");
}

static void initializeHost() {
  static const bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
}

static llvm::Expected<llvm::orc::JITTargetMachineBuilder> detectHost() {
  initializeHost();
  auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!host)
    return host.takeError();
  host->setCodeGenOptLevel(llvm::CodeGenOptLevel::Aggressive);
  // Only llvm.fma is a fused multiply-add.
  host->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return host;
}

/// LLVM's O3 for `machine`.
static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = true;
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O3)
      .run(module, modules);
}

/// The vectoriser and the code generator read the processor off each function.
static void setProcessor(llvm::Module &module, llvm::TargetMachine &machine) {
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("target-cpu", machine.getTargetCPU());
    function.addFnAttr("target-features", machine.getTargetFeatureString());
  }
}

/// `module`, in the LLVM dialect, as an optimised module of LLVM.
static llvm::Expected<llvm::orc::ThreadSafeModule>
translate(ModuleOp module, llvm::TargetMachine &machine) {
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> translated =
      translateModuleToLLVMIR(module, *context);
  if (!translated)
    return reportedError();
  translated->setDataLayout(machine.createDataLayout());
  translated->setTargetTriple(machine.getTargetTriple());
  setProcessor(*translated, machine);
  optimize(*translated, machine);
  return llvm::orc::ThreadSafeModule(std::move(translated), std::move(context));
}

/// A JIT that appends to `problems` what goes wrong during a lookup.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
createJit(llvm::orc::JITTargetMachineBuilder host,
          std::shared_ptr<std::string> problems) {
  auto jit =
      llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(host).create();
  if (!jit)
    return jit.takeError();
  // The reasons of a failed lookup come here, not with its error.
  (*jit)->getExecutionSession().setErrorReporter(
      [problems](llvm::Error error) {
        *problems += llvm::toString(std::move(error)) + "\n";
      });
  // malloc, memcpy, expf and the like are those of this process.
  auto symbols = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!symbols)
    return symbols.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*symbols));
  return jit;
}

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

  auto host = detectHost();
  if (!host)
    return host.takeError();
  auto machine = host->createTargetMachine();
  if (!machine)
    return machine.takeError();
  auto translated = translate(module, **machine);
  if (!translated)
    return translated.takeError();

  std::unique_ptr<CpuProgram> program(new CpuProgram());
  auto problems = std::make_shared<std::string>();
  auto jit = createJit(std::move(*host), problems);
  if (!jit)
    return jit.takeError();
  program->jit = std::move(*jit);
  if (llvm::Error error =
          program->jit->addIRModule(std::move(*translated)))
    return std::move(error);
  for (const std::string &kernel : kernels) {
    auto address = program->jit->lookup(getPackedEntryName(kernel));
    if (!address)
      return llvm::createStringError(
          *problems + llvm::toString(address.takeError()));
    auto function = module.lookupSymbol<LLVM::LLVMFuncOp>(kernel);
    program->entries.push_back({kernel, address->toPtr<void (*)(void **)>(),
                                function.getNumArguments() -
                                    kNumGridParameters});
  }
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
