// Run.cpp - the compiler as a C library: programs run on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Arguments.h"
#include "Compiler.h"
#include "Outcome.h"

#include "tile/Runtime/Npy.h"

#include <cmath>

using namespace tile;
using namespace tile::capi;
using runtime::concat;

static constexpr int32_t kMaxSchedules = 1'000'000;

//===----------------------------------------------------------------------===//
// What is asked for
//===----------------------------------------------------------------------===//

static tile_status checkNumbers(const tile_run_options &options) {
  if (tile_status status =
          expectRange("threads", options.threads, 0, kMaxThreads))
    return status;
  if (tile_status status =
          expectRange("schedules", options.schedules, 0, kMaxSchedules))
    return status;
  if (options.tolerance >= 0 && options.tolerance <= 1)
    return TILE_STATUS_OK;
  return fail(TILE_STATUS_OUT_OF_RANGE,
              concat("expected 'tolerance' from 0 to 1, found ",
                     std::to_string(options.tolerance)));
}

static tile_status checkMachine(const capi::Result &program,
                                const tile_run_options &options) {
  if (!program.cpu && !program.emulator)
    return fail(TILE_STATUS_NOT_AVAILABLE,
                "expected a program that was compiled for the CPU or the "
                "emulator, found one that was not");
  bool isEmulated = options.entry || options.seed != 0 ||
                    options.schedules > 1 || options.tolerance != 0 ||
                    options.profile || options.progress;
  if (program.cpu && isEmulated)
    return fail(TILE_STATUS_INVALID_ARGUMENT,
                "expected an entry point, schedules, a tolerance, a profile "
                "and progress for the emulator, found them for the CPU");
  return TILE_STATUS_OK;
}

namespace {
/// A run that was checked.
struct PreparedRun {
  const runtime::KernelMetadata *kernel = nullptr;
  std::vector<runtime::KernelArgument> arguments;
  runtime::LaunchPlan plan;
  std::vector<runtime::HostBuffer> workspaces;
};
} // namespace

static tile_status failWith(const runtime::Error &error) {
  return fail(TILE_STATUS_INVALID_ARGUMENT, error.message);
}

static tile_status plan(PreparedRun &run, const tile_run_options &options) {
  runtime::Result<runtime::LaunchPlan> plan =
      runtime::planLaunch(*run.kernel, run.arguments, readGrid(options.grid));
  if (!plan)
    return failWith(plan.error());
  run.plan = std::move(*plan);
  if (!options.entry)
    return TILE_STATUS_OK;
  runtime::Result<size_t> entry =
      runtime::findEntry(*run.kernel, run.arguments, options.entry);
  if (!entry)
    return failWith(entry.error());
  run.plan.entry = *entry;
  return TILE_STATUS_OK;
}

/// Memory for the hidden arguments.
static tile_status allocateWorkspaces(PreparedRun &run) {
  for (size_t i = 0; i < run.plan.hiddenBytes.size(); ++i) {
    // What is not promised to be zero is made to look like nothing sensible.
    runtime::Result<runtime::HostBuffer> workspace =
        runtime::HostBuffer::allocate(
            run.plan.hiddenBytes[i],
            run.kernel->hiddenArguments[i].zero ? 0 : 0xff);
    if (!workspace)
      return fail(TILE_STATUS_OUT_OF_MEMORY, workspace.error().message);
    run.workspaces.push_back(std::move(*workspace));
  }
  return TILE_STATUS_OK;
}

static tile_status prepare(const capi::Result &program, const char *kernel,
                           const tile_argument *arguments, size_t count,
                           const tile_run_options &options, PreparedRun &run) {
  const runtime::ModuleMetadata &metadata =
      program.cpu ? program.cpu->getMetadata()
                  : program.emulator->getMetadata();
  runtime::Result<const runtime::KernelMetadata *> found =
      runtime::findKernel(metadata, kernel, "the program");
  if (!found)
    return failWith(found.error());
  run.kernel = *found;
  if (tile_status status =
          readArguments(*run.kernel, arguments, count, run.arguments))
    return status;
  if (tile_status status = plan(run, options))
    return status;
  return allocateWorkspaces(run);
}

//===----------------------------------------------------------------------===//
// On each machine
//===----------------------------------------------------------------------===//

