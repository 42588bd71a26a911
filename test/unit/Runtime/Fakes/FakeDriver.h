// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===- FakeDriver.h - make the fake driver the driver -----------*- C++ -*-===//

#ifndef TILE_TEST_UNIT_RUNTIME_FAKEDRIVER_H
#define TILE_TEST_UNIT_RUNTIME_FAKEDRIVER_H

#include <gtest/gtest.h>

#include <dlfcn.h>

/// Loads the fake driver; the loader then uses it for any later
/// "libcuda.so.1", which is its name (soname).
inline void *openFakeDriver() {
  void *library = dlopen(TILE_RUNTIME_FAKES_DIR "/libcuda.so.1", RTLD_NOW);
  EXPECT_NE(library, nullptr) << dlerror();
  return library;
}

/// Calls a function of the driver and returns its CUresult.
template <typename... Args>
int callFakeDriver(const char *name, Args... args) {
  void *function = dlsym(openFakeDriver(), name);
  return reinterpret_cast<int (*)(Args...)>(function)(args...);
}

/// Makes the fake driver the driver of a test, and expects that it refuses no
/// call.
class FakeDriver {
public:
  FakeDriver() : misuses(callFakeDriver("fakeCudaCountMisuses")) {}
  ~FakeDriver() { expectMisuses(0); }

  /// Expects `count` refused calls since the last check.
  void expectMisuses(int count) {
    int before = misuses;
    misuses = callFakeDriver("fakeCudaCountMisuses");
    EXPECT_EQ(misuses - before, count);
  }

private:
  int misuses;
};

/// Acts as a program that has made a context current itself.
class CurrentContext {
public:
  /// Makes the device's primary context current.
  CurrentContext() {
    EXPECT_EQ(callFakeDriver("cuInit", 0u), 0);
    EXPECT_EQ(callFakeDriver("cuDevicePrimaryCtxRetain", &context, 0), 0);
    EXPECT_EQ(callFakeDriver("cuCtxPushCurrent_v2", context), 0);
  }
  ~CurrentContext() {
    void *popped;
    EXPECT_EQ(callFakeDriver("cuCtxPopCurrent_v2", &popped), 0);
    EXPECT_EQ(popped, context);
    EXPECT_EQ(callFakeDriver("cuDevicePrimaryCtxRelease_v2", 0), 0);
  }

private:
  void *context = nullptr;
};

/// Acts as a program that has its own context next to the device's primary one.
class OtherContext {
public:
  OtherContext() {
    EXPECT_EQ(callFakeDriver("cuInit", 0u), 0);
    EXPECT_EQ(callFakeDriver("cuCtxCreate_v2", &context, 0u, 0), 0);
  }
  /// Expects that it is still the current one.
  ~OtherContext() {
    void *current = nullptr;
    EXPECT_EQ(callFakeDriver("cuCtxGetCurrent", &current), 0);
    EXPECT_EQ(current, context);
    EXPECT_EQ(callFakeDriver("cuCtxDestroy_v2", context), 0);
  }

private:
  void *context = nullptr;
};

#endif // TILE_TEST_UNIT_RUNTIME_FAKEDRIVER_H
