// EmulatorJit.cpp - compiled kernels run without a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Execution/EmulatorJit.h"

#include "ScheduleResults.h"

#include "tile/Analysis/HostCode.h"
#include "tile/Conversion/HostSymbols.h"
#include "tile/Conversion/NVVMToEmulator.h"
#include "tile/Emulator/Calls.h"
#include "tile/Emulator/DeviceMath.h"
#include "tile/Execution/EmulatorProfile.h"
#include "tile/Target/Compiler.h"
#include "tile/VerifyTarget/VerifyTarget.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/Support/Format.h"

#include <cmath>
#include <cstring>

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Functions that compiled code calls
//===----------------------------------------------------------------------===//

#define TILE_CALL(NAME) {#NAME, reinterpret_cast<void *>(NAME)}

/// The functions of the emulator that compiled code calls: all of Calls.h.
static const HostFunction kMachine[] = {
    TILE_CALL(tile_emulator_access),
    TILE_CALL(tile_emulator_access_done),
    TILE_CALL(tile_emulator_access_if_used),
    TILE_CALL(tile_emulator_access_range),
    TILE_CALL(tile_emulator_active_mask),
    TILE_CALL(tile_emulator_assert_fail),
    TILE_CALL(tile_emulator_barrier),
    TILE_CALL(tile_emulator_barrier_arrive),
    TILE_CALL(tile_emulator_block_index),
    TILE_CALL(tile_emulator_block_size),
    TILE_CALL(tile_emulator_clock),
    TILE_CALL(tile_emulator_copy_async),
    TILE_CALL(tile_emulator_copy_commit),
    TILE_CALL(tile_emulator_copy_wait),
    TILE_CALL(tile_emulator_copy_wait_all),
    TILE_CALL(tile_emulator_fence),
    TILE_CALL(tile_emulator_grid_size),
    TILE_CALL(tile_emulator_lane),
    TILE_CALL(tile_emulator_load_matrix),
    TILE_CALL(tile_emulator_match),
    TILE_CALL(tile_emulator_mma),
    TILE_CALL(tile_emulator_warpgroup_mma),
    TILE_CALL(tile_emulator_warpgroup_mma_registers),
    TILE_CALL(tile_emulator_warpgroup_read),
    TILE_CALL(tile_emulator_proxy_fence),
    TILE_CALL(tile_emulator_warpgroup_fence),
    TILE_CALL(tile_emulator_warpgroup_commit),
    TILE_CALL(tile_emulator_warpgroup_wait),
    TILE_CALL(tile_emulator_poll),
    TILE_CALL(tile_emulator_prefetch),
    TILE_CALL(tile_emulator_print),
    TILE_CALL(tile_emulator_redux),
    TILE_CALL(tile_emulator_scatter_iteration),
    TILE_CALL(tile_emulator_shared_base),
    TILE_CALL(tile_emulator_shared_bytes),
    TILE_CALL(tile_emulator_shuffle),
    TILE_CALL(tile_emulator_store_matrix),
    TILE_CALL(tile_emulator_thread_index),
    TILE_CALL(tile_emulator_trap),
    TILE_CALL(tile_emulator_use_quotient),
    TILE_CALL(tile_emulator_vote),
    TILE_CALL(tile_emulator_warp),
    TILE_CALL(tile_emulator_warp_sync),
    TILE_CALL(tile_emulator_yield),
};

#undef TILE_CALL

