// Execution.cpp - runs a kernel on one of the machines
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Execution.h"

#include "DeviceOperands.h"
#include "Progress.h"

#include <chrono>
#include <cstring>
#include <iomanip>
#include <iostream>
#include <sstream>

using namespace tile::runtime;

/// The number of untimed runs before the timed ones.
static constexpr int kWarmUpRuns = 3;

/// Describes the launch before it starts.
static void describe(const KernelMetadata &kernel, const LaunchPlan &plan) {
  const std::array<int64_t, 3> &block = getBlock(kernel, plan.entry);
  std::cerr << "grid: " << plan.grid[0] << "," << plan.grid[1] << ","
            << plan.grid[2] << ", block: " << block[0] << "," << block[1] << ","
            << block[2];
  if (kernel.threads)
    std::cerr << " (" << *kernel.threads << " threads)";
  std::cerr << ", shared bytes: " << getSharedBytes(kernel, plan.entry) << "\n";
  if (plan.isEmpty() || kernel.entries.empty())
    return;
  const EntryPoint &entry = kernel.entries[plan.entry];
  std::cerr << "entry point: " << entry.symbol;
  if (entry.registers)
    std::cerr << ", registers: " << *entry.registers;
  if (entry.spillStoreBytes && entry.spillLoadBytes)
    std::cerr << ", spilled bytes: " << *entry.spillStoreBytes << " stored, "
              << *entry.spillLoadBytes << " loaded";
  std::cerr << "\n";
}

namespace {
using Clock = std::chrono::steady_clock;
} // namespace

/// Formats a time such as "1.23 ms".
std::string tile::runtime::formatTime(double seconds) {
  std::ostringstream text;
  text << std::setprecision(3);
  if (seconds < 1e-3)
    text << seconds * 1e6 << " us";
  else if (seconds < 1)
    text << seconds * 1e3 << " ms";
  else
    text << seconds << " s";
  return text.str();
}

/// Prints a summary of a run that started at `start` and has just ended.
static void summarize(const KernelMetadata &kernel, const LaunchPlan &plan,
                      Clock::time_point start,
                      const ExecutionOptions &options) {
  std::chrono::duration<double> seconds = Clock::now() - start;
  if (options.isQuiet || plan.isEmpty())
    return;
  // The line is written by one call, because other processes may write lines,
  // too.
  std::ostringstream line;
  line << "tile-run: '" << kernel.name << "'";
  if (kernel.entries.size() > 1) {
    const EntryPoint &entry = kernel.entries[plan.entry];
    line << " (" << (entry.predicates.empty() ? "generic" : "specialized")
         << " variant '" << entry.symbol << "')";
  }
  line << " on " << options.machine << ", grid " << plan.grid[0] << ","
       << plan.grid[1] << "," << plan.grid[2] << ": "
       << formatTime(seconds.count()) << "\n";
  std::cerr << line.str();
}

//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

Result<std::vector<double>>
tile::runtime::timeOnCuda(const CudaDevice &device, DeviceOperands &copies,
                          int repeat, const std::function<Status()> &launch) {
  Result<CudaTimer> timer = CudaTimer::create(device);
  if (!timer)
    return timer.takeError();
  std::vector<double> times;
  for (int run = 0; run < kWarmUpRuns + repeat; ++run) {
    if (Status status = copies.restoreInitialValues(); !status)
      return status.takeError();
    if (Status status = timer->start(); !status)
      return status.takeError();
    if (Status status = launch(); !status)
      return status.takeError();
    if (Status status = timer->stop(); !status)
      return status.takeError();
    Result<double> time = timer->getMicroseconds();
    if (!time)
      return time.takeError();
    if (run >= kWarmUpRuns)
      times.push_back(*time);
  }
  return times;
}

/// Times `options.repeat` launches of a kernel.
static Result<std::vector<double>> timeKernel(const Kernel &kernel,
                                              const CudaDevice &device,
                                              DeviceOperands &copies,
                                              const LaunchPlan &plan,
                                              const ExecutionOptions &options) {
  LaunchOptions launch;
  launch.grid = options.grid;
  // The workspaces are allocated once, because a launch that allocates them
  // also waits for the end of the kernel to free them.
  std::vector<DeviceBuffer> workspaces;
  for (int64_t bytes : plan.hiddenBytes) {
    Result<DeviceBuffer> workspace = DeviceBuffer::allocate(device, bytes);
    if (!workspace)
      return workspace.takeError();
    launch.workspaces.push_back(workspace->getAddress());
    workspaces.push_back(std::move(*workspace));
  }
  return timeOnCuda(device, copies, options.repeat, [&]() -> Status {
    Result<LaunchPlan> done = kernel.launch(copies.arguments, launch);
    return done ? success() : Status(done.takeError());
  });
}

