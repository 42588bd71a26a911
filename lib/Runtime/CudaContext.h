// CudaContext.h - the context of a device, and the modules loaded in it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_RUNTIME_CUDACONTEXT_H
#define TILE_LIB_RUNTIME_CUDACONTEXT_H

#include "CudaDriver.h"
#include "tile/Runtime/KernelMetadata.h"

#include <memory>
#include <string>
#include <vector>

namespace tile::runtime {

/// The primary context of a device, which this object retains while it exists.
struct CudaContext {
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
  int multiprocessors = 0;
};

/// Makes a context the current one of this thread during a scope. If it already
/// is, as in programs that call the driver or the CUDA runtime themselves, the
/// constructor only queries the current context, which takes less time than
/// making it current. Functions of the driver that need a context are called
/// through a scope, so that they cannot be called without one.
class ContextScope {
public:
  explicit ContextScope(const CudaContext &context)
      : ContextScope(context.driver, context.handle) {}
  ContextScope(const CudaDriver &driver, CudaHandle context) : driver(driver) {
    CudaHandle current = nullptr;
    isCurrent = driver.ctxGetCurrent(&current) == 0 && current == context;
    if (!isCurrent)
      result = driver.ctxPushCurrent(context);
  }
  ContextScope(const ContextScope &) = delete;
  ContextScope &operator=(const ContextScope &) = delete;
  ~ContextScope() {
    CudaHandle popped;
    if (!isCurrent && result == 0)
      driver.ctxPopCurrent(&popped);
  }

  const CudaDriver &getDriver() const { return driver; }
  Status getStatus() const { return driver.check(result, "cuCtxPushCurrent"); }

private:
  const CudaDriver &driver;
  bool isCurrent;
  CudaResult result = 0;
};

/// A binary that the driver has loaded.
struct CudaImage {
  explicit CudaImage(std::shared_ptr<CudaContext> context)
      : context(std::move(context)) {}
  CudaImage(const CudaImage &) = delete;
  CudaImage &operator=(const CudaImage &) = delete;
  ~CudaImage() {
    if (!handle)
      return;
    ContextScope scope(*context);
    scope.getDriver().moduleUnload(handle);
  }

  std::shared_ptr<CudaContext> context;
  CudaHandle handle = nullptr;
};

/// A kernel of a binary.
struct CudaKernel {
  CudaKernel(std::shared_ptr<const CudaImage> image,
             const KernelMetadata &kernel)
      : image(std::move(image)), metadata(kernel) {}

  const CudaContext &getContext() const { return *image->context; }

  std::shared_ptr<const CudaImage> image;
  KernelMetadata metadata;
  /// The driver's function for each entry point.
  std::vector<CudaHandle> functions;
};

} // namespace tile::runtime

/// Calls a function of the driver, and returns its error if it fails.
#define TILE_DRIVER_TRY(DRIVER, MEMBER, NAME, ...)                             \
  if (Status status = (DRIVER).check((DRIVER).MEMBER(__VA_ARGS__), NAME);      \
      !status)                                                                 \
  return status.takeError()

/// Calls the driver in the context of a ContextScope.
#define TILE_CUDA_TRY(SCOPE, MEMBER, NAME, ...)                                \
  TILE_DRIVER_TRY((SCOPE).getDriver(), MEMBER, NAME, __VA_ARGS__)

/// Enters `CONTEXT` until the end of the scope, or returns the error.
#define TILE_CUDA_ENTER(CONTEXT)                                               \
  ContextScope scope(CONTEXT);                                                 \
  if (Status status = scope.getStatus(); !status)                              \
  return status.takeError()

#endif // TILE_LIB_RUNTIME_CUDACONTEXT_H
