// Run.cpp - the compiler as a C library: programs run on the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outcome.h"
#include "PrepareRun.h"

#include <cmath>
#include <functional>

using namespace tile;
using namespace tile::capi;
using runtime::concat;

static constexpr int32_t kMaxSchedules = 1'000'000;

//===----------------------------------------------------------------------===//
// The request
//===----------------------------------------------------------------------===//

static tile_status checkRanges(const tile_run_options &options) {
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
                    options.profile || options.progress || options.num_outputs;
  if (program.cpu && isEmulated)
    return fail(
        TILE_STATUS_INVALID_ARGUMENT,
        "expected an entry point, schedules, a tolerance, a profile, "
        "progress and outputs for the emulator, found them for the CPU");
  return TILE_STATUS_OK;
}

//===----------------------------------------------------------------------===//
// On each machine
//===----------------------------------------------------------------------===//

/// Returns the parameters of a launch, in the order of the kernel's ABI.
static runtime::ParameterList listParameters(const PreparedLaunch &launch) {
  return runtime::ParameterList(*launch.kernel, launch.arguments,
                                getAddresses(launch.workspaces));
}

/// Lists the arrays that may be accessed: the arguments, then the workspaces.
static std::vector<EmulatorArray> listArrays(PreparedLaunch &launch) {
  std::vector<EmulatorArray> arrays;
  for (auto [index, argument] : llvm::enumerate(launch.arguments))
    if (const auto *view = std::get_if<runtime::ArrayView>(&argument)) {
      runtime::ArrayExtent extent = getExtent(*view);
      arrays.push_back(
          {reinterpret_cast<void *>(extent.first), extent.size, view->sizes,
           std::move(extent.byteStrides),
           static_cast<size_t>(getByteSize(view->type)),
           /*isInitialized=*/!llvm::is_contained(launch.outputs, index)});
    }
  for (runtime::HostBuffer &workspace : launch.workspaces)
    arrays.push_back(
        {workspace.data(), static_cast<size_t>(workspace.size()), {}, {}, 1});
  return arrays;
}

/// Returns the caller's stop function; empty if there is none.
static std::function<bool()> makeMustStop(const tile_run_options &options) {
  if (!options.must_stop)
    return {};
  return [&] { return options.must_stop(options.must_stop_context) != 0; };
}

/// Runs a launch on the CPU. This function and the next ones return the text of
/// the error; empty if there is none.
static std::string runOnCpu(const CpuProgram &program,
                            const PreparedLaunch &launch,
                            const tile_run_options &options) {
  runtime::ParameterList parameters = listParameters(launch);
  return llvm::toString(program.run(launch.kernel->name, parameters.data(),
                                    launch.plan.grid, options.threads,
                                    makeMustStop(options)));
}

static EmulatorRun describeRun(PreparedLaunch &launch, void **parameters,
                               const tile_run_options &options) {
  EmulatorRun run;
  run.entry = launch.kernel->entries[launch.plan.entry].symbol;
  run.parameters = parameters;
  run.grid = launch.plan.grid;
  run.arrays = listArrays(launch);
  run.seed = options.seed;
  run.numSchedules = std::max(options.schedules, 1);
  run.tolerance = options.tolerance;
  run.threads = options.threads;
  run.isProfiled = options.profile != 0;
  run.mustStop = makeMustStop(options);
  if (options.progress)
    run.progress = [&](uint64_t ended, uint64_t all) {
      options.progress(options.progress_context, static_cast<int64_t>(ended),
                       static_cast<int64_t>(all));
    };
  return run;
}

static std::string runOnEmulator(EmulatorProgram &program,
                                 PreparedLaunch &launch,
                                 const tile_run_options &options,
                                 EmulatorProfile &counted, Outcome &outcome) {
  runtime::ParameterList parameters = listParameters(launch);
  EmulatorRun run = describeRun(launch, parameters.data(), options);
  EmulatorFindings findings;
  llvm::Expected<EmulatorProfile> profile = program.run(run, &findings);
  outcome.addFindings(std::move(findings), program.getSites());
  if (!profile)
    return llvm::toString(profile.takeError());
  counted = std::move(*profile);
  return "";
}

/// Runs the launches in order until one fails.
static std::string runAll(const capi::Result &program, PreparedRun &run,
                          const tile_run_options &options, Outcome &outcome) {
  ProfileList profiles;
  for (PreparedLaunch &launch : run.launches) {
    if (launch.plan.isEmpty())
      continue;
    EmulatorProfile profile;
    std::string problem = program.cpu
                              ? runOnCpu(*program.cpu, launch, options)
                              : runOnEmulator(*program.emulator, launch,
                                              options, profile, outcome);
    if (!problem.empty())
      return problem;
    profiles.add(launch.kernel->name, std::move(profile));
  }
  if (options.profile)
    outcome.profile = profiles.join(run.isFunction);
  return "";
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
  if (tile_status status = readStruct("tile_run_options", options, given,
                                      {offsetof(tile_run_options, must_stop),
                                       offsetof(tile_run_options, outputs)}))
    return status;
  if (tile_status status = checkRanges(given))
    return status;
  if (tile_status status = checkMachine(*found, given))
    return status;
  PreparedRun run;
  if (tile_status status =
          prepareRun(*found, kernel, arguments, count, given, run))
    return status;
  auto made = std::make_shared<Outcome>();
  std::string problem;
  tile_status status =
      found->poison.guard([&] { problem = runAll(*found, run, given, *made); });
  if (status != TILE_STATUS_OK)
    return status;
  if (outcome)
    addHandle(std::move(made), outcome);
  return problem.empty() ? TILE_STATUS_OK
                         : fail(TILE_STATUS_KERNEL_FAILED, problem);
}