static llvm::Error defineCalls(HostJit &jit) {
  SmallVector<HostFunction> functions(std::begin(kMachine), std::end(kMachine));
  for (const emulator::DeviceFunction &function :
       emulator::getDeviceFunctions())
    functions.push_back({function.name, function.address});
  return jit.define(functions);
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

llvm::Expected<std::unique_ptr<EmulatorProgram>>
EmulatorProgram::compile(ModuleOp module, StringRef arch) {
  if (failed(verifyHasKernels(module)))
    return reportedError();
  CompileOptions options;
  options.pipeline.arch = arch.str();
  options.stage = CompileStage::kLLVMDialect;
  options.pipeline.checkBounds = true;
  FailureOr<CompiledModule> compiled = tile::compile(module, options);
  if (failed(compiled) || failed(verifyTarget(module, *compiled->architecture)))
    return reportedError();
  // Host functions are removed, as they may call functions that this process
  // does not have.
  SmallVector<Operation *> host = collectHostCode(module);
  for (Operation *op : llvm::reverse(host))
    op->erase();
  return compileLowered(module, std::move(compiled->metadata));
}

llvm::Expected<std::unique_ptr<EmulatorProgram>>
EmulatorProgram::compileLowered(ModuleOp module,
                                runtime::ModuleMetadata metadata) {
  FailureOr<EmulatorModule> converted = convertToEmulator(module);
  if (failed(converted))
    return reportedError();
  auto jit = HostJit::create(HostCode::kStraight);
  if (!jit)
    return jit.takeError();
  std::unique_ptr<EmulatorProgram> program(new EmulatorProgram());
  program->metadata = std::move(metadata);
  program->sites = std::move(converted->sites);
  program->globals = std::move(converted->globals);
  program->jit = std::move(*jit);
  if (llvm::Error error = defineCalls(*program->jit))
    return std::move(error);
  if (llvm::Error error = program->addParts(module))
    return std::move(error);
  return program;
}

/// Inserts a declaration of the symbol `op`, which another module defines.
static void declare(OpBuilder &builder, Operation *op) {
  Operation *copy = builder.clone(*op);
  if (auto global = dyn_cast<LLVM::GlobalOp>(copy)) {
    global.removeValueAttr();
    global.getInitializer().getBlocks().clear();
  }
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(copy)) {
    function.getBody().dropAllReferences();
    function.getBody().getBlocks().clear();
  }
}

/// Copies `definition` of `module` to a new module, with declarations of the
/// symbols that it uses.
static OwningOpRef<ModuleOp> isolate(ModuleOp module, Operation *definition) {
  OwningOpRef<ModuleOp> part = ModuleOp::create(definition->getLoc());
  auto builder = OpBuilder::atBlockBegin(part->getBody());
  llvm::SmallDenseSet<StringAttr> used;
  auto uses = SymbolTable::getSymbolUses(definition);
  for (SymbolTable::SymbolUse use : *uses)
    used.insert(use.getSymbolRef().getRootReference());
  for (Operation &op : *module.getBody())
    if (auto symbol = dyn_cast<SymbolOpInterface>(op);
        symbol && &op != definition && used.contains(symbol.getNameAttr()))
      declare(builder, &op);
  builder.clone(*definition);
  return part;
}

