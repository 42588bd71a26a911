// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FakeCuda.cpp - a CUDA driver without a GPU -------------------------===//
//
// Replaces libcuda.so.1 in tests. It has one device of compute capability 9.0;
// device memory is host memory whose ranges are recorded, so that a copy
// outside of them is an error; a binary is a text that starts with "fake cubin"
// and then lists functions, which are those of FakeKernels.h. Work in a
// captured stream runs immediately. Time is that of a clock that each launch
// advances by 12.5 microseconds. $TILE_FAKE_CUDA makes something fail:
// "nodevice", "init", "memory", "launch".
//
// Calls that CUDA's driver refuses are refused here with the same error: calls
// before cuInit and without a current context, handles that were destroyed or
// belong to another context, parameters that a function does not have, blocks
// and shared memory beyond the limits. fakeCudaCountMisuses returns the count
// of such calls, and a line at the end of the process prints it; a program that
// uses the driver correctly has none. After a kernel has failed, all calls
// fail.
//
//===----------------------------------------------------------------------===//

#include "FakeKernels.h"

#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace {
/// Values of CUresult.
enum Code {
  kSuccess = 0,
  kInvalidValue = 1,
  kOutOfMemory = 2,
  kNotInitialized = 3,
  kInvalidDevice = 101,
  kInvalidImage = 200,
  kInvalidContext = 201,
  kInvalidHandle = 400,
  kNotFound = 500,
  kOutOfResources = 701,
  kLaunchFailed = 719,
  kCaptureUnsupported = 900,
  kUnknown = 999,
};

using Address = unsigned long long;

/// Limits of a block on this device, and of a block of each of its functions.
constexpr unsigned kMaxThreads = 1024, kMaxThreadsAlongZ = 64;
constexpr unsigned kMaxThreadsOfFunction = 256;
constexpr int kMaxShared = 232448, kMaxSharedUnasked = 49152;
constexpr unsigned kMaxGridAlongYZ = 65535;

struct Context {
  bool isPrimary = false;
  /// Whether a kernel failed, and whether a call has returned the failure, as
  /// all later calls do.
  bool hasFailed = false;
  bool hasToldOfFailure = false;
};

struct Function {
  Context *context;
  const fake::FakeKernel *kernel;
  int dynamicShared = kMaxSharedUnasked;
};

struct Module {
  Context *context;
  std::string image;
  std::map<std::string, std::unique_ptr<Function>> functions;
};

struct Event {
  Context *context;
  double microseconds = -1;
};

/// The live handles of one kind.
template <typename T>
class Handles {
public:
  T *add(T object) {
    auto made = std::make_unique<T>(std::move(object));
    T *handle = made.get();
    alive.emplace(handle, std::move(made));
    return handle;
  }
  /// Returns the object of a handle, or null if `context` has none.
  T *find(void *handle, const Context &context) const {
    auto it = alive.find(handle);
    return it == alive.end() || it->second->context != &context
               ? nullptr
               : it->second.get();
  }
  void remove(void *handle) { alive.erase(handle); }
  size_t size() const { return alive.size(); }

private:
  std::map<void *, std::unique_ptr<T>> alive;
};

/// The state of the driver.
struct Driver {
  std::mutex mutex;
  std::atomic<bool> isInitialized = false;
  std::map<Address, size_t> memory;
  Context primary;
  std::set<Context *> others;
  int retained = 0;
  int entered = 0;
  Handles<Module> modules;
  Handles<Event> events;
  std::map<void *, Function *> functions;
  double clock = 0;
  int misuses = 0;
  int overlapped = 0;

  /// Reports misuses by the program, and objects that it did not release.
  ~Driver() {
    if (misuses)
      std::fprintf(stderr, "fake cuda: refused: %d calls\n", misuses);
    if (retained || entered || modules.size() || events.size() ||
        !others.empty() || !memory.empty())
      std::fprintf(stderr,
                   "fake cuda: left behind: %zu contexts, %d entered, %zu "
                   "modules, %zu events, %zu buffers\n",
                   retained + others.size(), entered, modules.size(),
                   events.size(), memory.size());
  }

