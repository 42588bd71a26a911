// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FakeCuda.cpp - a CUDA driver without a GPU -------------------------===//
//
// Stands in for libcuda.so.1 in tests. One device of compute capability 9.0;
// its memory is the host's, known range by range, so that a copy outside it is
// an error; its binaries are texts that begin with "fake cubin" and then list
// functions, which are those of FakeKernels.h. Time is that of a clock that
// each launch moves on by 12.5 microseconds. $TILE_FAKE_CUDA makes something
// fail: "nodevice", "init", "memory", "launch".
//
//===----------------------------------------------------------------------===//

#include "FakeKernels.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

namespace {
constexpr int kInvalidValue = 1;
constexpr int kOutOfMemory = 2;
constexpr int kNotInitialized = 3;
constexpr int kInvalidContext = 201;
constexpr int kInvalidImage = 200;
constexpr int kNotFound = 500;
constexpr int kLaunchFailed = 719;

using Address = unsigned long long;

struct Module {
  std::string image;
};

struct Function {
  const fake::FakeKernel *kernel;
  int dynamicShared = 0;
};

struct Event {
  double microseconds = 0;
};

/// Everything the driver knows.
struct Driver {
  std::mutex mutex;
  std::map<Address, size_t> memory;
  int retained = 0;
  int entered = 0;
  int modules = 0;
  int events = 0;
  double clock = 0;
  bool hasFailed = false;

  /// Tells of what the program forgot to give back.
  ~Driver() {
    if (retained || entered || modules || events || !memory.empty())
      std::fprintf(stderr,
                   "fake cuda: left behind: %d contexts, %d entered, %d "
                   "modules, %d events, %zu buffers\n",
                   retained, entered, modules, events, memory.size());
  }
};

Driver driver;

/// How often this thread has entered the context, which is current while it
/// has.
thread_local int enteredHere = 0;

bool isAskedToFail(const char *what) {
  const char *variable = std::getenv("TILE_FAKE_CUDA");
  return variable && std::string(variable) == what;
}

/// Whether `bytes` from `address` on are in one piece of device memory.
bool isInMemory(Address address, size_t bytes) {
  auto it = driver.memory.upper_bound(address);
  if (it == driver.memory.begin())
    return false;
  --it;
  return address + bytes <= it->first + it->second;
}
} // namespace

#define FAKE_API extern "C" __attribute__((visibility("default"))) int
#define FAKE_NEEDS_CONTEXT()                                                   \
  std::lock_guard<std::mutex> lock(driver.mutex);                              \
  if (enteredHere == 0)                                                        \
  return kInvalidContext

FAKE_API cuInit(unsigned) {
  return isAskedToFail("init") ? kNotInitialized : 0;
}

FAKE_API cuDeviceGetCount(int *count) {
  *count = isAskedToFail("nodevice") ? 0 : 1;
  return 0;
}

FAKE_API cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return ordinal == 0 ? 0 : kInvalidValue;
}

FAKE_API cuDeviceGetName(char *name, int length, int) {
  std::snprintf(name, static_cast<size_t>(length), "Fake GPU");
  return 0;
}

FAKE_API cuDeviceGetAttribute(int *value, int attribute, int) {
  switch (attribute) {
  case 1:
    *value = 1024;
    return 0;
  case 16:
    *value = 132;
    return 0;
  case 75:
    *value = 9;
    return 0;
  case 76:
    *value = 0;
    return 0;
  case 97:
    *value = 232448;
    return 0;
  default:
    return kInvalidValue;
  }
}

FAKE_API cuDevicePrimaryCtxRetain(void **context, int) {
  std::lock_guard<std::mutex> lock(driver.mutex);
  ++driver.retained;
  *context = &driver;
  return 0;
}

FAKE_API cuDevicePrimaryCtxRelease_v2(int) {
  std::lock_guard<std::mutex> lock(driver.mutex);
  --driver.retained;
  return 0;
}

FAKE_API cuCtxPushCurrent_v2(void *) {
  std::lock_guard<std::mutex> lock(driver.mutex);
  ++driver.entered;
  ++enteredHere;
  return 0;
}

FAKE_API cuCtxPopCurrent_v2(void **context) {
  std::lock_guard<std::mutex> lock(driver.mutex);
  if (enteredHere == 0)
    return kInvalidContext;
  --driver.entered;
  --enteredHere;
  *context = &driver;
  return 0;
}

FAKE_API cuCtxGetCurrent(void **context) {
  *context = enteredHere ? &driver : nullptr;
  return 0;
}

FAKE_API cuCtxSynchronize() {
  FAKE_NEEDS_CONTEXT();
  return driver.hasFailed ? kLaunchFailed : 0;
}

FAKE_API cuModuleLoadData(void **module, const void *image) {
  FAKE_NEEDS_CONTEXT();
  std::string text = static_cast<const char *>(image);
  if (text.rfind("fake cubin\n", 0) != 0)
    return kInvalidImage;
  ++driver.modules;
  *module = new Module{text};
  return 0;
}

FAKE_API cuModuleUnload(void *module) {
  FAKE_NEEDS_CONTEXT();
  --driver.modules;
  delete static_cast<Module *>(module);
  return 0;
}

