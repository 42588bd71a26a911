// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver refuses the calls that CUDA's refuses. It does not refuse
// mistakes that it cannot detect: kernels with pointers to the host's memory,
// and allocations that a capture forbids.

#include "Fakes/FakeDriver.h"
#include "Fakes/FakeKernels.h"

#include <stdlib.h>

namespace {
constexpr int kGood = 0, kInvalidValue = 1, kInvalidDevice = 101,
              kInvalidContext = 201, kInvalidHandle = 400,
              kOutOfResources = 701, kCaptureUnsupported = 900;

/// A program that calls the driver by itself, with the kernel `negate` loaded.
class FakeCuda : public ::testing::Test {
protected:
  void SetUp() override {
    expectGood("cuModuleLoadData", &module, image);
    expectGood("cuModuleGetFunction", &function, module, "negate");
    expectGood("cuMemAlloc_v2", &memory, size_t(64));
    expectGood("cuEventCreate", &event, 0u);
  }
  void TearDown() override {
    expectGood("cuEventDestroy_v2", event);
    expectGood("cuMemFree_v2", memory);
    expectGood("cuModuleUnload", module);
  }

  template <typename... Args>
  void expectGood(const char *name, Args... args) {
    EXPECT_EQ(callFakeDriver(name, args...), kGood) << name;
  }
  template <typename... Args>
  void refuse(int code, const char *name, Args... args) {
    EXPECT_EQ(callFakeDriver(name, args...), code) << name;
    driver.expectMisuses(1);
  }

  /// Arguments of a launch.
  struct Launch {
    void *function;
    unsigned grid[3] = {1, 1, 1}, block[3] = {32, 1, 1}, shared = 0;
    void *stream = nullptr;
    void **parameters, **extra = nullptr;
  };
  /// Returns the code of a launch with arguments modified by `change`.
  template <typename Change>
  int launch(Change change) {
    void *parameters[] = {&memory, &size, &memory, &size};
    Launch call = {function};
    call.parameters = parameters;
    change(call);
    return callFakeDriver("cuLaunchKernel", call.function, call.grid[0],
                          call.grid[1], call.grid[2], call.block[0],
                          call.block[1], call.block[2], call.shared,
                          call.stream, call.parameters, call.extra);
  }

  FakeDriver driver;
  CurrentContext context;
  const void *image = "fake cubin\nnegate\n";
  void *module = nullptr, *function = nullptr, *event = nullptr;
  unsigned long long memory = 0;
  int64_t size = 0;
};
} // namespace

TEST_F(FakeCuda, LaunchesWhatIsRight) {
  EXPECT_EQ(launch([](Launch &) {}), kGood);
  EXPECT_EQ(launch([](Launch &l) { l.stream = fake::kCapturingStream; }),
            kGood);
  EXPECT_EQ(launch([](Launch &l) { l.shared = 49152; }), kGood);
  expectGood("cuFuncSetAttribute", function, 8, 232448);
  EXPECT_EQ(launch([](Launch &l) { l.shared = 232448; }), kGood);
}

TEST_F(FakeCuda, RefusesLaunches) {
  auto refused = [&](int code, auto change) {
    EXPECT_EQ(launch(change), code);
    driver.expectMisuses(1);
  };
  refused(kInvalidValue, [](Launch &l) { l.grid[0] = 0; });
  refused(kInvalidValue, [](Launch &l) { l.grid[0] = 1u << 31; });
  refused(kInvalidValue, [](Launch &l) { l.grid[1] = 65536; });
  refused(kInvalidValue, [](Launch &l) { l.block[0] = 2048; });
  refused(kInvalidValue, [](Launch &l) { l.block[2] = 65; });
  refused(kOutOfResources, [](Launch &l) { l.block[0] = 512; });
  refused(kInvalidValue, [](Launch &l) { l.shared = 49153; });
  refused(kInvalidValue, [](Launch &l) { l.parameters = nullptr; });
  refused(kInvalidValue, [](Launch &l) { l.parameters[3] = nullptr; });
  refused(kInvalidValue, [](Launch &l) { l.extra = l.parameters; });
  refused(kInvalidHandle, [](Launch &l) { l.stream = fake::kForeignStream; });
  refused(kInvalidHandle, [](Launch &l) { l.function = nullptr; });
}

