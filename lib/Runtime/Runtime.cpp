// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- Runtime.cpp - load a kernel and launch it on a GPU -----------------===//

#include "tile/Runtime/Runtime.h"

#include "CudaDriver.h"
#include "tile/Runtime/File.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

using namespace tile::runtime;

/// More than any kernel has; a larger file is something else.
static constexpr int64_t kMaxBinaryBytes = int64_t(1) << 30;
static constexpr int64_t kMaxMetadataBytes = int64_t(1) << 26;
/// Clusters of more blocks need the consent of the function (CUDA C++
/// Programming Guide, "Thread Block Clusters").
static constexpr int64_t kMaxPortableCluster = 8;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

/// The primary context of a device, retained as long as this object lives.
struct tile::runtime::CudaContext {
  CudaContext(const CudaDriver &driver, CudaOrdinal device)
      : driver(driver), device(device) {}
  CudaContext(const CudaContext &) = delete;
  CudaContext &operator=(const CudaContext &) = delete;
  ~CudaContext() {
    if (handle)
      driver.devicePrimaryCtxRelease(device);
  }

  const CudaDriver &driver;
  CudaOrdinal device;
  CudaHandle handle = nullptr;
  std::string name;
  int major = 0;
  int minor = 0;
  int maxSharedBytes = 0;
  int maxThreads = 0;
};

namespace {
/// Makes a context the current one of this thread for the time of a scope.
class ContextScope {
public:
  explicit ContextScope(const CudaContext &context)
      : driver(context.driver), result(driver.ctxPushCurrent(context.handle)) {}
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  ~ContextScope() {
    CudaHandle popped;
    if (result == 0)
      driver.ctxPopCurrent(&popped);
  }

  Status getStatus() const { return driver.check(result, "cuCtxPushCurrent"); }

private:
  const CudaDriver &driver;
  CudaResult result;
};
} // namespace

/// Calls a function of the driver in `CONTEXT`, and returns its error if it
/// fails.
#define TILE_CUDA_TRY(CONTEXT, MEMBER, NAME, ...)                              \
  if (Status status =                                                          \
          (CONTEXT).driver.check((CONTEXT).driver.MEMBER(__VA_ARGS__), NAME);  \
      !status)                                                                 \
  return status.takeError()

/// Enters `CONTEXT` until the end of the scope, or returns the error.
#define TILE_CUDA_ENTER(CONTEXT)                                               \
  ContextScope scope(CONTEXT);                                                 \
  if (Status status = scope.getStatus(); !status)                              \
  return status.takeError()

Result<int> tile::runtime::countCudaDevices() {
  Result<const CudaDriver *> driver = getCudaDriver();
  if (!driver)
    return driver.takeError();
  int count = 0;
  if (Status status = (*driver)->check((*driver)->deviceGetCount(&count),
                                       "cuDeviceGetCount");
      !status)
    return status.takeError();
  if (count == 0)
    return runtimeError("the GPU driver offers no device");
  return count;
}

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

Result<CudaDevice> CudaDevice::open(int ordinal) {
  Result<int> count = countCudaDevices();
  if (!count)
    return count.takeError();
  if (ordinal < 0 || ordinal >= *count)
    return inputError("expected a device below ", *count, ", found ", ordinal);

  const CudaDriver &driver = **getCudaDriver();
  CudaOrdinal device = 0;
  if (Status status =
          driver.check(driver.deviceGet(&device, ordinal), "cuDeviceGet");
      !status)
    return status.takeError();
  auto context = std::make_shared<CudaContext>(driver, device);
  char name[256] = {};
  TILE_CUDA_TRY(*context, deviceGetName, "cuDeviceGetName", name,
                int(sizeof name) - 1, device);
  context->name = name;
  const std::pair<int, int *> attributes[] = {
      {kComputeCapabilityMajor, &context->major},
      {kComputeCapabilityMinor, &context->minor},
      {kMaxSharedMemoryPerBlockOptin, &context->maxSharedBytes},
      {kMaxThreadsPerBlock, &context->maxThreads},
  };
  for (auto [attribute, value] : attributes)
    TILE_CUDA_TRY(*context, deviceGetAttribute, "cuDeviceGetAttribute", value,
                  attribute, device);
  CudaHandle handle = nullptr;
  TILE_CUDA_TRY(*context, devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",
                &handle, device);
  context->handle = handle;

  CudaDevice opened;
  opened.context = std::move(context);
  return opened;
}

const std::string &CudaDevice::getName() const { return context->name; }

std::string CudaDevice::getArch() const {
  // From 9.0 on, the instructions of one architecture alone have a suffix.
  return concat("sm_", context->major, context->minor,
                context->major >= 9 ? "a" : "");
}

