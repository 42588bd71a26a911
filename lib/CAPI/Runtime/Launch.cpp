// Launch.cpp - the runtime as a C library: launches, with and without a plan
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Arguments.h"
#include "Objects.h"

using namespace tile;
using namespace tile::capi;

namespace {
/// The kernel, arguments and options of a launch, as read from the C structs.
struct LaunchRequest {
  std::shared_ptr<capi::Kernel> kernel;
  std::vector<runtime::KernelArgument> arguments;
  runtime::LaunchOptions options;

  tile_status readKernel(const tile_kernel *handle, const tile_argument *given,
                         size_t count);
  tile_status readOptions(const tile_launch_options *given);
};
} // namespace

tile_status LaunchRequest::readKernel(const tile_kernel *handle,
                                      const tile_argument *given,
                                      size_t count) {
  if (tile_status status = findHandle(handle, kernel))
    return status;
  return readArguments(kernel->kernel.getMetadata(), given, count, arguments);
}

tile_status LaunchRequest::readOptions(const tile_launch_options *given) {
  tile_launch_options read;
  if (tile_status status = readStruct("tile_launch_options", given, read))
    return status;
  size_t expected = kernel->kernel.getMetadata().hiddenArguments.size();
  if (read.num_workspaces != 0 && read.num_workspaces != expected)
    return fail(TILE_STATUS_INVALID_ARGUMENT,
                runtime::concat("kernel '", kernel->kernel.getMetadata().name,
                                "': expected ", expected,
                                " workspaces, or none, found ",
                                read.num_workspaces));
  if (read.num_workspaces != 0)
    if (tile_status status = expectPointer(read.workspaces, "workspaces"))
      return status;
  options.grid = readGrid(read.grid);
  options.stream = read.stream;
  for (size_t i = 0; i < read.num_workspaces; ++i)
    options.workspaces.push_back(
        reinterpret_cast<uintptr_t>(read.workspaces[i]));
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_kernel_get_workspaces(
    const tile_kernel *kernel, const tile_argument *arguments,
    size_t num_arguments, int64_t *bytes, size_t capacity, size_t *count) {
  if (tile_status status = resetOutput(count, "count"))
    return status;
  if (capacity != 0)
    if (tile_status status = expectPointer(bytes, "bytes"))
      return status;
  LaunchRequest request;
  if (tile_status status = request.readKernel(kernel, arguments, num_arguments))
    return status;
  const runtime::KernelMetadata &metadata =
      request.kernel->kernel.getMetadata();
  if (runtime::Status status = checkArguments(metadata, request.arguments);
      !status)
    return failWith(status.error());
  runtime::Result<std::vector<int64_t>> sizes =
      getHiddenBytes(metadata, request.arguments);
  if (!sizes)
    return failWith(sizes.error());
  for (size_t i = 0; i < sizes->size() && i < capacity; ++i)
    bytes[i] = (*sizes)[i];
  *count = sizes->size();
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_launch(const tile_kernel *kernel,
                                      const tile_argument *arguments,
                                      size_t count,
                                      const tile_launch_options *options) {
  LaunchRequest request;
  if (tile_status status = request.readKernel(kernel, arguments, count))
    return status;
  if (tile_status status = request.readOptions(options))
    return status;
  runtime::Result<runtime::LaunchPlan> done =
      request.kernel->kernel.launch(request.arguments, request.options);
  return done ? TILE_STATUS_OK : failWith(done.error());
}

TILE_C_EXPORT tile_status tile_plan_create(const tile_kernel *kernel,
                                           const tile_argument *arguments,
                                           size_t count,
                                           const tile_launch_options *options,
                                           tile_plan **plan) {
  if (tile_status status = resetOutput(plan, "plan"))
    return status;
  LaunchRequest request;
  if (tile_status status = request.readKernel(kernel, arguments, count))
    return status;
  if (tile_status status = request.readOptions(options))
    return status;
  return addResult<Plan>(runtime::PreparedLaunch::create(
                             request.kernel->kernel,
                             std::move(request.arguments), request.options),
                         plan);
}

TILE_C_EXPORT tile_status tile_plan_destroy(tile_plan *plan) {
  return removeHandle(plan, Plan::kKind);
}

/// Sets the array of an argument; for a call, the argument after the last one
/// is its memory.
static runtime::Status setArray(runtime::PreparedLaunch &launch,
                                size_t argument, uint64_t address) {
  return launch.setAddress(argument, address);
}
static runtime::Status setArray(runtime::PreparedCall &call, size_t argument,
                                uint64_t address) {
  return argument == call.countArguments() ? call.setMemory(address)
                                           : call.setAddress(argument, address);
}

/// Whether a launch consists of several calls of the driver.
static bool hasSeveralCalls(const runtime::PreparedLaunch &launch) {
  return launch.zeroesWorkspaces();
}
static bool hasSeveralCalls(const runtime::PreparedCall &call) { return true; }

TILE_C_EXPORT tile_status tile_plan_set_array(tile_plan *plan, size_t argument,
                                              const void *data) {
  Borrowed<Plan, Borrowing::Alone> found(plan);
  if (tile_status status = found.getStatus())
    return status;
  auto address = reinterpret_cast<uintptr_t>(data);
  return std::visit(
      [&](auto &work) { return toStatus(setArray(work, argument, address)); },
      found->work);
}

TILE_C_EXPORT tile_status tile_plan_launch(const tile_plan *plan,
                                           void *stream) {
  Borrowed<Plan> found(plan);
  if (tile_status status = found.getStatus())
    return status;
  return std::visit(
      [&](const auto &work) {
        std::unique_lock<std::mutex> lock(found->mutex, std::defer_lock);
        if (hasSeveralCalls(work))
          lock.lock();
        return toStatus(work.launch(stream));
      },
      found->work);
}