TEST_F(FakeCuda, RefusesAttributesAndParameters) {
  int value = 0;
  size_t offset = 0, bytes = 0;
  refuse(kInvalidValue, "cuFuncGetAttribute", &value, 77, function);
  refuse(kInvalidValue, "cuFuncSetAttribute", function, 0, 1024);
  refuse(kInvalidValue, "cuFuncSetAttribute", function, 8, 232449);
  refuse(kInvalidValue, "cuFuncGetParamInfo", function, size_t(4), &offset,
         &bytes);
  expectGood("cuFuncGetParamInfo", function, size_t(3), &offset, &bytes);
  EXPECT_EQ(offset, 24u);
  refuse(kInvalidValue, "cuOccupancyMaxActiveBlocksPerMultiprocessor", &value,
         function, 0, size_t(0));
  refuse(kInvalidDevice, "cuDeviceGet", &value, 1);
  refuse(kInvalidDevice, "cuDeviceGetAttribute", &value, 16, 1);
  refuse(kInvalidValue, "cuDeviceGetAttribute", &value, 1000, 0);
}

TEST_F(FakeCuda, RefusesMemoryThatItDoesNotHave) {
  char host[65] = {};
  const void *source = host;
  void *dest = host, *stream = nullptr;
  unsigned long long made = 0;
  refuse(kInvalidValue, "cuMemAlloc_v2", &made, size_t(0));
  refuse(kInvalidValue, "cuMemFree_v2", memory + 1);
  refuse(kInvalidValue, "cuMemcpyHtoD_v2", memory, source, size_t(65));
  refuse(kInvalidValue, "cuMemcpyHtoD_v2", memory + 60, source, size_t(5));
  refuse(kInvalidValue, "cuMemcpyHtoD_v2", memory, source, ~size_t(0));
  refuse(kInvalidValue, "cuMemcpyDtoH_v2", dest, memory - 1, size_t(1));
  refuse(kInvalidValue, "cuMemcpyDtoH_v2", static_cast<void *>(nullptr), memory,
         size_t(1));
  refuse(kInvalidValue, "cuMemcpyDtoDAsync_v2", memory + 1, memory, size_t(64),
         stream);
  refuse(kInvalidValue, "cuMemsetD8Async", memory,
         static_cast<unsigned char>(0), size_t(65), stream);
  refuse(kInvalidHandle, "cuMemsetD8Async", memory,
         static_cast<unsigned char>(0), size_t(64), fake::kForeignStream);
}

TEST_F(FakeCuda, RefusesStreamsAndEvents) {
  int status = 0;
  float time = 0;
  void *destroyed = nullptr;
  refuse(kCaptureUnsupported, "cuStreamSynchronize", fake::kCapturingStream);
  refuse(kInvalidHandle, "cuStreamSynchronize", fake::kForeignStream);
  refuse(kInvalidHandle, "cuStreamIsCapturing", fake::kForeignStream, &status);
  refuse(kInvalidHandle, "cuEventRecord", event, fake::kForeignStream);
  refuse(kInvalidHandle, "cuEventElapsedTime", &time, event, event);
  expectGood("cuEventCreate", &destroyed, 0u);
  expectGood("cuEventDestroy_v2", destroyed);
  refuse(kInvalidHandle, "cuEventDestroy_v2", destroyed);
  refuse(kInvalidHandle, "cuEventSynchronize", destroyed);
}

TEST_F(FakeCuda, RefusesFunctionsOfAModuleThatIsUnloaded) {
  void *other = nullptr, *ofOther = nullptr;
  int value = 0;
  expectGood("cuModuleLoadData", &other, image);
  expectGood("cuModuleGetFunction", &ofOther, other, "negate");
  expectGood("cuModuleUnload", other);
  refuse(kInvalidHandle, "cuModuleUnload", other);
  refuse(kInvalidHandle, "cuModuleGetFunction", &ofOther, other, "negate");
  refuse(kInvalidHandle, "cuFuncGetAttribute", &value, 0, ofOther);
  EXPECT_EQ(launch([&](Launch &l) { l.function = ofOther; }), kInvalidHandle);
  driver.expectMisuses(1);
}

