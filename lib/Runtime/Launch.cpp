// Launch.cpp - launches of loaded kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaContext.h"
#include "tile/Runtime/Runtime.h"

#include <algorithm>

using namespace tile::runtime;

//===----------------------------------------------------------------------===//
// Prepared launches
//===----------------------------------------------------------------------===//

namespace {
/// Everything that a launch passes to the driver, except the stream. The struct
/// is in one cache line, since the driver's work evicts most of the caches
/// between two launches.
struct alignas(64) DriverCall {
  DriverCall(const CudaKernel &kernel, const LaunchPlan &plan);

  const CudaDriver &driver;
  CudaHandle context;
  CudaHandle function;
  void **parameters = nullptr;
  std::array<unsigned, 3> grid;
  std::array<unsigned, 3> block;
  unsigned sharedBytes;
  /// Whether workspaces are zeroed before the launch.
  bool hasZeroed = false;
  /// Whether the kernel may start while kernels launched before it still run.
  bool overlaps;
};
static_assert(sizeof(DriverCall) == 64);

/// A workspace that is zeroed before each launch.
struct ZeroedWorkspace {
  size_t index;
  CudaAddress address;
  size_t bytes;
};
} // namespace

/// A launch, ready for the driver.
struct tile::runtime::PackedLaunch {
  PackedLaunch(const CudaKernel &kernel, const LaunchPlan &plan,
               const std::vector<KernelArgument> &arguments,
               const std::vector<uint64_t> &workspaces);

  DriverCall call;
  ParameterList parameters;
  std::vector<ZeroedWorkspace> zeroed;
};

static std::array<unsigned, 3>
toUnsigned(const std::array<int64_t, 3> &values) {
  std::array<unsigned, 3> result;
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

DriverCall::DriverCall(const CudaKernel &kernel, const LaunchPlan &plan)
    : driver(kernel.getContext().driver), context(kernel.getContext().handle),
      function(kernel.functions[plan.entry]), grid(toUnsigned(plan.grid)),
      block(toUnsigned(getBlock(kernel.metadata, plan.entry))),
      sharedBytes(
          static_cast<unsigned>(getSharedBytes(kernel.metadata, plan.entry))),
      overlaps(kernel.metadata.waitsForLaunches && driver.launchKernelEx) {}

/// Launches a kernel that waits itself for the kernels before it: the driver
/// need not wait for them.
static Status launchOverlapped(const ContextScope &scope,
                               const DriverCall &call, CudaStream stream) {
  CudaLaunchAttribute attribute;
  attribute.id = CudaLaunchAttribute::kProgrammaticSerialization;
  attribute.isAllowed = 1;
  CudaLaunchConfig config{call.grid, call.block, call.sharedBytes,
                          stream,    &attribute, 1};
  TILE_CUDA_TRY(scope, launchKernelEx, "cuLaunchKernelEx", &config,
                call.function, call.parameters, nullptr);
  return success();
}

PackedLaunch::PackedLaunch(const CudaKernel &kernel, const LaunchPlan &plan,
                           const std::vector<KernelArgument> &arguments,
                           const std::vector<uint64_t> &workspaces)
    : call(kernel, plan), parameters(kernel.metadata, arguments, workspaces) {
  call.parameters = parameters.data();
  for (size_t i = 0; i < workspaces.size(); ++i)
    if (kernel.metadata.hiddenArguments[i].zero && plan.hiddenBytes[i] > 0)
      zeroed.push_back(
          {i, workspaces[i], static_cast<size_t>(plan.hiddenBytes[i])});
  call.hasZeroed = !zeroed.empty();
}

PreparedLaunch::PreparedLaunch(PreparedLaunch &&other) = default;
PreparedLaunch &PreparedLaunch::operator=(PreparedLaunch &&other) = default;
PreparedLaunch::~PreparedLaunch() = default;

/// Whether all decisions that a launch bases on an address are the same for
/// both addresses. They depend only on the remainder of the address by a power
/// of two, and on whether it is zero.
static bool areAlike(const KernelMetadata &kernel, uint64_t before,
                     uint64_t address) {
  constexpr uint64_t kCounts = 256;
  if (before == 0 || address == 0 || (before ^ address) % kCounts != 0)
    return false;
  for (const EntryPoint &entry : kernel.entries)
    for (const Predicate &predicate : entry.predicates)
      if (predicate.what == Predicate::What::Pointer &&
          kCounts % static_cast<uint64_t>(predicate.multipleOf) != 0)
        return false;
  return true;
}

/// Plans the launch again and, if it is not empty, packs its parameters.
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
  packed.reset();
  if (!plan.isEmpty())
    packed =
        std::make_unique<PackedLaunch>(*loaded, plan, arguments, workspaces);
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
  if (packed && areAlike(kernel, before, address)) {
    packed->parameters.setAddress(argument, address);
    return success();
  }
  Status status = pack();
  if (!status)
    array->address = before;
  return status;
}