  bool isAlive(void *context) const {
    return context == &primary ? retained > 0
                               : others.count(static_cast<Context *>(context));
  }
};

Driver driver;

/// The contexts that this thread has entered; the last is current.
thread_local std::vector<Context *> entered;

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
  size_t before = address - it->first;
  return before <= it->second && bytes <= it->second - before;
}

/// Whether work of `context` may be issued to a stream: one of its own, or one
/// that each context has (null, CU_STREAM_LEGACY and CU_STREAM_PER_THREAD).
bool takesStream(const Context &context, void *stream) {
  return reinterpret_cast<uintptr_t>(stream) <= 2 ||
         (context.isPrimary && stream == fake::kCapturingStream);
}

/// Returns whether a call failed by a mistake of the caller.
bool isMisuse(int result) {
  static const std::set<int> misuses = {
      kInvalidValue,  kNotInitialized, kInvalidDevice,     kInvalidContext,
      kInvalidHandle, kOutOfResources, kCaptureUnsupported};
  return misuses.count(result);
}

/// Executes a call while no other one runs, and counts it if it is a misuse.
template <typename Call>
int answer(Call call) {
  std::lock_guard<std::mutex> lock(driver.mutex);
  int result = driver.isInitialized ? call() : kNotInitialized;
  driver.misuses += isMisuse(result);
  return result;
}

/// Executes a call in the current context.
template <typename Call>
int answerInContext(Call call) {
  return answer([&]() -> int {
    if (entered.empty() || !driver.isAlive(entered.back()))
      return kInvalidContext;
    Context &context = *entered.back();
    return context.hasToldOfFailure ? kLaunchFailed : call(context);
  });
}

/// Returns the result of a call that waits for kernels.
int tellOfFailure(Context &context) {
  context.hasToldOfFailure = context.hasFailed;
  return context.hasFailed ? kLaunchFailed : kSuccess;
}

/// Executes a call that releases an object. A context that has failed also
/// releases it, but the call returns the failure.
template <typename Call>
int answerInAnyContext(Call call) {
  return answer([&]() -> int {
    if (entered.empty() || !driver.isAlive(entered.back()))
      return kInvalidContext;
    int result = call(*entered.back());
    return entered.back()->hasToldOfFailure ? kLaunchFailed : result;
  });
}
} // namespace

#define FAKE_API extern "C" __attribute__((visibility("default"))) int

/// Returns the count of misuses so far.
FAKE_API fakeCudaCountMisuses() {
  std::lock_guard<std::mutex> lock(driver.mutex);
  return driver.misuses;
}

/// Returns the count of launches so far that did not wait for earlier ones.
FAKE_API fakeCudaCountOverlapped() {
  std::lock_guard<std::mutex> lock(driver.mutex);
  return driver.overlapped;
}

/// Reports the oldest driver that captures launches with attributes, or an
/// older one.
FAKE_API cuDriverGetVersion(int *version) {
  *version = isAskedToFail("version") ? 12020 : 12030;
  return kSuccess;
}

FAKE_API cuInit(unsigned flags) {
  driver.isInitialized = flags == 0 && !isAskedToFail("init");
  return driver.isInitialized ? kSuccess
         : flags != 0         ? kInvalidValue
                              : kNotInitialized;
}

//===----------------------------------------------------------------------===//
// Devices and contexts
//===----------------------------------------------------------------------===//

FAKE_API cuDeviceGetCount(int *count) {
  return answer([&] {
    *count = isAskedToFail("nodevice") ? 0 : 1;
    return kSuccess;
  });
}

FAKE_API cuDeviceGet(int *device, int ordinal) {
  return answer([&] {
    *device = ordinal;
    return ordinal == 0 ? kSuccess : kInvalidDevice;
  });
}

FAKE_API cuDeviceGetName(char *name, int length, int device) {
  return answer([&] {
    if (device != 0)
      return kInvalidDevice;
    std::snprintf(name, static_cast<size_t>(length), "Fake GPU");
    return kSuccess;
  });
}

