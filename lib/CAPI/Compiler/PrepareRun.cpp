// PrepareRun.cpp - check a run on the host and allocate its memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PrepareRun.h"

#include "../Common/Arguments.h"

#include "tile/Runtime/HostFunction.h"

using namespace tile;
using namespace tile::capi;
using runtime::concat;

std::vector<uint64_t>
capi::getAddresses(const std::vector<runtime::HostBuffer> &buffers) {
  std::vector<uint64_t> addresses;
  for (const runtime::HostBuffer &buffer : buffers)
    addresses.push_back(reinterpret_cast<uintptr_t>(buffer.data()));
  return addresses;
}

static tile_status failWith(const runtime::Error &error) {
  return fail(TILE_STATUS_INVALID_ARGUMENT, error.message);
}

/// `what` describes the memory in an error.
static tile_status allocate(int64_t bytes, bool isZero, const std::string &what,
                            std::vector<runtime::HostBuffer> &buffers) {
  // Memory that need not be zero is filled with bytes 0xff, so that a read
  // before the first write returns a meaningless value.
  runtime::Result<runtime::HostBuffer> buffer =
      runtime::HostBuffer::allocate(bytes, isZero ? 0 : 0xff);
  if (!buffer)
    return fail(TILE_STATUS_OUT_OF_MEMORY,
                concat(what, ": ", buffer.error().message));
  buffers.push_back(std::move(*buffer));
  return TILE_STATUS_OK;
}

/// Allocates memory for the hidden arguments.
static tile_status allocateWorkspaces(PreparedLaunch &launch) {
  for (size_t i = 0; i < launch.plan.hiddenBytes.size(); ++i)
    if (tile_status status = allocate(
            launch.plan.hiddenBytes[i], launch.kernel->hiddenArguments[i].zero,
            concat("kernel '", launch.kernel->name, "': workspace ", i),
            launch.workspaces))
      return status;
  return TILE_STATUS_OK;
}

static tile_status planLaunch(PreparedLaunch &launch,
                              const tile_run_options &options) {
  runtime::Result<runtime::LaunchPlan> plan = runtime::planLaunch(
      *launch.kernel, launch.arguments, readGrid(options.grid));
  if (!plan)
    return failWith(plan.error());
  launch.plan = std::move(*plan);
  if (!options.entry)
    return TILE_STATUS_OK;
  runtime::Result<size_t> entry =
      runtime::findEntry(*launch.kernel, launch.arguments, options.entry);
  if (!entry)
    return failWith(entry.error());
  launch.plan.entry = *entry;
  return TILE_STATUS_OK;
}

static tile_status readOutputs(const tile_run_options &options,
                               PreparedLaunch &launch) {
  if (options.num_outputs != 0)
    if (tile_status status = expectPointer(options.outputs, "outputs"))
      return status;
  for (size_t i = 0; i < options.num_outputs; ++i) {
    int32_t index = options.outputs[i];
    bool isArray =
        index >= 0 && static_cast<size_t>(index) < launch.arguments.size() &&
        std::holds_alternative<runtime::ArrayView>(launch.arguments[index]);
    if (!isArray)
      return fail(TILE_STATUS_INVALID_ARGUMENT,
                  concat(launch.kernel->name,
                         ": expected the index of an array argument in "
                         "'outputs', found ",
                         index));
    launch.outputs.push_back(index);
  }
  return TILE_STATUS_OK;
}

static tile_status prepareKernel(const runtime::ModuleMetadata &metadata,
                                 const char *name,
                                 const tile_argument *arguments, size_t count,
                                 const tile_run_options &options,
                                 PreparedRun &run) {
  runtime::Result<const runtime::KernelMetadata *> found =
      runtime::findKernel(metadata, name, "the program");
  if (!found)
    return failWith(found.error());
  PreparedLaunch &launch = run.launches.emplace_back();
  launch.kernel = *found;
  if (tile_status status =
          readArguments(*launch.kernel, arguments, count, launch.arguments))
    return status;
  if (tile_status status = readOutputs(options, launch))
    return status;
  if (tile_status status = planLaunch(launch, options))
    return status;
  return allocateWorkspaces(launch);
}

static tile_status prepareFunction(const runtime::ModuleMetadata &metadata,
                                   const runtime::HostFunction &function,
                                   const tile_argument *arguments, size_t count,
                                   const tile_run_options &options,
                                   PreparedRun &run) {
  run.isFunction = true;
  if (options.grid || options.entry || options.num_outputs)
    return fail(TILE_STATUS_INVALID_ARGUMENT,
                concat("expected a grid, an entry point and outputs for a "
                       "kernel, found them for the function '",
                       function.name, "'"));
  std::vector<runtime::KernelArgument> read;
  if (tile_status status = readArguments(function, arguments, count, read))
    return status;
  runtime::Result<std::vector<int64_t>> sizes =
      getTemporaryBytes(function, read);
  if (!sizes)
    return failWith(sizes.error());
  for (size_t i = 0; i < sizes->size(); ++i) {
    if (tile_status status =
            allocate((*sizes)[i], /*isZero=*/false,
                     concat("function '", function.name, "': temporary ", i),
                     run.temporaries))
      return status;
    const std::string &content = function.temporaries[i].content;
    std::copy(content.begin(), content.end(), run.temporaries.back().data());
  }
  runtime::Result<std::vector<runtime::BoundLaunch>> launches =
      bindLaunches(metadata, function, read, getAddresses(run.temporaries));
  if (!launches)
    return failWith(launches.error());
  for (runtime::BoundLaunch &bound : *launches) {
    PreparedLaunch &launch = run.launches.emplace_back();
    launch.kernel = bound.kernel;
    launch.arguments = std::move(bound.arguments);
    launch.plan = std::move(bound.plan);
    if (tile_status status = allocateWorkspaces(launch))
      return status;
  }
  return TILE_STATUS_OK;
}

tile_status capi::prepareRun(const capi::Result &program, const char *name,
                             const tile_argument *arguments, size_t count,
                             const tile_run_options &options,
                             PreparedRun &run) {
  const runtime::ModuleMetadata &metadata =
      program.cpu ? program.cpu->getMetadata()
                  : program.emulator->getMetadata();
  if (const runtime::HostFunction *function = findFunction(metadata, name))
    return prepareFunction(metadata, *function, arguments, count, options, run);
  return prepareKernel(metadata, name, arguments, count, options, run);
}