int64_t CudaDevice::getMaxSharedBytes() const {
  return context->maxSharedBytes;
}

Status CudaDevice::checkArch(const std::string &arch) const {
  auto fail = [&]() {
    return inputError("expected code for ", getArch(), " (device '", getName(),
                      "'), found ", arch);
  };
  // "sm_90a": the last digit is the minor version.
  constexpr size_t kPrefix = 3;
  if (arch.rfind("sm_", 0) != 0)
    return fail();
  size_t end =
      std::min(arch.find_first_not_of("0123456789", kPrefix), arch.size());
  std::string number = arch.substr(kPrefix, end - kPrefix);
  std::string suffix = arch.substr(end);
  if (number.size() < 2 || number.size() > 4)
    return fail();
  long version = std::strtol(number.c_str(), nullptr, 10);
  int major = static_cast<int>(version / 10);
  int minor = static_cast<int>(version % 10);
  bool isExact = suffix == "a";
  if (major != context->major || minor > context->minor ||
      (isExact && minor != context->minor))
    return fail();
  return success();
}

Status CudaDevice::synchronize() const {
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(*context, ctxSynchronize, "cuCtxSynchronize");
  return success();
}

//===----------------------------------------------------------------------===//
// Memory and time
//===----------------------------------------------------------------------===//

DeviceBuffer::DeviceBuffer(std::shared_ptr<CudaContext> context,
                           uint64_t address, int64_t size)
    : context(std::move(context)), address(address), numBytes(size) {}

DeviceBuffer::DeviceBuffer(DeviceBuffer &&other)
    : context(std::move(other.context)), address(other.address),
      numBytes(other.numBytes) {
  other.context = nullptr;
}

DeviceBuffer::~DeviceBuffer() {
  if (!context)
    return;
  ContextScope scope(*context);
  context->driver.memFree(address);
}

Result<DeviceBuffer> DeviceBuffer::allocate(const CudaDevice &device,
                                            int64_t size) {
  const CudaContext &context = *device.context;
  TILE_CUDA_ENTER(context);
  CudaAddress address = 0;
  auto bytes = static_cast<size_t>(std::max<int64_t>(size, 1));
  CudaResult result = context.driver.memAlloc(&address, bytes);
  if (Status status = context.driver.check(result, "cuMemAlloc"); !status)
    return runtimeError("cannot allocate ", size,
                        " bytes on the device: ", status.error().message);
  return DeviceBuffer(device.context, address, size);
}

Status DeviceBuffer::upload(const void *source) {
  if (numBytes == 0)
    return success();
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(*context, memcpyHtoD, "cuMemcpyHtoD", address, source,
                static_cast<size_t>(numBytes));
  return success();
}

Status DeviceBuffer::download(void *dest) const {
  if (numBytes == 0)
    return success();
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(*context, memcpyDtoH, "cuMemcpyDtoH", dest, address,
                static_cast<size_t>(numBytes));
  return success();
}

Status DeviceBuffer::copyFrom(const DeviceBuffer &source) {
  if (numBytes == 0)
    return success();
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(*context, memcpyDtoDAsync, "cuMemcpyDtoDAsync", address,
                source.address, static_cast<size_t>(numBytes), nullptr);
  return success();
}

Result<CudaTimer> CudaTimer::create(const CudaDevice &device) {
  CudaTimer timer(device.context);
  TILE_CUDA_ENTER(*timer.context);
  TILE_CUDA_TRY(*timer.context, eventCreate, "cuEventCreate", &timer.begin, 0);
  TILE_CUDA_TRY(*timer.context, eventCreate, "cuEventCreate", &timer.end, 0);
  return timer;
}

CudaTimer::CudaTimer(CudaTimer &&other)
    : context(std::move(other.context)), begin(other.begin), end(other.end) {
  other.context = nullptr;
}

CudaTimer::~CudaTimer() {
  if (!context)
    return;
  ContextScope scope(*context);
  for (CudaHandle event : {begin, end})
    if (event)
      context->driver.eventDestroy(event);
}

Status CudaTimer::start(CudaStream stream) {
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(*context, eventRecord, "cuEventRecord", begin, stream);
  return success();
}

Status CudaTimer::stop(CudaStream stream) {
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(*context, eventRecord, "cuEventRecord", end, stream);
  return success();
}

