// FunctionExecution.cpp - runs a host function, which launches kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FunctionExecution.h"

#include <chrono>
#include <iostream>
#include <sstream>

using namespace tile::runtime;
using Clock = std::chrono::steady_clock;

/// Prints a summary of a run that started at `start` and has just ended.
static void summarize(const HostFunction &function, Clock::time_point start,
                      const ExecutionOptions &options) {
  if (options.isQuiet)
    return;
  std::chrono::duration<double> seconds = Clock::now() - start;
  // The line is written by one call, because other processes may write lines,
  // too.
  std::ostringstream line;
  line << "tile-run: '" << function.name << "' on " << options.machine << ", "
       << function.launches.size()
       << (function.launches.size() == 1 ? " launch: " : " launches: ")
       << formatTime(seconds.count()) << "\n";
  std::cerr << line.str();
}

/// Describes the launches before they start, if `options.isVerbose`.
static void describe(const std::vector<BoundLaunch> &launches,
                     const ExecutionOptions &options) {
  if (!options.isVerbose)
    return;
  for (const BoundLaunch &launch : launches)
    std::cerr << "launch: '" << launch.kernel->name
              << "', grid: " << launch.plan.grid[0] << ","
              << launch.plan.grid[1] << "," << launch.plan.grid[2] << "\n";
}

//===----------------------------------------------------------------------===//
// GPU
//===----------------------------------------------------------------------===//

Result<std::vector<double>>
tile::runtime::runOnCuda(const Function &function, const CudaDevice &device,
                         std::vector<Operand> &operands,
                         const ExecutionOptions &options) {
  Result<DeviceOperands> copies = DeviceOperands::create(device, operands);
  if (!copies)
    return copies.takeError();
  if (options.repeat > 0)
    if (Status status = copies->keepInitialValues(device, operands); !status)
      return status.takeError();
  Result<PreparedCall> call = function.prepare(copies->arguments);
  if (!call)
    return call.takeError();
  describe(call->getLaunches(), options);
  Clock::time_point start = Clock::now();
  if (Status status = call->launch(); !status)
    return status.takeError();
  if (Status status = device.synchronize(); !status)
    return runtimeError("function '", function.getMetadata().name,
                        "' failed: ", status.error().message);
  summarize(function.getMetadata(), start, options);
  if (Status status = copies->download(operands); !status)
    return status.takeError();
  if (options.repeat == 0)
    return std::vector<double>();
  return timeOnCuda(device, *copies, options.repeat,
                    [&] { return call->launch(); });
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

namespace {
/// A call with its temporaries in host memory.
struct HostCall {
  std::vector<HostBuffer> temporaries;
  std::vector<BoundLaunch> launches;
};
} // namespace

static Result<HostCall> prepareHostCall(const CompiledProgram &program,
                                        const HostFunction &function,
                                        const std::vector<Operand> &operands) {
  std::vector<KernelArgument> arguments = getArguments(operands);
  Result<std::vector<int64_t>> sizes = getTemporaryBytes(function, arguments);
  if (!sizes)
    return sizes.takeError();
  HostCall call;
  std::vector<uint64_t> addresses;
  for (size_t i = 0; i < sizes->size(); ++i) {
    Result<HostBuffer> buffer = HostBuffer::allocate((*sizes)[i], 0xff);
    if (!buffer)
      return buffer.takeError();
    const std::string &content = function.temporaries[i].content;
    std::copy(content.begin(), content.end(), buffer->data());
    addresses.push_back(reinterpret_cast<uintptr_t>(buffer->data()));
    call.temporaries.push_back(std::move(*buffer));
  }
  Result<std::vector<BoundLaunch>> launches =
      bindLaunches(program.getMetadata(), function, arguments, addresses);
  if (!launches)
    return launches.takeError();
  call.launches = std::move(*launches);
  return call;
}

Result<std::vector<double>> tile::runtime::runOnCpu(
    const CompiledProgram &program, const HostFunction &function,
    std::vector<Operand> &operands, const ExecutionOptions &options) {
  Result<HostCall> call = prepareHostCall(program, function, operands);
  if (!call)
    return call.takeError();
  describe(call->launches, options);
  auto again = [&]() -> Status {
    for (const BoundLaunch &launch : call->launches)
      if (Status status =
              program.runOnCpu(*launch.kernel, launch.arguments, launch.plan,
                               options.threads, options.timeout);
          !status)
        return status;
    return success();
  };
  auto first = [&] {
    Clock::time_point start = Clock::now();
    Status status = again();
    if (status)
      summarize(function, start, options);
    return status;
  };
  return timeOnHost(operands, options.repeat, first, again);
}

/// Appends the counters of one launch.
static void append(EmulationProfile &all, const BoundLaunch &launch,
                   const EmulationProfile &profile) {
  if (profile.json.empty())
    return;
  const std::string &name = launch.kernel->name;
  all.text += concat(all.text.empty() ? "" : "\n\n", "kernel '", name, "':\n",
                     profile.text);
  all.json += concat(all.json.empty() ? "" : ",\n", "{\"kernel\": \"", name,
                     "\", \"profile\": ", profile.json, "}");
}

Result<EmulationProfile> tile::runtime::runOnEmulator(
    const CompiledProgram &program, const HostFunction &function,
    std::vector<Operand> &operands, const ExecutionOptions &options) {
  Result<HostCall> call = prepareHostCall(program, function, operands);
  if (!call)
    return call.takeError();
  describe(call->launches, options);
  Clock::time_point start = Clock::now();
  EmulationProfile all;
  for (const BoundLaunch &launch : call->launches) {
    Result<EmulationProfile> profile = emulate(
        program, *launch.kernel, launch.arguments, launch.plan, options);
    if (!profile)
      return profile;
    append(all, launch, *profile);
  }
  summarize(function, start, options);
  if (!all.json.empty())
    all.json = "[" + all.json + "]";
  return all;
}