uint64_t PreparedLaunch::getAddress(size_t argument) const {
  return std::get_if<ArrayView>(&arguments[argument])->address;
}

void PreparedLaunch::setWorkspace(size_t index, uint64_t address) {
  workspaces[index] = address;
  packed->parameters.setHidden(index, address);
  for (ZeroedWorkspace &workspace : packed->zeroed)
    if (workspace.index == index)
      workspace.address = address;
}

bool PreparedLaunch::zeroesWorkspaces() const {
  return packed && packed->call.hasZeroed;
}

Status PreparedLaunch::launch(CudaStream stream) const {
  if (!packed)
    return success();
  const DriverCall &call = packed->call;
  ContextScope scope(call.driver, call.context);
  if (Status status = scope.getStatus(); !status)
    return status.takeError();
  if (call.hasZeroed)
    for (const ZeroedWorkspace &workspace : packed->zeroed)
      TILE_CUDA_TRY(scope, memsetD8Async, "cuMemsetD8Async", workspace.address,
                    0, workspace.bytes, stream);
  if (call.overlaps)
    return launchOverlapped(scope, call, stream);
  TILE_CUDA_TRY(scope, launchKernel, "cuLaunchKernel", call.function,
                call.grid[0], call.grid[1], call.grid[2], call.block[0],
                call.block[1], call.block[2], call.sharedBytes, stream,
                call.parameters, nullptr);
  return success();
}

//===----------------------------------------------------------------------===//
// Launches that allocate their workspaces
//===----------------------------------------------------------------------===//

namespace {
/// Workspaces that a launch has allocated itself.
struct OwnedWorkspaces {
  explicit OwnedWorkspaces(const ContextScope &scope) : scope(scope) {}
  OwnedWorkspaces(const OwnedWorkspaces &) = delete;
  OwnedWorkspaces &operator=(const OwnedWorkspaces &) = delete;
  ~OwnedWorkspaces() {
    for (CudaAddress address : addresses)
      scope.getDriver().memFree(address);
  }

  Status allocate(const std::vector<int64_t> &sizes) {
    for (int64_t size : sizes) {
      CudaAddress address = 0;
      TILE_CUDA_TRY(scope, memAlloc, "cuMemAlloc", &address,
                    static_cast<size_t>(std::max<int64_t>(size, 1)));
      addresses.push_back(address);
    }
    return success();
  }

  const ContextScope &scope;
  std::vector<uint64_t> addresses;
};
} // namespace

/// Returns an error if work on the stream is captured instead of executed.
static Status checkNotCapturing(const ContextScope &scope,
                                const KernelMetadata &kernel,
                                CudaStream stream) {
  int isCapturing = 0;
  TILE_CUDA_TRY(scope, streamIsCapturing, "cuStreamIsCapturing", stream,
                &isCapturing);
  if (!isCapturing)
    return success();
  return Error{ErrorKind::Capture,
               concat("kernel '", kernel.name, "': expected ",
                      kernel.hiddenArguments.size(),
                      " workspaces in the capture of a graph, which forbids to "
                      "allocate them, found none")};
}

/// Launches a kernel with the caller's workspaces, or without workspaces.
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
  TILE_CUDA_ENTER(loaded->getContext());
  if (Status status = checkNotCapturing(scope, kernel, options.stream); !status)
    return status.takeError();
  OwnedWorkspaces owned(scope);
  if (Status status = owned.allocate(plan->hiddenBytes); !status)
    return status.takeError();
  LaunchOptions complete = options;
  complete.workspaces = owned.addresses;
  plan = launchPrepared(*this, arguments, complete);
  if (plan)
    TILE_CUDA_TRY(scope, streamSynchronize, "cuStreamSynchronize",
                  options.stream);
  return plan;
}