FAKE_API cuModuleGetFunction(void **function, void *module, const char *name) {
  FAKE_NEEDS_CONTEXT();
  const std::string &image = static_cast<Module *>(module)->image;
  const fake::FakeKernel *kernel = fake::findKernel(name);
  if (image.find("\n" + std::string(name) + "\n") == image.npos || !kernel)
    return kNotFound;
  static std::map<std::string, Function> functions;
  functions[name].kernel = kernel;
  *function = &functions[name];
  return 0;
}

FAKE_API cuFuncGetAttribute(int *value, int attribute, void *) {
  *value = attribute == 0 ? 256 : 0;
  return 0;
}

FAKE_API cuFuncSetAttribute(void *function, int attribute, int value) {
  if (attribute == 8)
    static_cast<Function *>(function)->dynamicShared = value;
  return 0;
}

FAKE_API cuFuncGetParamInfo(void *function, size_t position, size_t *offset,
                            size_t *bytes) {
  const std::vector<size_t> &sizes =
      static_cast<Function *>(function)->kernel->parameterBytes;
  if (position >= sizes.size())
    return kInvalidValue;
  *offset = 0;
  *bytes = sizes[position];
  return 0;
}

FAKE_API cuMemAlloc_v2(Address *address, size_t bytes) {
  FAKE_NEEDS_CONTEXT();
  void *memory = nullptr;
  if (isAskedToFail("memory") || bytes == 0 ||
      posix_memalign(&memory, 256, bytes) != 0)
    return kOutOfMemory;
  std::memset(memory, 0xcd, bytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  driver.memory[*address] = bytes;
  return 0;
}

FAKE_API cuMemFree_v2(Address address) {
  FAKE_NEEDS_CONTEXT();
  if (driver.memory.erase(address) == 0)
    return kInvalidValue;
  std::free(reinterpret_cast<void *>(address));
  return 0;
}

FAKE_API cuMemcpyHtoD_v2(Address dest, const void *source, size_t bytes) {
  FAKE_NEEDS_CONTEXT();
  if (!isInMemory(dest, bytes))
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(dest), source, bytes);
  return 0;
}

FAKE_API cuMemcpyDtoH_v2(void *dest, Address source, size_t bytes) {
  FAKE_NEEDS_CONTEXT();
  if (!isInMemory(source, bytes))
    return kInvalidValue;
  std::memcpy(dest, reinterpret_cast<void *>(source), bytes);
  return 0;
}

FAKE_API cuMemcpyDtoDAsync_v2(Address dest, Address source, size_t bytes,
                              void *) {
  FAKE_NEEDS_CONTEXT();
  if (!isInMemory(source, bytes) || !isInMemory(dest, bytes))
    return kInvalidValue;
  std::memcpy(reinterpret_cast<void *>(dest), reinterpret_cast<void *>(source),
              bytes);
  return 0;
}

FAKE_API cuMemsetD8Async(Address dest, unsigned char value, size_t count,
                         void *) {
  FAKE_NEEDS_CONTEXT();
  if (!isInMemory(dest, count))
    return kInvalidValue;
  std::memset(reinterpret_cast<void *>(dest), value, count);
  return 0;
}

FAKE_API cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, void *,
                        void **parameters, void **) {
  FAKE_NEEDS_CONTEXT();
  auto &target = *static_cast<Function *>(function);
  if (gridX == 0 || gridY == 0 || gridZ == 0 ||
      sharedBytes > unsigned(target.dynamicShared))
    return kInvalidValue;
  if (isAskedToFail("launch"))
    driver.hasFailed = true;
  if (std::string(target.kernel->name) == "fail")
    return kInvalidValue;
  target.kernel->run(fake::Parameters(parameters), {gridX, gridY, gridZ},
                     {blockX, blockY, blockZ});
  driver.clock += 12.5;
  return 0;
}

FAKE_API cuStreamSynchronize(void *) { return cuCtxSynchronize(); }

FAKE_API cuStreamIsCapturing(void *stream, int *status) {
  *status = stream == fake::kCapturingStream;
  return 0;
}

/// By threads alone.
FAKE_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void *,
                                                     int threads, size_t) {
  *blocks = 2048 / threads;
  return 0;
}

FAKE_API cuEventCreate(void **event, unsigned) {
  FAKE_NEEDS_CONTEXT();
  ++driver.events;
  *event = new Event();
  return 0;
}

FAKE_API cuEventDestroy_v2(void *event) {
  FAKE_NEEDS_CONTEXT();
  --driver.events;
  delete static_cast<Event *>(event);
  return 0;
}

FAKE_API cuEventRecord(void *event, void *) {
  FAKE_NEEDS_CONTEXT();
  static_cast<Event *>(event)->microseconds = driver.clock;
  return 0;
}

FAKE_API cuEventSynchronize(void *) { return 0; }

FAKE_API cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  *milliseconds =
      static_cast<float>((static_cast<Event *>(end)->microseconds -
                          static_cast<Event *>(start)->microseconds) /
                         1000);
  return 0;
}

FAKE_API cuGetErrorName(int result, const char **name) {
  *name = result == kLaunchFailed   ? "CUDA_ERROR_LAUNCH_FAILED"
          : result == kOutOfMemory  ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == kInvalidImage ? "CUDA_ERROR_INVALID_IMAGE"
          : result == kNotFound     ? "CUDA_ERROR_NOT_FOUND"
                                    : "CUDA_ERROR_OTHER";
  return 0;
}

FAKE_API cuGetErrorString(int, const char **text) {
  *text = "as the fake driver was asked";
  return 0;
}
