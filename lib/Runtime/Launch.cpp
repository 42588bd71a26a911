// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- Launch.cpp - launches of kernels that are loaded -------------------===//

#include "CudaContext.h"
#include "tile/Runtime/Runtime.h"

#include <algorithm>

using namespace tile::runtime;

//===----------------------------------------------------------------------===//
// Prepared launches
//===----------------------------------------------------------------------===//

PreparedLaunch::PreparedLaunch(PreparedLaunch &&other) = default;
PreparedLaunch &PreparedLaunch::operator=(PreparedLaunch &&other) = default;
PreparedLaunch::~PreparedLaunch() = default;

/// Plans anew, and packs the parameters of a launch that is not empty.
Status PreparedLaunch::pack() {
  const KernelMetadata &kernel = loaded->metadata;
  Result<LaunchPlan> decided = planLaunch(kernel, arguments, grid);
  if (!decided)
    return decided.takeError();
  if (!decided->isEmpty() && workspaces.size() != decided->hiddenBytes.size())
    return inputError("kernel '", kernel.name, "': expected ",
                      decided->hiddenBytes.size(), " workspaces, found ",
                      workspaces.size());
  plan = std::move(*decided);
  parameters.reset();
  if (!plan.isEmpty())
    parameters = std::make_unique<ParameterList>(kernel, arguments, workspaces);
  return success();
}

Result<PreparedLaunch>
PreparedLaunch::create(const Kernel &kernel,
                       std::vector<KernelArgument> arguments,
                       const LaunchOptions &options) {
  PreparedLaunch prepared;
  prepared.loaded = kernel.loaded;
  prepared.arguments = std::move(arguments);
  prepared.grid = options.grid;
  prepared.workspaces = options.workspaces;
  if (Status status = prepared.pack(); !status)
    return status.takeError();
  return prepared;
}

Status PreparedLaunch::setAddress(size_t argument, uint64_t address) {
  const KernelMetadata &kernel = loaded->metadata;
  if (argument >= arguments.size())
    return inputError("kernel '", kernel.name, "': expected an argument below ",
                      arguments.size(), ", found ", argument);
  auto *array = std::get_if<ArrayView>(&arguments[argument]);
  if (!array)
    return inputError("kernel '", kernel.name, "': argument ", argument, " ('",
                      kernel.arguments[argument].name,
                      "'): expected an array, found a scalar");
  uint64_t before = std::exchange(array->address, address);
  Status status = pack();
  if (!status)
    array->address = before;
  return status;
}

Status PreparedLaunch::launch(CudaStream stream) const {
  if (plan.isEmpty())
    return success();
  const KernelMetadata &kernel = loaded->metadata;
  const std::array<int64_t, 3> &block = getBlock(kernel, plan.entry);
  const CudaContext &context = loaded->getContext();
  TILE_CUDA_ENTER(context);
  for (size_t i = 0; i < workspaces.size(); ++i)
    if (kernel.hiddenArguments[i].zero && plan.hiddenBytes[i] > 0)
      TILE_CUDA_TRY(context, memsetD8Async, "cuMemsetD8Async", workspaces[i], 0,
                    static_cast<size_t>(plan.hiddenBytes[i]), stream);
  auto asUnsigned = [](int64_t number) {
    return static_cast<unsigned>(number);
  };
  TILE_CUDA_TRY(
      context, launchKernel, "cuLaunchKernel", loaded->functions[plan.entry],
      asUnsigned(plan.grid[0]), asUnsigned(plan.grid[1]),
      asUnsigned(plan.grid[2]), asUnsigned(block[0]), asUnsigned(block[1]),
      asUnsigned(block[2]), asUnsigned(getSharedBytes(kernel, plan.entry)),
      stream, parameters->data(), nullptr);
  return success();
}

//===----------------------------------------------------------------------===//
// Launches that bring their workspaces
//===----------------------------------------------------------------------===//

namespace {
/// Workspaces that a launch allocated for itself.
struct OwnedWorkspaces {
  explicit OwnedWorkspaces(const CudaContext &context) : context(context) {}
  OwnedWorkspaces(const OwnedWorkspaces &) = delete;
  OwnedWorkspaces &operator=(const OwnedWorkspaces &) = delete;
  ~OwnedWorkspaces() {
    for (CudaAddress address : addresses)
      context.driver.memFree(address);
  }

  Status allocate(const std::vector<int64_t> &sizes) {
    for (int64_t size : sizes) {
      CudaAddress address = 0;
      TILE_CUDA_TRY(context, memAlloc, "cuMemAlloc", &address,
                    static_cast<size_t>(std::max<int64_t>(size, 1)));
      addresses.push_back(address);
    }
    return success();
  }

  const CudaContext &context;
  std::vector<uint64_t> addresses;
};
} // namespace

/// An error if work on the stream is recorded instead of done.
static Status checkNotCapturing(const CudaContext &context,
                                const KernelMetadata &kernel,
                                CudaStream stream) {
  int isCapturing = 0;
  TILE_CUDA_TRY(context, streamIsCapturing, "cuStreamIsCapturing", stream,
                &isCapturing);
  if (!isCapturing)
    return success();
  return Error{ErrorKind::Capture,
               concat("kernel '", kernel.name, "': expected ",
                      kernel.hiddenArguments.size(),
                      " workspaces in the capture of a graph, which forbids to "
                      "allocate them, found none")};
}

/// With workspaces from the caller, or none.
static Result<LaunchPlan>
launchPrepared(const Kernel &kernel,
               const std::vector<KernelArgument> &arguments,
               const LaunchOptions &options) {
  Result<PreparedLaunch> prepared =
      PreparedLaunch::create(kernel, arguments, options);
  if (!prepared)
    return prepared.takeError();
  if (Status status = prepared->launch(options.stream); !status)
    return status.takeError();
  return prepared->getPlan();
}

Result<LaunchPlan> Kernel::launch(const std::vector<KernelArgument> &arguments,
                                  const LaunchOptions &options) const {
  const KernelMetadata &kernel = loaded->metadata;
  if (!options.workspaces.empty() || kernel.hiddenArguments.empty())
    return launchPrepared(*this, arguments, options);
  Result<LaunchPlan> plan = planLaunch(kernel, arguments, options.grid);
  if (!plan || plan->isEmpty())
    return plan;
  const CudaContext &context = loaded->getContext();
  if (Status status = checkNotCapturing(context, kernel, options.stream);
      !status)
    return status.takeError();
  TILE_CUDA_ENTER(context);
  OwnedWorkspaces owned(context);
  if (Status status = owned.allocate(plan->hiddenBytes); !status)
    return status.takeError();
  LaunchOptions complete = options;
  complete.workspaces = owned.addresses;
  plan = launchPrepared(*this, arguments, complete);
  if (plan)
    TILE_CUDA_TRY(context, streamSynchronize, "cuStreamSynchronize",
                  options.stream);
  return plan;
}
