// CudaDriver.cpp - find and open libcuda
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaDriver.h"

#include <cstring>

#include <dlfcn.h>

using namespace tile::runtime;

static constexpr char kLibrary[] = "libcuda.so.1";

Error CudaDriver::describe(CudaResult result, const char *function) const {
  const char *name = nullptr, *text = nullptr;
  if (getErrorName(result, &name) != 0 || !name)
    name = "unknown error";
  if (getErrorString(result, &text) != 0 || !text)
    text = "no description";
  return runtimeError(function, ": ", name, " (", text, ")");
}

/// Sets `function` to the symbol called `name`.
template <typename Function>
static bool resolve(void *library, const char *name, Function &function) {
  void *symbol = dlsym(library, name);
  static_assert(sizeof symbol == sizeof function, "POSIX");
  std::memcpy(&function, &symbol, sizeof symbol);
  return symbol != nullptr;
}

/// Fills in the table of functions. Returns the name of a function that is
/// missing, or null. The names have the suffixes that the macros of cuda.h
/// append.
static const char *resolveAll(void *library, CudaDriver &driver) {
  resolve(library, "cuFuncGetParamInfo", driver.funcGetParamInfo);
  resolve(library, "cuFuncGetParamCount", driver.funcGetParamCount);
  resolve(library, "cuLaunchKernelEx", driver.launchKernelEx);
#define TILE_RESOLVE(NAME, MEMBER)                                             \
  if (!resolve(library, NAME, driver.MEMBER))                                  \
    return NAME;
  TILE_RESOLVE("cuInit", init)
  TILE_RESOLVE("cuDriverGetVersion", driverGetVersion)
  TILE_RESOLVE("cuDeviceGetCount", deviceGetCount)
  TILE_RESOLVE("cuDeviceGet", deviceGet)
  TILE_RESOLVE("cuDeviceGetName", deviceGetName)
  TILE_RESOLVE("cuDeviceGetAttribute", deviceGetAttribute)
  TILE_RESOLVE("cuDevicePrimaryCtxRetain", devicePrimaryCtxRetain)
  TILE_RESOLVE("cuDevicePrimaryCtxRelease_v2", devicePrimaryCtxRelease)
  TILE_RESOLVE("cuCtxPushCurrent_v2", ctxPushCurrent)
  TILE_RESOLVE("cuCtxPopCurrent_v2", ctxPopCurrent)
  TILE_RESOLVE("cuCtxGetCurrent", ctxGetCurrent)
  TILE_RESOLVE("cuCtxSynchronize", ctxSynchronize)
  TILE_RESOLVE("cuModuleLoadData", moduleLoadData)
  TILE_RESOLVE("cuModuleUnload", moduleUnload)
  TILE_RESOLVE("cuModuleGetFunction", moduleGetFunction)
  TILE_RESOLVE("cuFuncGetAttribute", funcGetAttribute)
  TILE_RESOLVE("cuFuncSetAttribute", funcSetAttribute)
  TILE_RESOLVE("cuMemAlloc_v2", memAlloc)
  TILE_RESOLVE("cuMemFree_v2", memFree)
  TILE_RESOLVE("cuMemcpyHtoD_v2", memcpyHtoD)
  TILE_RESOLVE("cuMemcpyDtoH_v2", memcpyDtoH)
  TILE_RESOLVE("cuMemcpyDtoDAsync_v2", memcpyDtoDAsync)
  TILE_RESOLVE("cuMemsetD8Async", memsetD8Async)
  TILE_RESOLVE("cuLaunchKernel", launchKernel)
  TILE_RESOLVE("cuOccupancyMaxActiveBlocksPerMultiprocessor",
               occupancyMaxActiveBlocks)
  TILE_RESOLVE("cuStreamSynchronize", streamSynchronize)
  TILE_RESOLVE("cuStreamIsCapturing", streamIsCapturing)
  TILE_RESOLVE("cuEventCreate", eventCreate)
  TILE_RESOLVE("cuEventDestroy_v2", eventDestroy)
  TILE_RESOLVE("cuEventRecord", eventRecord)
  TILE_RESOLVE("cuEventSynchronize", eventSynchronize)
  TILE_RESOLVE("cuEventElapsedTime", eventElapsedTime)
  TILE_RESOLVE("cuGetErrorName", getErrorName)
  TILE_RESOLVE("cuGetErrorString", getErrorString)
#undef TILE_RESOLVE
  return nullptr;
}

static Result<const CudaDriver *> openDriver() {
  // The library is never closed, since the driver does not support this.
  void *library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return runtimeError("no GPU driver: ", dlerror());
  static CudaDriver driver;
  if (const char *missing = resolveAll(library, driver))
    return runtimeError("expected a driver of CUDA 11 or later, found no ",
                        missing, " in ", kLibrary);
  if (Status status = driver.check(driver.init(0), "cuInit"); !status)
    return status.takeError();
  int version = 0;
  constexpr int kCapturesAttributes = 12030;
  if (driver.driverGetVersion(&version) != 0 || version < kCapturesAttributes)
    driver.launchKernelEx = nullptr;
  return &driver;
}

Result<const CudaDriver *> tile::runtime::getCudaDriver() {
  static const Result<const CudaDriver *> driver = openDriver();
  return driver;
}