TEST_F(FakeCuda, RefusesWhatIsOfAnotherContext) {
  OtherContext other;
  int value = 0;
  refuse(kInvalidHandle, "cuFuncGetAttribute", &value, 0, function);
  refuse(kInvalidHandle, "cuModuleUnload", module);
  refuse(kInvalidHandle, "cuEventRecord", event, static_cast<void *>(nullptr));
  refuse(kInvalidHandle, "cuStreamIsCapturing", fake::kCapturingStream, &value);
}

// A failed context refuses all calls, until it is released.
TEST(FakeCudaAfterAFailure, RefusesAll) {
  for (int failure : {719, kGood}) {
    CurrentContext context;
    unsigned long long memory = 0;
    void *module = nullptr, *function = nullptr;
    const void *image = "fake cubin\nnothing\n";
    ASSERT_EQ(callFakeDriver("cuModuleLoadData", &module, image), kGood);
    ASSERT_EQ(
        callFakeDriver("cuModuleGetFunction", &function, module, "nothing"),
        kGood);
    if (failure)
      setenv("TILE_FAKE_CUDA", "launch", 1);
    void *parameters[] = {&memory};
    EXPECT_EQ(callFakeDriver("cuLaunchKernel", function, 1u, 1u, 1u, 1u, 1u, 1u,
                             0u, static_cast<void *>(nullptr),
                             static_cast<void **>(parameters),
                             static_cast<void **>(nullptr)),
              kGood);
    unsetenv("TILE_FAKE_CUDA");
    EXPECT_EQ(callFakeDriver("cuCtxSynchronize"), failure);
    EXPECT_EQ(callFakeDriver("cuMemAlloc_v2", &memory, size_t(8)), failure);
    EXPECT_EQ(callFakeDriver("cuModuleUnload", module), failure);
    if (!failure) {
      EXPECT_EQ(callFakeDriver("cuMemFree_v2", memory), kGood);
    }
  }
}

// Only calls that query devices and the current context need no context.
TEST(FakeCudaWithoutContext, RefusesAll) {
  FakeDriver driver;
  ASSERT_EQ(callFakeDriver("cuInit", 0u), kGood);
  void *handle = nullptr;
  const void *image = "fake cubin\n";
  int value = 0;
  size_t bytes = 0;
  unsigned long long memory = 0;
  float time = 0;
  char host = 0;
  auto refuse = [&](const char *name, auto... args) {
    EXPECT_EQ(callFakeDriver(name, args...), kInvalidContext) << name;
    driver.expectMisuses(1);
  };
  refuse("cuCtxSynchronize");
  refuse("cuCtxPopCurrent_v2", &handle);
  refuse("cuCtxPushCurrent_v2", handle);
  refuse("cuModuleLoadData", &handle, image);
  refuse("cuModuleUnload", handle);
  refuse("cuModuleGetFunction", &handle, handle, "negate");
  refuse("cuFuncGetAttribute", &value, 0, handle);
  refuse("cuFuncSetAttribute", handle, 8, 0);
  refuse("cuFuncGetParamInfo", handle, size_t(0), &bytes, &bytes);
  refuse("cuFuncGetParamCount", handle, &bytes);
  refuse("cuMemAlloc_v2", &memory, size_t(1));
  refuse("cuMemFree_v2", memory);
  refuse("cuMemcpyHtoD_v2", memory, static_cast<const void *>(&host),
         size_t(1));
  refuse("cuMemcpyDtoH_v2", static_cast<void *>(&host), memory, size_t(1));
  refuse("cuMemcpyDtoDAsync_v2", memory, memory, size_t(1), handle);
  refuse("cuMemsetD8Async", memory, static_cast<unsigned char>(0), size_t(1),
         handle);
  refuse("cuLaunchKernel", handle, 1u, 1u, 1u, 1u, 1u, 1u, 0u, handle,
         static_cast<void **>(nullptr), static_cast<void **>(nullptr));
  refuse("cuOccupancyMaxActiveBlocksPerMultiprocessor", &value, handle, 32,
         size_t(0));
  refuse("cuStreamSynchronize", handle);
  refuse("cuStreamIsCapturing", handle, &value);
  refuse("cuEventCreate", &handle, 0u);
  refuse("cuEventDestroy_v2", handle);
  refuse("cuEventRecord", handle, handle);
  refuse("cuEventSynchronize", handle);
  refuse("cuEventElapsedTime", &time, handle, handle);
}