/// Adds each definition as a separate module, which is compiled at its first
/// use: most runs need only one of the two variants of a kernel.
llvm::Error EmulatorProgram::addParts(ModuleOp module) {
  for (Operation &op : *module.getBody()) {
    auto function = dyn_cast<LLVM::LLVMFuncOp>(op);
    if (function ? function.isExternal() : !isa<LLVM::GlobalOp>(op))
      continue;
    OwningOpRef<ModuleOp> part = isolate(module, &op);
    if (llvm::Error error = jit->add(*part))
      return error;
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// One run
//===----------------------------------------------------------------------===//

const runtime::KernelMetadata *
EmulatorProgram::findKernel(StringRef entry) const {
  for (const runtime::KernelMetadata &kernel : metadata.kernels)
    for (const runtime::EntryPoint &candidate : kernel.entries)
      if (candidate.symbol == entry)
        return &kernel;
  return nullptr;
}

/// Returns the index of the entry point `symbol`. @pre the kernel has it.
static size_t findEntry(const runtime::KernelMetadata &kernel,
                        StringRef symbol) {
  auto found =
      llvm::find_if(kernel.entries, [&](const runtime::EntryPoint &entry) {
        return entry.symbol == symbol;
      });
  return static_cast<size_t>(found - kernel.entries.begin());
}

/// Chooses little effort for runs of few threads, which end in less time than
/// the compilation of better code would take.
static HostEffort chooseEffort(const std::array<int64_t, 3> &block,
                               const EmulatorRun &run) {
  constexpr double kManyThreads = 65536;
  double threads = 1;
  for (int axis = 0; axis < 3; ++axis)
    threads *= double(block[axis]) * double(run.grid[axis]);
  return threads < kManyThreads ? HostEffort::kLittle : HostEffort::kFull;
}

llvm::Expected<emulator::Kernel>
EmulatorProgram::prepareKernel(const EmulatorRun &run) {
  const runtime::KernelMetadata *described = findKernel(run.entry);
  if (!described)
    return llvm::createStringError("expected an entry point of the program, "
                                   "got '" +
                                   run.entry + "'");
  size_t entry = findEntry(*described, run.entry);
  const std::array<int64_t, 3> &block = getBlock(*described, entry);
  llvm::Expected<void *> address = [&] {
    std::lock_guard<std::mutex> lock(mutex);
    return jit->lookup(getHostSymbol(run.entry), chooseEffort(block, run));
  }();
  if (!address)
    return address.takeError();
  emulator::Kernel kernel;
  kernel.name = described->name;
  kernel.entry = reinterpret_cast<emulator::KernelEntry>(*address);
  kernel.sites = sites;
  for (int axis = 0; axis < 3; ++axis)
    kernel.block[axis] = block[axis];
  kernel.sharedBytes = getSharedBytes(*described, entry);
  kernel.countsFromEnd = true; // as tile.program_id is lowered
  if (const Architecture *architecture = findArchitecture(described->arch))
    kernel.limits.sharedBytes = architecture->sharedBytesPerBlock;
  return kernel;
}

/// Describes the arrays of a kernel: those of its arguments, then its
/// workspaces.
static void describeArrays(const runtime::KernelMetadata &kernel,
                           const EmulatorRun &run,
                           std::vector<emulator::Array> &arrays) {
  auto append = [&](std::string name, const EmulatorArray &given,
                    runtime::Access access) {
    emulator::Array array;
    array.name = std::move(name);
    array.base = given.first;
    array.bytes = given.size;
    array.extents = given.extents;
    array.strides = given.strides;
    array.elementBytes = given.elementBytes;
    array.isWritable = access != runtime::Access::Read;
    array.isInitialized =
        given.isInitialized && access != runtime::Access::Write;
    arrays.push_back(std::move(array));
  };
  size_t next = 0;
  for (auto [index, argument] : llvm::enumerate(kernel.arguments))
    if (argument.kind == runtime::Argument::Kind::Array)
      append("argument " + std::to_string(index) + " ('" + argument.name + "')",
             run.arrays[next++], argument.access);
  for (auto [index, hidden] : llvm::enumerate(kernel.hiddenArguments))
    append("workspace " + std::to_string(index), run.arrays[next++],
           hidden.zero ? runtime::Access::ReadWrite : runtime::Access::Write);
}

static size_t countArrays(const runtime::KernelMetadata &kernel) {
  return kernel.hiddenArguments.size() +
         llvm::count_if(
             kernel.arguments, [](const runtime::Argument &argument) {
               return argument.kind == runtime::Argument::Kind::Array;
             });
}

/// Returns the number of a kernel's parameters in the runtime's ABI, without
/// those for the grid.
static size_t countParameters(const runtime::KernelMetadata &kernel) {
  size_t count = kernel.hiddenArguments.size();
  for (const runtime::Argument &argument : kernel.arguments) {
    ++count;
    count += llvm::count(argument.shape, std::nullopt) +
             llvm::count(argument.strides, std::nullopt);
  }
  return count;
}

llvm::Expected<emulator::Launch>
EmulatorProgram::prepareLaunch(const EmulatorRun &run) {
  const runtime::KernelMetadata &kernel = *findKernel(run.entry);
  emulator::Launch launch;
  for (int axis = 0; axis < 3; ++axis) {
    if (run.grid[axis] < 1 || run.grid[axis] > UINT32_MAX)
      return llvm::createStringError(
          "expected a grid of at least 1 block along " +
          std::string(1, "xyz"[axis]) + " that is within the limits, got " +
          std::to_string(run.grid[axis]));
    launch.grid[axis] = run.grid[axis];
  }
  if (run.arrays.size() != countArrays(kernel))
    return llvm::createStringError(
        "expected " + std::to_string(countArrays(kernel)) + " arrays, got " +
        std::to_string(run.arrays.size()));
  launch.params.assign(run.parameters,
                       run.parameters + countParameters(kernel));
  describeArrays(kernel, run, launch.arrays);
  for (const EmulatorGlobal &global : globals) {
    std::lock_guard<std::mutex> lock(mutex);
    llvm::Expected<void *> address = jit->lookup(getHostSymbol(global.symbol));
    if (!address)
      return address.takeError();
    emulator::Array array;
    array.name = global.symbol;
    array.base = *address;
    array.bytes = global.bytes;
    array.isWritable = global.isWritable;
    launch.arrays.push_back(std::move(array));
  }
  return launch;
}

llvm::Expected<emulator::Outcome>
EmulatorProgram::runOnce(const EmulatorRun &run, uint64_t seed,
                         const void *watched) {
  llvm::Expected<emulator::Kernel> kernel = prepareKernel(run);
  if (!kernel)
    return kernel.takeError();
  llvm::Expected<emulator::Launch> launch = prepareLaunch(run);
  if (!launch)
    return launch.takeError();
  emulator::Options options;
  options.seed = seed;
  options.hostThreads = run.threads;
  options.profile = run.isProfiled;
  options.mustStop = run.mustStop;
  options.watched = watched;
  if (run.progress)
    options.progress = [&](uint64_t ended, uint64_t all) {
      run.progress((seed - run.seed) * all + ended, run.numSchedules * all);
    };
  return emulator::run(*kernel, *launch, options);
}

//===----------------------------------------------------------------------===//
// Schedules
//===----------------------------------------------------------------------===//

/// Describes the problems of a run; empty if there are none.
static std::string describeProblems(const emulator::Outcome &outcome) {
  if (!outcome.refusal.empty())
    return outcome.refusal;
  std::string text;
  for (const emulator::Finding &finding : outcome.findings)
    text += finding.text + "\n";
  if (outcome.droppedFindings)
    text += std::to_string(outcome.droppedFindings) + " more findings\n";
  if (text.empty() && !outcome.isComplete)
    text = "not all blocks came to their end";
  return text;
}

/// Returns, as text, a power of ten that is at least twice `needed`. With it as
/// the tolerance, the results of other schedules are likely to match as well.
static std::string chooseTolerance(double needed) {
  double exponent = std::ceil(std::log10(std::max(2 * needed, 1e-12)));
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format("%.0e", std::pow(10, exponent));
  return text;
}

/// Reports which element differs between two schedules, and runs the second one
/// again to report which line writes it.
llvm::Error
EmulatorProgram::refuseDifference(const EmulatorRun &run, uint64_t seed,
                                  const ScheduleDifference &difference) {
  std::vector<emulator::Array> arrays;
  describeArrays(*findKernel(run.entry), run, arrays);
  const emulator::Array &array = arrays[difference.array];
  llvm::Expected<emulator::Outcome> again = runOnce(
      run, seed, static_cast<const char *>(array.base) + difference.byte);
  if (!again)
    return again.takeError();
  std::string location;
  if (again->lastWriter != emulator::kNoSite)
    location = sites[again->lastWriter].location + ": error: ";
  std::string advice;
  if (difference.tolerance)
    advice = "; sums of floating point in another order are permitted by "
             "tolerance=" +
             chooseTolerance(*difference.tolerance);
  return llvm::createStringError(
      location + "expected " +
      (run.tolerance == 0 ? "equal results" : "results within the tolerance") +
      " under all schedules, got different ones with seed=" +
      std::to_string(run.seed) + " and seed=" + std::to_string(seed) +
      ", first at " + difference.describe(array.name) + advice);
}

llvm::Expected<EmulatorProfile>
EmulatorProgram::run(const EmulatorRun &run, EmulatorFindings *findings) {
  std::optional<ScheduleResults> before, first;
  if (run.numSchedules > 1)
    before.emplace(run.arrays);
  EmulatorProfile profile;
  for (int schedule = 0; schedule < run.numSchedules; ++schedule) {
    if (schedule > 0)
      before->restore();
    uint64_t seed = run.seed + schedule;
    llvm::Expected<emulator::Outcome> outcome = runOnce(run, seed);
    if (!outcome)
      return outcome.takeError();
    std::string problems = describeProblems(*outcome);
    if (!problems.empty() && findings)
      *findings = {seed, std::move(outcome->findings)};
    if (!problems.empty())
      return llvm::createStringError(
          problems + (run.numSchedules > 1 || seed != 0
                          ? "with seed=" + std::to_string(seed) + "\n"
                          : ""));
    if (run.isProfiled) {
      std::vector<ProfileRow> rows = collectProfile(sites, outcome->counters);
      profile.text = printProfile(rows, outcome->barriers);
      profile.json = printProfileJson(rows, outcome->barriers);
    }
    if (schedule == 0 && run.numSchedules > 1) {
      first.emplace(run.arrays);
      continue;
    }
    if (!first)
      continue;
    if (auto difference =
            first->findDifference(*findKernel(run.entry), run.tolerance)) {
      before->restore();
      return refuseDifference(run, seed, *difference);
    }
  }
  return profile;
}