/// The flat parameters, in the order of the kernel ABI.
static runtime::ParameterList listParameters(const PreparedRun &run) {
  std::vector<uint64_t> addresses;
  for (const runtime::HostBuffer &workspace : run.workspaces)
    addresses.push_back(reinterpret_cast<uintptr_t>(workspace.data()));
  return runtime::ParameterList(*run.kernel, run.arguments, addresses);
}

/// What may be accessed: the arrays, then the workspaces.
static std::vector<EmulatorArray> listArrays(PreparedRun &run) {
  std::vector<EmulatorArray> arrays;
  for (const runtime::KernelArgument &argument : run.arguments)
    if (const auto *view = std::get_if<runtime::ArrayView>(&argument)) {
      runtime::ArrayExtent extent = getExtent(*view);
      arrays.push_back({reinterpret_cast<void *>(extent.first), extent.size,
                        view->sizes, std::move(extent.byteStrides),
                        static_cast<size_t>(getByteSize(view->type))});
    }
  for (runtime::HostBuffer &workspace : run.workspaces)
    arrays.push_back(
        {workspace.data(), static_cast<size_t>(workspace.size()), {}, {}, 1});
  return arrays;
}

static std::string runOnCpu(const CpuProgram &program, PreparedRun &run,
                            int threads) {
  runtime::ParameterList parameters = listParameters(run);
  return llvm::toString(
      program.run(run.kernel->name, parameters.data(), run.plan.grid, threads));
}

static std::string runOnEmulator(EmulatorProgram &program, PreparedRun &run,
                                 const tile_run_options &options,
                                 Outcome &outcome) {
  runtime::ParameterList parameters = listParameters(run);
  EmulatorRun emulation;
  emulation.entry = run.kernel->entries[run.plan.entry].symbol;
  emulation.parameters = parameters.data();
  emulation.grid = run.plan.grid;
  emulation.arrays = listArrays(run);
  emulation.seed = options.seed;
  emulation.numSchedules = std::max(options.schedules, 1);
  emulation.tolerance = options.tolerance;
  emulation.threads = options.threads;
  emulation.isProfiled = options.profile != 0;
  if (options.progress)
    emulation.progress = [&](uint64_t ended, uint64_t all) {
      options.progress(options.progress_context, static_cast<int64_t>(ended),
                       static_cast<int64_t>(all));
    };
  EmulatorFindings findings;
  llvm::Expected<EmulatorProfile> profile = program.run(emulation, &findings);
  outcome.addFindings(std::move(findings), program.getSites());
  if (!profile)
    return llvm::toString(profile.takeError());
  if (options.profile)
    outcome.profile = std::move(*profile);
  return "";
}

/// A run of no blocks, which has counted nothing.
static void leaveEmpty(const tile_run_options &options, Outcome &outcome) {
  if (options.profile)
    outcome.profile.emplace();
}

TILE_C_EXPORT tile_status tile_run(const tile_result *program,
                                   const char *kernel,
                                   const tile_argument *arguments, size_t count,
                                   const tile_run_options *options,
                                   tile_outcome **outcome) {
  if (outcome)
    *outcome = nullptr;
  std::shared_ptr<capi::Result> found;
  if (tile_status status = findHandle(program, found))
    return status;
  if (tile_status status = found->poison.check("result"))
    return status;
  if (tile_status status = expectPointer(kernel, "kernel"))
    return status;
  tile_run_options given;
  if (tile_status status = readStruct("tile_run_options", options, given))
    return status;
  if (tile_status status = checkNumbers(given))
    return status;
  if (tile_status status = checkMachine(*found, given))
    return status;
  PreparedRun run;
  if (tile_status status =
          prepare(*found, kernel, arguments, count, given, run))
    return status;
  auto made = std::make_shared<Outcome>();
  std::string problem;
  tile_status status = found->poison.guard([&] {
    if (run.plan.isEmpty())
      return leaveEmpty(given, *made);
    problem = found->cpu ? runOnCpu(*found->cpu, run, given.threads)
                         : runOnEmulator(*found->emulator, run, given, *made);
  });
  if (status != TILE_STATUS_OK)
    return status;
  if (outcome)
    addHandle(std::move(made), outcome);
  return problem.empty() ? TILE_STATUS_OK
                         : fail(TILE_STATUS_KERNEL_FAILED, problem);
}
