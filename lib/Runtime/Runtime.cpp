// Runtime.cpp - load a kernel and launch it on a GPU
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Runtime/Runtime.h"

#include "CudaContext.h"
#include "tile/Runtime/File.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

using namespace tile::runtime;

/// Maximum sizes of files, far above those of any binary and metadata. Larger
/// files are refused.
static constexpr int64_t kMaxBinaryBytes = int64_t(1) << 30;
static constexpr int64_t kMaxMetadataBytes = int64_t(1) << 26;
/// Maximum number of blocks of a portable cluster. A larger cluster must be
/// enabled by an attribute of the function (CUDA C++ Programming Guide, "Thread
/// Block Clusters").
static constexpr int64_t kMaxPortableCluster = 8;

//===----------------------------------------------------------------------===//
// Devices
//===----------------------------------------------------------------------===//

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

Result<CudaDevice> CudaDevice::open(int ordinal) {
  Result<int> count = countCudaDevices();
  if (!count)
    return count.takeError();
  if (ordinal < 0 || ordinal >= *count)
    return inputError("expected a device below ", *count, ", found ", ordinal);

  const CudaDriver &driver = **getCudaDriver();
  CudaOrdinal device = 0;
  TILE_DRIVER_TRY(driver, deviceGet, "cuDeviceGet", &device, ordinal);
  auto context = std::make_shared<CudaContext>(driver, device);
  char name[256] = {};
  TILE_DRIVER_TRY(driver, deviceGetName, "cuDeviceGetName", name,
                  int(sizeof name) - 1, device);
  context->name = name;
  const std::pair<int, int *> attributes[] = {
      {kComputeCapabilityMajor, &context->major},
      {kComputeCapabilityMinor, &context->minor},
      {kMaxSharedMemoryPerBlockOptin, &context->maxSharedBytes},
      {kMaxThreadsPerBlock, &context->maxThreads},
      {kMultiprocessorCount, &context->multiprocessors},
  };
  for (auto [attribute, value] : attributes)
    TILE_DRIVER_TRY(driver, deviceGetAttribute, "cuDeviceGetAttribute", value,
                    attribute, device);
  CudaHandle handle = nullptr;
  TILE_DRIVER_TRY(driver, devicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain",
                  &handle, device);
  context->handle = handle;

  CudaDevice opened;
  opened.context = std::move(context);
  return opened;
}

const std::string &CudaDevice::getName() const { return context->name; }

std::string CudaDevice::getArch() const {
  // From compute capability 9.0 on, instructions that exist on one architecture
  // only require the suffix.
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
  std::string digits = arch.substr(kPrefix, end - kPrefix);
  std::string suffix = arch.substr(end);
  if (digits.size() < 2 || digits.size() > 4)
    return fail();
  long version = std::strtol(digits.c_str(), nullptr, 10);
  int major = static_cast<int>(version / 10);
  int minor = static_cast<int>(version % 10);
  bool isExact = suffix == "a";
  if (major != context->major || minor > context->minor ||
      (isExact && minor != context->minor))
    return fail();
  return success();
}

int CudaDevice::countMultiprocessors() const {
  return context->multiprocessors;
}

Status CudaDevice::synchronize() const {
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(scope, ctxSynchronize, "cuCtxSynchronize");
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
  scope.getDriver().memFree(address);
}

Result<DeviceBuffer> DeviceBuffer::allocate(const CudaDevice &device,
                                            int64_t size) {
  TILE_CUDA_ENTER(*device.context);
  CudaAddress address = 0;
  auto bytes = static_cast<size_t>(std::max<int64_t>(size, 1));
  CudaResult result = scope.getDriver().memAlloc(&address, bytes);
  if (Status status = scope.getDriver().check(result, "cuMemAlloc"); !status)
    return runtimeError("cannot allocate ", size,
                        " bytes on the device: ", status.error().message);
  return DeviceBuffer(device.context, address, size);
}

Status DeviceBuffer::upload(const void *source) {
  if (numBytes == 0)
    return success();
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(scope, memcpyHtoD, "cuMemcpyHtoD", address, source,
                static_cast<size_t>(numBytes));
  return success();
}

Status DeviceBuffer::download(void *dest) const {
  if (numBytes == 0)
    return success();
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(scope, memcpyDtoH, "cuMemcpyDtoH", dest, address,
                static_cast<size_t>(numBytes));
  return success();
}

Status DeviceBuffer::copyFrom(const DeviceBuffer &source) {
  if (numBytes == 0)
    return success();
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(scope, memcpyDtoDAsync, "cuMemcpyDtoDAsync", address,
                source.address, static_cast<size_t>(numBytes), nullptr);
  return success();
}

Result<CudaTimer> CudaTimer::create(const CudaDevice &device) {
  CudaTimer timer(device.context);
  TILE_CUDA_ENTER(*timer.context);
  TILE_CUDA_TRY(scope, eventCreate, "cuEventCreate", &timer.begin, 0);
  TILE_CUDA_TRY(scope, eventCreate, "cuEventCreate", &timer.end, 0);
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
      scope.getDriver().eventDestroy(event);
}