Result<double> CudaTimer::getMicroseconds() {
  TILE_CUDA_ENTER(*context);
  float milliseconds = 0;
  TILE_CUDA_TRY(*context, eventSynchronize, "cuEventSynchronize", end);
  TILE_CUDA_TRY(*context, eventElapsedTime, "cuEventElapsedTime", &milliseconds,
                begin, end);
  return 1000.0 * milliseconds;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// A module of the driver and the functions of one kernel in it.
struct tile::runtime::CudaModule {
  explicit CudaModule(std::shared_ptr<CudaContext> context,
                      const KernelMetadata &kernel)
      : context(std::move(context)), kernel(kernel) {}
  CudaModule(const CudaModule &) = delete;
  CudaModule &operator=(const CudaModule &) = delete;
  ~CudaModule() {
    if (!handle)
      return;
    ContextScope scope(*context);
    context->driver.moduleUnload(handle);
  }

  std::shared_ptr<CudaContext> context;
  KernelMetadata kernel;
  CudaHandle handle = nullptr;
  /// One for each entry point.
  std::vector<CudaHandle> functions;
};

/// Checks the parameters of `function` against the ABI, where the driver can
/// tell: metadata of another binary would make the kernel read garbage.
static Status checkParameters(const CudaModule &module, CudaHandle function,
                              const std::string &symbol) {
  const CudaDriver &driver = module.context->driver;
  if (!driver.funcGetParamInfo)
    return success();
  std::vector<int64_t> expected = getParameterSizes(module.kernel);
  size_t offset = 0, bytes = 0, count = 0;
  while (driver.funcGetParamInfo(function, count, &offset, &bytes) == 0) {
    if (count < expected.size() && int64_t(bytes) != expected[count])
      return inputError("expected parameter ", count, " of '", symbol,
                        "' to have ", expected[count], " bytes, found ", bytes,
                        " (the metadata is not of this binary)");
    ++count;
  }
  if (count != expected.size())
    return inputError("expected ", expected.size(), " parameters of '", symbol,
                      "', found ", count,
                      " (the metadata is not of this binary)");
  return success();
}

/// Finds the function of an entry point, and readies it for launches.
static Result<CudaHandle> loadEntry(const CudaModule &module,
                                    const EntryPoint &entry) {
  const CudaContext &context = *module.context;
  const KernelMetadata &kernel = module.kernel;
  CudaHandle function = nullptr;
  CudaResult result = context.driver.moduleGetFunction(&function, module.handle,
                                                       entry.symbol.c_str());
  if (Status status = context.driver.check(result, "cuModuleGetFunction");
      !status)
    return inputError("expected a function '", entry.symbol,
                      "' in the binary: ", status.error().message);
  if (Status status = checkParameters(module, function, entry.symbol); !status)
    return status.takeError();

  int maxThreads = 0, staticShared = 0;
  TILE_CUDA_TRY(context, funcGetAttribute, "cuFuncGetAttribute", &maxThreads,
                kFunctionMaxThreadsPerBlock, function);
  TILE_CUDA_TRY(context, funcGetAttribute, "cuFuncGetAttribute", &staticShared,
                kFunctionSharedBytes, function);
  int64_t threads = kernel.block[0] * kernel.block[1] * kernel.block[2];
  if (threads > maxThreads)
    return inputError("expected a block of at most ", maxThreads,
                      " threads, found ", threads);
  if (kernel.sharedBytes + staticShared > context.maxSharedBytes)
    return inputError("expected at most ", context.maxSharedBytes,
                      " bytes of shared memory on device '", context.name,
                      "', found ", kernel.sharedBytes + staticShared);
  if (kernel.sharedBytes > 0)
    TILE_CUDA_TRY(context, funcSetAttribute, "cuFuncSetAttribute", function,
                  kFunctionMaxDynamicSharedBytes,
                  static_cast<int>(kernel.sharedBytes));
  if (kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2] >
      kMaxPortableCluster)
    TILE_CUDA_TRY(context, funcSetAttribute, "cuFuncSetAttribute", function,
                  kFunctionNonPortableClusterSize, 1);
  return function;
}

Result<Kernel> Kernel::load(const CudaDevice &device, std::string_view binary,
                            const KernelMetadata &kernel) {
  auto fail = [&](const Error &error) {
    return Error{error.kind,
                 concat("kernel '", kernel.name, "': ", error.message)};
  };
  if (Status status = verify(kernel); !status)
    return status.takeError();
  if (Status status = device.checkArch(kernel.arch); !status)
    return fail(status.error());
  if (kernel.sharedBytes > device.getMaxSharedBytes())
    return fail(inputError("expected at most ", device.getMaxSharedBytes(),
                           " bytes of shared memory on device '",
                           device.getName(), "', found ", kernel.sharedBytes));

  auto module = std::make_shared<CudaModule>(device.context, kernel);
  const CudaContext &context = *device.context;
  TILE_CUDA_ENTER(context);
  // The driver takes no length; PTX has to end in a NUL character.
  std::string image(binary);
  CudaResult result =
      context.driver.moduleLoadData(&module->handle, image.c_str());
  if (Status status = context.driver.check(result, "cuModuleLoadData");
      !status) {
    module->handle = nullptr;
    return fail(inputError("expected a binary that device '", context.name,
                           "' takes: ", status.error().message));
  }
  for (const EntryPoint &entry : kernel.entries) {
    Result<CudaHandle> function = loadEntry(*module, entry);
    if (!function)
      return fail(function.error());
    module->functions.push_back(*function);
  }

  Kernel loaded;
  loaded.module = std::move(module);
  return loaded;
}