Result<std::vector<double>>
tile::runtime::runOnCuda(const Kernel &kernel, const CudaDevice &device,
                         std::vector<Operand> &operands,
                         const ExecutionOptions &options) {
  Result<DeviceOperands> copies = DeviceOperands::create(device, operands);
  if (!copies)
    return copies.takeError();
  if (options.repeat > 0)
    if (Status status = copies->keepInitialValues(device, operands); !status)
      return status.takeError();

  LaunchOptions launch;
  launch.grid = options.grid;
  Clock::time_point start = Clock::now();
  Result<LaunchPlan> plan = kernel.launch(copies->arguments, launch);
  if (!plan)
    return plan.takeError();
  if (options.isVerbose)
    describe(kernel.getMetadata(), *plan);
  if (Status status = device.synchronize(); !status)
    return runtimeError("kernel '", kernel.getMetadata().name,
                        "' failed: ", status.error().message);
  summarize(kernel.getMetadata(), *plan, start, options);
  if (Status status = copies->download(operands); !status)
    return status.takeError();
  if (options.repeat == 0 || plan->isEmpty())
    return std::vector<double>();
  return timeKernel(kernel, device, *copies, *plan, options);
}

//===----------------------------------------------------------------------===//
// CPU
//===----------------------------------------------------------------------===//

/// Copies the arrays for which `select` returns true.
static Result<std::vector<std::optional<HostBuffer>>>
copyArrays(const std::vector<Operand> &operands,
           bool (Operand::*select)() const) {
  std::vector<std::optional<HostBuffer>> copies(operands.size());
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!(operands[i].*select)())
      continue;
    const HostBuffer &data = *operands[i].data;
    Result<HostBuffer> copy = HostBuffer::allocate(data.size());
    if (!copy)
      return copy.takeError();
    std::memcpy(copy->data(), data.data(), static_cast<size_t>(data.size()));
    copies[i] = std::move(*copy);
  }
  return copies;
}

/// Restores the arrays from the copies.
static void restoreArrays(const std::vector<std::optional<HostBuffer>> &copies,
                          std::vector<Operand> &operands) {
  for (size_t i = 0; i < operands.size(); ++i)
    if (copies[i])
      std::memcpy(operands[i].data->data(), copies[i]->data(),
                  static_cast<size_t>(copies[i]->size()));
}

Result<std::vector<double>>
tile::runtime::timeOnHost(std::vector<Operand> &operands, int repeat,
                          const std::function<Status()> &first,
                          const std::function<Status()> &again) {
  if (repeat == 0) {
    if (Status status = first(); !status)
      return status.takeError();
    return std::vector<double>();
  }
  auto initialValues = copyArrays(operands, &Operand::isReadAndWritten);
  if (!initialValues)
    return initialValues.takeError();
  if (Status status = first(); !status)
    return status.takeError();
  auto results = copyArrays(operands, &Operand::isWritten);
  if (!results)
    return results.takeError();
  std::vector<double> times;
  for (int run = 0; run < repeat; ++run) {
    restoreArrays(*initialValues, operands);
    Clock::time_point start = Clock::now();
    Status status = again();
    Clock::time_point end = Clock::now();
    if (!status)
      return status.takeError();
    times.push_back(
        std::chrono::duration<double, std::micro>(end - start).count());
  }
  restoreArrays(*results, operands);
  return times;
}

Result<std::vector<double>> tile::runtime::runOnCpu(
    const CompiledProgram &program, const KernelMetadata &kernel,
    std::vector<Operand> &operands, const ExecutionOptions &options) {
  std::vector<KernelArgument> arguments = getArguments(operands);
  Result<LaunchPlan> plan = planLaunch(kernel, arguments, options.grid);
  if (!plan)
    return plan.takeError();
  if (options.isVerbose)
    describe(kernel, *plan);
  auto again = [&] {
    return program.runOnCpu(kernel, arguments, *plan, options.threads,
                            options.timeout);
  };
  auto first = [&] {
    Clock::time_point start = Clock::now();
    Status status = again();
    if (status)
      summarize(kernel, *plan, start, options);
    return status;
  };
  return timeOnHost(operands, plan->isEmpty() ? 0 : options.repeat, first,
                    again);
}

//===----------------------------------------------------------------------===//
// Emulator
//===----------------------------------------------------------------------===//

Result<EmulationProfile> tile::runtime::emulate(
    const CompiledProgram &program, const KernelMetadata &kernel,
    const std::vector<KernelArgument> &arguments, const LaunchPlan &plan,
    const ExecutionOptions &options) {
  EmulationOptions emulation = {options.seed,        options.numSchedules,
                                options.tolerance,   options.threads,
                                options.isProfiled,  options.timeout,
                                /*progress=*/nullptr};
  Progress progress;
  if (!options.isQuiet && Progress::isPossible())
    emulation.progress = [&](int64_t ended, int64_t all) {
      progress.show(ended, all);
    };
  return program.runOnEmulator(kernel, arguments, plan, emulation);
}

Result<EmulationProfile> tile::runtime::runOnEmulator(
    const CompiledProgram &program, const KernelMetadata &kernel,
    std::vector<Operand> &operands, const ExecutionOptions &options) {
  std::vector<KernelArgument> arguments = getArguments(operands);
  Result<LaunchPlan> plan = planLaunch(kernel, arguments, options.grid);
  if (!plan)
    return plan.takeError();
  if (!options.entry.empty()) {
    Result<size_t> entry = findEntry(kernel, arguments, options.entry);
    if (!entry)
      return entry.takeError();
    plan->entry = *entry;
  }
  if (options.isVerbose)
    describe(kernel, *plan);
  Clock::time_point start = Clock::now();
  Result<EmulationProfile> profile =
      emulate(program, kernel, arguments, *plan, options);
  if (profile)
    summarize(kernel, *plan, start, options);
  return profile;
}