FAKE_API cuDeviceGetAttribute(int *value, int attribute, int device) {
  return answer([&] {
    static const std::map<int, int> attributes = {
        {1, kMaxThreads}, {16, 132}, {75, 9}, {76, 0}, {97, kMaxShared}};
    auto it = attributes.find(attribute);
    if (device != 0 || it == attributes.end())
      return device != 0 ? kInvalidDevice : kInvalidValue;
    *value = it->second;
    return kSuccess;
  });
}

FAKE_API cuDevicePrimaryCtxRetain(void **context, int device) {
  return answer([&] {
    if (device != 0)
      return kInvalidDevice;
    ++driver.retained;
    driver.primary.isPrimary = true;
    *context = &driver.primary;
    return kSuccess;
  });
}

FAKE_API cuDevicePrimaryCtxRelease_v2(int device) {
  return answer([&] {
    if (device != 0 || driver.retained == 0)
      return device != 0 ? kInvalidDevice : kInvalidContext;
    // A context that has no users left is created again.
    if (--driver.retained == 0)
      driver.primary = Context();
    return kSuccess;
  });
}

/// Creates a context in addition to the primary one, and makes it current.
FAKE_API cuCtxCreate_v2(void **context, unsigned, int device) {
  return answer([&] {
    if (device != 0)
      return kInvalidDevice;
    auto *made = new Context();
    driver.others.insert(made);
    ++driver.entered;
    entered.push_back(made);
    *context = made;
    return kSuccess;
  });
}

FAKE_API cuCtxDestroy_v2(void *context) {
  return answer([&] {
    auto *found = static_cast<Context *>(context);
    if (driver.others.erase(found) == 0)
      return kInvalidContext;
    if (!entered.empty() && entered.back() == found) {
      --driver.entered;
      entered.pop_back();
    }
    delete found;
    return kSuccess;
  });
}

FAKE_API cuCtxPushCurrent_v2(void *context) {
  return answer([&] {
    if (!driver.isAlive(context))
      return kInvalidContext;
    ++driver.entered;
    entered.push_back(static_cast<Context *>(context));
    return kSuccess;
  });
}

FAKE_API cuCtxPopCurrent_v2(void **context) {
  return answer([&] {
    if (entered.empty())
      return kInvalidContext;
    --driver.entered;
    *context = entered.back();
    entered.pop_back();
    return kSuccess;
  });
}

FAKE_API cuCtxGetCurrent(void **context) {
  *context = entered.empty() ? nullptr : entered.back();
  return driver.isInitialized ? kSuccess : answer([] { return kSuccess; });
}

FAKE_API cuCtxSynchronize() { return answerInContext(tellOfFailure); }

//===----------------------------------------------------------------------===//
// Modules and functions
//===----------------------------------------------------------------------===//

FAKE_API cuModuleLoadData(void **module, const void *image) {
  return answerInContext([&](Context &context) {
    if (!image)
      return kInvalidValue;
    std::string text = static_cast<const char *>(image);
    if (text.rfind("fake cubin\n", 0) != 0)
      return kInvalidImage;
    *module = driver.modules.add({&context, text, {}});
    return kSuccess;
  });
}

FAKE_API cuModuleUnload(void *module) {
  return answerInAnyContext([&](Context &context) {
    Module *found = driver.modules.find(module, context);
    if (!found)
      return kInvalidHandle;
    for (auto &[name, function] : found->functions)
      driver.functions.erase(function.get());
    driver.modules.remove(module);
    return kSuccess;
  });
}

FAKE_API cuModuleGetFunction(void **function, void *module, const char *name) {
  return answerInContext([&](Context &context) {
    Module *found = driver.modules.find(module, context);
    if (!found)
      return kInvalidHandle;
    const fake::FakeKernel *kernel = fake::findKernel(name);
    if (found->image.find("\n" + std::string(name) + "\n") ==
            std::string::npos ||
        !kernel)
      return kNotFound;
    std::unique_ptr<Function> &made = found->functions[name];
    if (!made)
      made.reset(new Function{&context, kernel});
    driver.functions[made.get()] = made.get();
    *function = made.get();
    return kSuccess;
  });
}