Status CudaTimer::start(CudaStream stream) {
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(scope, eventRecord, "cuEventRecord", begin, stream);
  return success();
}

Status CudaTimer::stop(CudaStream stream) {
  TILE_CUDA_ENTER(*context);
  TILE_CUDA_TRY(scope, eventRecord, "cuEventRecord", end, stream);
  return success();
}

Result<double> CudaTimer::getMicroseconds() {
  TILE_CUDA_ENTER(*context);
  float milliseconds = 0;
  TILE_CUDA_TRY(scope, eventSynchronize, "cuEventSynchronize", end);
  TILE_CUDA_TRY(scope, eventElapsedTime, "cuEventElapsedTime", &milliseconds,
                begin, end);
  return 1000.0 * milliseconds;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static Error refuseParameters(size_t expected, const std::string &symbol,
                              size_t found) {
  return inputError("expected ", expected, " parameters of '", symbol,
                    "', found ", found,
                    " (the metadata is not of this binary)");
}

/// Checks the parameters of `function` against the ABI, if the driver can
/// report them: with metadata of another binary the kernel would read garbage.
/// Makes no call that is expected to fail, such as a query for a parameter
/// after the last one, since tools that watch the driver would report it.
static Status checkParameters(const ContextScope &scope,
                              const KernelMetadata &kernel, CudaHandle function,
                              const std::string &symbol) {
  const CudaDriver &driver = scope.getDriver();
  std::vector<int64_t> expected = getParameterSizes(kernel);
  size_t count = expected.size();
  if (driver.funcGetParamCount)
    TILE_CUDA_TRY(scope, funcGetParamCount, "cuFuncGetParamCount", function,
                  &count);
  if (count != expected.size())
    return refuseParameters(expected.size(), symbol, count);
  for (size_t i = 0; driver.funcGetParamInfo && i < count; ++i) {
    size_t offset = 0, bytes = 0;
    if (driver.funcGetParamInfo(function, i, &offset, &bytes) != 0)
      return refuseParameters(count, symbol, i);
    if (int64_t(bytes) != expected[i])
      return inputError("expected parameter ", i, " of '", symbol, "' to have ",
                        expected[i], " bytes, found ", bytes,
                        " (the metadata is not of this binary)");
  }
  return success();
}

/// Finds the function of an entry point, and prepares it for launches.
static Result<CudaHandle> loadEntry(const ContextScope &scope,
                                    const CudaKernel &loaded, size_t index) {
  const CudaContext &context = loaded.getContext();
  const KernelMetadata &kernel = loaded.metadata;
  const EntryPoint &entry = kernel.entries[index];
  const std::array<int64_t, 3> &block = getBlock(kernel, index);
  int64_t sharedBytes = getSharedBytes(kernel, index);
  CudaHandle function = nullptr;
  CudaResult result = scope.getDriver().moduleGetFunction(
      &function, loaded.image->handle, entry.symbol.c_str());
  if (Status status = scope.getDriver().check(result, "cuModuleGetFunction");
      !status)
    return inputError("expected a function '", entry.symbol,
                      "' in the binary: ", status.error().message);
  if (Status status = checkParameters(scope, kernel, function, entry.symbol);
      !status)
    return status.takeError();

  int maxThreads = 0, staticShared = 0;
  TILE_CUDA_TRY(scope, funcGetAttribute, "cuFuncGetAttribute", &maxThreads,
                kFunctionMaxThreadsPerBlock, function);
  TILE_CUDA_TRY(scope, funcGetAttribute, "cuFuncGetAttribute", &staticShared,
                kFunctionSharedBytes, function);
  int64_t threads = block[0] * block[1] * block[2];
  if (threads > maxThreads)
    return inputError("expected a block of at most ", maxThreads,
                      " threads, found ", threads);
  if (sharedBytes + staticShared > context.maxSharedBytes)
    return inputError("expected at most ", context.maxSharedBytes,
                      " bytes of shared memory on device '", context.name,
                      "', found ", sharedBytes + staticShared);
  if (sharedBytes > 0)
    TILE_CUDA_TRY(scope, funcSetAttribute, "cuFuncSetAttribute", function,
                  kFunctionMaxDynamicSharedBytes,
                  static_cast<int>(sharedBytes));
  if (kernel.cluster[0] * kernel.cluster[1] * kernel.cluster[2] >
      kMaxPortableCluster)
    TILE_CUDA_TRY(scope, funcSetAttribute, "cuFuncSetAttribute", function,
                  kFunctionNonPortableClusterSize, 1);
  return function;
}

static Error nameKernel(const KernelMetadata &kernel, const Error &error) {
  return {error.kind, concat("kernel '", kernel.name, "': ", error.message)};
}

/// Checks a kernel as far as possible before its binary is loaded.
static Status checkKernel(const CudaDevice &device,
                          const KernelMetadata &kernel) {
  if (Status status = verify(kernel); !status)
    return status;
  if (Status status = device.checkArch(kernel.arch); !status)
    return nameKernel(kernel, status.error());
  for (size_t entry = 0; entry < kernel.entries.size(); ++entry)
    if (int64_t bytes = getSharedBytes(kernel, entry);
        bytes > device.getMaxSharedBytes())
      return nameKernel(
          kernel, inputError("expected at most ", device.getMaxSharedBytes(),
                             " bytes of shared memory on device '",
                             device.getName(), "', found ", bytes));
  return success();
}

static Result<std::shared_ptr<const CudaImage>>
loadImage(const std::shared_ptr<CudaContext> &context,
          std::string_view binary) {
  auto image = std::make_shared<CudaImage>(context);
  TILE_CUDA_ENTER(*context);
  // The driver takes no length; PTX has to end in a NUL character.
  std::string text(binary);
  CudaResult result =
      scope.getDriver().moduleLoadData(&image->handle, text.c_str());
  if (Status status = scope.getDriver().check(result, "cuModuleLoadData");
      !status) {
    image->handle = nullptr;
    return inputError("expected a binary that device '", context->name,
                      "' takes: ", status.error().message);
  }
  return std::shared_ptr<const CudaImage>(std::move(image));
}

Result<Kernel> Kernel::loadFrom(std::shared_ptr<const CudaImage> image,
                                const KernelMetadata &kernel) {
  auto loaded = std::make_shared<CudaKernel>(std::move(image), kernel);
  TILE_CUDA_ENTER(loaded->getContext());
  for (size_t entry = 0; entry < kernel.entries.size(); ++entry) {
    Result<CudaHandle> function = loadEntry(scope, *loaded, entry);
    if (!function)
      return nameKernel(kernel, function.error());
    loaded->functions.push_back(*function);
  }
  Kernel result;
  result.loaded = std::move(loaded);
  return result;
}

Result<Kernel> Kernel::load(const CudaDevice &device, std::string_view binary,
                            const KernelMetadata &kernel) {
  if (Status status = checkKernel(device, kernel); !status)
    return status.takeError();
  Result<std::shared_ptr<const CudaImage>> image =
      loadImage(device.context, binary);
  if (!image)
    return nameKernel(kernel, image.error());
  return loadFrom(std::move(*image), kernel);
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

const KernelMetadata &Kernel::getMetadata() const { return loaded->metadata; }

Result<int> Kernel::getOccupancy(size_t entry) const {
  const KernelMetadata &kernel = loaded->metadata;
  if (entry >= loaded->functions.size())
    return inputError("kernel '", kernel.name,
                      "': expected an entry point below ",
                      loaded->functions.size(), ", found ", entry);
  const std::array<int64_t, 3> &block = getBlock(kernel, entry);
  TILE_CUDA_ENTER(loaded->getContext());
  int blocks = 0;
  TILE_CUDA_TRY(scope, occupancyMaxActiveBlocks,
                "cuOccupancyMaxActiveBlocksPerMultiprocessor", &blocks,
                loaded->functions[entry],
                static_cast<int>(block[0] * block[1] * block[2]),
                static_cast<size_t>(getSharedBytes(kernel, entry)));
  return blocks;
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

Result<KernelModule> KernelModule::load(const CudaDevice &device,
                                        std::string_view binary,
                                        ModuleMetadata metadata) {
  Result<std::shared_ptr<const CudaImage>> image =
      loadImage(device.context, binary);
  if (!image)
    return image.takeError();
  KernelModule module(device);
  module.image = std::move(*image);
  module.metadata = std::move(metadata);
  return module;
}

Result<KernelModule> KernelModule::loadFile(const CudaDevice &device,
                                            const std::string &path,
                                            const std::string &metadataPath) {
  Result<ModuleMetadata> metadata =
      readMetadata(metadataPath.empty() ? getMetadataPath(path) : metadataPath);
  if (!metadata)
    return metadata.takeError();
  Result<std::string> binary = readFile(path, kMaxBinaryBytes);
  if (!binary)
    return binary.takeError();
  Result<KernelModule> module = load(device, *binary, std::move(*metadata));
  if (module)
    module->path = path;
  return module;
}

Result<Kernel> KernelModule::getKernel(std::string_view name) const {
  Result<const KernelMetadata *> kernel =
      findKernelOf(metadata, name, path, "metadata");
  if (!kernel)
    return kernel.takeError();
  if (Status status = checkKernel(device, **kernel); !status)
    return status.takeError();
  return Kernel::loadFrom(image, **kernel);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// Returns the part of `path` after the last slash.
static std::string_view getFileName(std::string_view path) {
  size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

std::string tile::runtime::getMetadataPath(const std::string &binaryPath) {
  size_t nameStart = binaryPath.size() - getFileName(binaryPath).size();
  size_t dot = binaryPath.rfind('.');
  // A dot at the start of a name does not start an extension.
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