Result<Kernel> Kernel::loadFile(const CudaDevice &device,
                                const std::string &path,
                                const std::string &name,
                                const std::string &metadataPath) {
  std::string where =
      metadataPath.empty() ? getMetadataPath(path) : metadataPath;
  Result<ModuleMetadata> metadata = readMetadata(where);
  if (!metadata)
    return metadata.takeError();
  Result<const KernelMetadata *> kernel =
      findKernelOf(*metadata, name, path, where);
  if (!kernel)
    return kernel.takeError();
  Result<std::string> binary = readFile(path, kMaxBinaryBytes);
  if (!binary)
    return binary.takeError();
  return load(device, *binary, **kernel);
}

const KernelMetadata &Kernel::getMetadata() const { return module->kernel; }

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

Result<LaunchPlan> Kernel::launch(const std::vector<KernelArgument> &arguments,
                                  const LaunchOptions &options) const {
  const KernelMetadata &kernel = module->kernel;
  Result<LaunchPlan> plan = planLaunch(kernel, arguments, options.grid);
  if (!plan || plan->isEmpty())
    return plan;

  const CudaContext &context = *module->context;
  TILE_CUDA_ENTER(context);
  OwnedWorkspaces owned(context);
  std::vector<uint64_t> workspaces = options.workspaces;
  bool ownsWorkspaces = workspaces.empty() && !plan->hiddenBytes.empty();
  if (ownsWorkspaces) {
    if (Status status = owned.allocate(plan->hiddenBytes); !status)
      return status.takeError();
    workspaces = owned.addresses;
  }
  if (workspaces.size() != plan->hiddenBytes.size())
    return inputError("kernel '", kernel.name, "': expected ",
                      plan->hiddenBytes.size(), " workspaces, found ",
                      workspaces.size());
  for (size_t i = 0; i < workspaces.size(); ++i)
    if (kernel.hiddenArguments[i].zero && plan->hiddenBytes[i] > 0)
      TILE_CUDA_TRY(context, memsetD8Async, "cuMemsetD8Async", workspaces[i], 0,
                    static_cast<size_t>(plan->hiddenBytes[i]), options.stream);

  ParameterList parameters(kernel, arguments, workspaces);
  auto asUnsigned = [](int64_t number) {
    return static_cast<unsigned>(number);
  };
  const Grid &grid = plan->grid;
  TILE_CUDA_TRY(context, launchKernel, "cuLaunchKernel",
                module->functions[plan->entry], asUnsigned(grid[0]),
                asUnsigned(grid[1]), asUnsigned(grid[2]),
                asUnsigned(kernel.block[0]), asUnsigned(kernel.block[1]),
                asUnsigned(kernel.block[2]), asUnsigned(kernel.sharedBytes),
                options.stream, parameters.data(), nullptr);
  if (ownsWorkspaces)
    TILE_CUDA_TRY(context, streamSynchronize, "cuStreamSynchronize",
                  options.stream);
  return plan;
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The part of `path` after the last slash.
static std::string_view getFileName(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

std::string tile::runtime::getMetadataPath(const std::string &binaryPath) {
  size_t nameStart = binaryPath.size() - getFileName(binaryPath).size();
  size_t dot = binaryPath.rfind('.');
  // A dot at the start of a name is no extension.
  bool hasExtension = dot != binaryPath.npos && dot > nameStart;
  return binaryPath.substr(0, hasExtension ? dot : binaryPath.size()) + ".json";
}

Result<ModuleMetadata> tile::runtime::readMetadata(const std::string &path) {
  Result<std::string> text = readFile(path, kMaxMetadataBytes);
  if (!text)
    return text.takeError();
  return fromJson(*text, path);
}

Result<const KernelMetadata *>
tile::runtime::findKernelOf(const ModuleMetadata &module, std::string_view name,
                            const std::string &binaryPath,
                            std::string_view metadataPath) {
  for (const KernelMetadata &kernel : module.kernels)
    if (kernel.name == name && kernel.binary == getFileName(binaryPath))
      return &kernel;
  return findKernel(module, name, metadataPath);
}