/// Executes a call on a function of the current context.
template <typename Call>
static int answerOf(void *function, Call call) {
  return answerInContext([&](Context &context) -> int {
    auto it = driver.functions.find(function);
    return it == driver.functions.end() || it->second->context != &context
               ? kInvalidHandle
               : call(*it->second);
  });
}

FAKE_API cuFuncGetAttribute(int *value, int attribute, void *function) {
  return answerOf(function, [&](Function &found) {
    const std::map<int, int> attributes = {
        {0, kMaxThreadsOfFunction}, {1, 0}, {8, found.dynamicShared}};
    auto it = attributes.find(attribute);
    if (it == attributes.end())
      return kInvalidValue;
    *value = it->second;
    return kSuccess;
  });
}

FAKE_API cuFuncSetAttribute(void *function, int attribute, int value) {
  return answerOf(function, [&](Function &found) {
    bool isShared = attribute == 8 && value >= 0 && value <= kMaxShared;
    bool isCluster = attribute == 14 && (value == 0 || value == 1);
    if (isShared)
      found.dynamicShared = value;
    return isShared || isCluster ? kSuccess : kInvalidValue;
  });
}

/// Parameters lie one after the other, each at a multiple of its size.
static size_t findOffset(const std::vector<size_t> &sizes, size_t position) {
  size_t end = 0;
  for (size_t i = 0;; ++i) {
    size_t start = (end + sizes[i] - 1) / sizes[i] * sizes[i];
    if (i == position)
      return start;
    end = start + sizes[i];
  }
}

FAKE_API cuFuncGetParamInfo(void *function, size_t position, size_t *offset,
                            size_t *bytes) {
  return answerOf(function, [&](Function &found) {
    const std::vector<size_t> &sizes = found.kernel->parameterBytes;
    if (position >= sizes.size())
      return kInvalidValue;
    *offset = findOffset(sizes, position);
    *bytes = sizes[position];
    return kSuccess;
  });
}

FAKE_API cuFuncGetParamCount(void *function, size_t *count) {
  return answerOf(function, [&](Function &found) {
    *count = found.kernel->parameterBytes.size();
    return kSuccess;
  });
}

/// Considers only the limit of threads per multiprocessor.
FAKE_API cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks,
                                                     void *function,
                                                     int threads, size_t) {
  return answerOf(function, [&](Function &) {
    if (threads <= 0)
      return kInvalidValue;
    *blocks = 2048 / threads;
    return kSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

FAKE_API cuMemAlloc_v2(Address *address, size_t bytes) {
  return answerInContext([&](Context &) {
    void *memory = nullptr;
    if (bytes == 0)
      return kInvalidValue;
    if (isAskedToFail("memory") || posix_memalign(&memory, 256, bytes) != 0)
      return kOutOfMemory;
    std::memset(memory, 0xcd, bytes);
    *address = reinterpret_cast<uintptr_t>(memory);
    driver.memory[*address] = bytes;
    return kSuccess;
  });
}

FAKE_API cuMemFree_v2(Address address) {
  return answerInAnyContext([&](Context &) {
    if (driver.memory.erase(address) == 0)
      return kInvalidValue;
    std::free(reinterpret_cast<void *>(address));
    return kSuccess;
  });
}

FAKE_API cuMemcpyHtoD_v2(Address dest, const void *source, size_t bytes) {
  return answerInContext([&](Context &) {
    if (!source || !isInMemory(dest, bytes))
      return kInvalidValue;
    std::memcpy(reinterpret_cast<void *>(dest), source, bytes);
    return kSuccess;
  });
}

FAKE_API cuMemcpyDtoH_v2(void *dest, Address source, size_t bytes) {
  return answerInContext([&](Context &context) -> int {
    if (!dest || !isInMemory(source, bytes))
      return kInvalidValue;
    std::memcpy(dest, reinterpret_cast<void *>(source), bytes);
    return tellOfFailure(context);
  });
}

FAKE_API cuMemcpyDtoDAsync_v2(Address dest, Address source, size_t bytes,
                              void *stream) {
  return answerInContext([&](Context &context) {
    if (!takesStream(context, stream))
      return kInvalidHandle;
    if (!isInMemory(source, bytes) || !isInMemory(dest, bytes))
      return kInvalidValue;
    std::memcpy(reinterpret_cast<void *>(dest),
                reinterpret_cast<void *>(source), bytes);
    return kSuccess;
  });
}

FAKE_API cuMemsetD8Async(Address dest, unsigned char value, size_t count,
                         void *stream) {
  return answerInContext([&](Context &context) {
    if (!takesStream(context, stream))
      return kInvalidHandle;
    if (!isInMemory(dest, count))
      return kInvalidValue;
    std::memset(reinterpret_cast<void *>(dest), value, count);
    return kSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Launches and streams
//===----------------------------------------------------------------------===//

static bool isGrid(unsigned x, unsigned y, unsigned z) {
  return x - 1 < INT_MAX && y - 1 < kMaxGridAlongYZ && z - 1 < kMaxGridAlongYZ;
}

static bool isBlock(unsigned x, unsigned y, unsigned z) {
  return x - 1 < kMaxThreads && y - 1 < kMaxThreads &&
         z - 1 < kMaxThreadsAlongZ && x * y * z <= kMaxThreads;
}

/// Returns whether `parameters` has a pointer for each parameter; `extra`, the
/// other way to pass them, is not supported.
static bool hasParameters(const fake::FakeKernel &kernel, void **parameters,
                          void **extra) {
  if (extra || !parameters)
    return false;
  for (size_t i = 0; i < kernel.parameterBytes.size(); ++i)
    if (!parameters[i])
      return false;
  return true;
}

static int launch(void *function, unsigned gridX, unsigned gridY,
                  unsigned gridZ, unsigned blockX, unsigned blockY,
                  unsigned blockZ, unsigned sharedBytes, void *stream,
                  void **parameters, void **extra) {
  return answerOf(function, [&](Function &found) {
    const fake::FakeKernel &kernel = *found.kernel;
    if (!takesStream(*found.context, stream))
      return kInvalidHandle;
    if (!isGrid(gridX, gridY, gridZ) || !isBlock(blockX, blockY, blockZ) ||
        sharedBytes > unsigned(found.dynamicShared) ||
        !hasParameters(kernel, parameters, extra))
      return kInvalidValue;
    if (blockX * blockY * blockZ > kMaxThreadsOfFunction)
      return kOutOfResources;
    if (isAskedToFail("launch"))
      found.context->hasFailed = true;
    if (std::string(kernel.name) == "fail")
      return kUnknown;
    kernel.run(fake::Parameters(parameters), {gridX, gridY, gridZ},
               {blockX, blockY, blockZ});
    driver.clock += 12.5;
    return kSuccess;
  });
}

FAKE_API cuLaunchKernel(void *function, unsigned gridX, unsigned gridY,
                        unsigned gridZ, unsigned blockX, unsigned blockY,
                        unsigned blockZ, unsigned sharedBytes, void *stream,
                        void **parameters, void **extra) {
  return launch(function, gridX, gridY, gridZ, blockX, blockY, blockZ,
                sharedBytes, stream, parameters, extra);
}

namespace {
/// LaunchAttribute and LaunchConfig are CUlaunchAttribute and CUlaunchConfig.
struct LaunchAttribute {
  int id;
  char padding[4];
  int value;
  char rest[60];
};
struct LaunchConfig {
  unsigned grid[3], block[3], sharedBytes;
  void *stream;
  const LaunchAttribute *attributes;
  unsigned count;
};
} // namespace

/// Takes at most one attribute, which lets the launch overlap earlier ones.
FAKE_API cuLaunchKernelEx(const LaunchConfig *config, void *function,
                          void **parameters, void **extra) {
  constexpr int kProgrammaticSerialization = 6;
  if (config->count > 1 ||
      (config->count == 1 &&
       (config->attributes->id != kProgrammaticSerialization ||
        config->attributes->value != 1)))
    return kInvalidValue;
  int result =
      launch(function, config->grid[0], config->grid[1], config->grid[2],
             config->block[0], config->block[1], config->block[2],
             config->sharedBytes, config->stream, parameters, extra);
  if (result == kSuccess && config->count == 1) {
    std::lock_guard<std::mutex> lock(driver.mutex);
    ++driver.overlapped;
  }
  return result;
}

FAKE_API cuStreamSynchronize(void *stream) {
  return answerInContext([&](Context &context) -> int {
    if (!takesStream(context, stream))
      return kInvalidHandle;
    return stream == fake::kCapturingStream ? kCaptureUnsupported
                                            : tellOfFailure(context);
  });
}

FAKE_API cuStreamIsCapturing(void *stream, int *status) {
  return answerInContext([&](Context &context) {
    if (!takesStream(context, stream))
      return kInvalidHandle;
    *status = stream == fake::kCapturingStream;
    return kSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

FAKE_API cuEventCreate(void **event, unsigned) {
  return answerInContext([&](Context &context) {
    *event = driver.events.add({&context});
    return kSuccess;
  });
}

FAKE_API cuEventDestroy_v2(void *event) {
  return answerInAnyContext([&](Context &context) {
    if (!driver.events.find(event, context))
      return kInvalidHandle;
    driver.events.remove(event);
    return kSuccess;
  });
}

FAKE_API cuEventRecord(void *event, void *stream) {
  return answerInContext([&](Context &context) {
    Event *found = driver.events.find(event, context);
    if (!found || !takesStream(context, stream))
      return kInvalidHandle;
    found->microseconds = driver.clock;
    return kSuccess;
  });
}

FAKE_API cuEventSynchronize(void *event) {
  return answerInContext([&](Context &context) -> int {
    return driver.events.find(event, context) ? tellOfFailure(context)
                                              : kInvalidHandle;
  });
}

FAKE_API cuEventElapsedTime(float *milliseconds, void *start, void *end) {
  return answerInContext([&](Context &context) {
    Event *first = driver.events.find(start, context);
    Event *last = driver.events.find(end, context);
    if (!first || !last || first->microseconds < 0 || last->microseconds < 0)
      return kInvalidHandle;
    *milliseconds =
        static_cast<float>((last->microseconds - first->microseconds) / 1000);
    return kSuccess;
  });
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

namespace {
struct ErrorText {
  const char *name, *text;
};

const ErrorText *findError(int code) {
  constexpr const char *kAsked = "as the fake driver was asked";
  static const std::map<int, ErrorText> errors = {
      {kInvalidValue, {"CUDA_ERROR_INVALID_VALUE", "a wrong argument"}},
      {kOutOfMemory, {"CUDA_ERROR_OUT_OF_MEMORY", kAsked}},
      {kNotInitialized, {"CUDA_ERROR_NOT_INITIALIZED", kAsked}},
      {kInvalidDevice, {"CUDA_ERROR_INVALID_DEVICE", "another device"}},
      {kInvalidImage, {"CUDA_ERROR_INVALID_IMAGE", kAsked}},
      {kInvalidContext, {"CUDA_ERROR_INVALID_CONTEXT", "no current context"}},
      {kInvalidHandle,
       {"CUDA_ERROR_INVALID_HANDLE", "destroyed, or of another context"}},
      {kNotFound, {"CUDA_ERROR_NOT_FOUND", kAsked}},
      {kOutOfResources,
       {"CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many threads"}},
      {kLaunchFailed, {"CUDA_ERROR_LAUNCH_FAILED", kAsked}},
      {kCaptureUnsupported,
       {"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "in a capture"}},
      {kUnknown, {"CUDA_ERROR_UNKNOWN", kAsked}}};
  auto it = errors.find(code);
  return it == errors.end() ? nullptr : &it->second;
}
} // namespace

FAKE_API cuGetErrorName(int result, const char **name) {
  const ErrorText *error = findError(result);
  *name = error ? error->name : nullptr;
  return error ? kSuccess : kInvalidValue;
}

FAKE_API cuGetErrorString(int result, const char **text) {
  const ErrorText *error = findError(result);
  *text = error ? error->text : nullptr;
  return error ? kSuccess : kInvalidValue;
}
