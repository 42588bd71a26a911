// CudaDriver.h - declarations of the functions of libcuda that are called
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The header does not include cuda.h, and CudaDriver.cpp opens the library at
// run time, so that a program can be built and started without CUDA. Types and
// constants are those of the CUDA Driver API reference, whose opaque pointers
// are void pointers here.

#ifndef TILE_LIB_RUNTIME_CUDADRIVER_H
#define TILE_LIB_RUNTIME_CUDADRIVER_H

#include "tile/Runtime/Result.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace tile::runtime {

/// CUresult; 0 is success.
using CudaResult = int;
/// CUdevice and CUdeviceptr.
using CudaOrdinal = int;
using CudaAddress = unsigned long long;
/// CUcontext, CUmodule, CUfunction, CUevent, CUstream.
using CudaHandle = void *;

/// CUdevice_attribute.
enum CudaDeviceAttribute {
  kMaxThreadsPerBlock = 1,
  kMultiprocessorCount = 16,
  kComputeCapabilityMajor = 75,
  kComputeCapabilityMinor = 76,
  kMaxSharedMemoryPerBlockOptin = 97,
};

/// CUfunction_attribute.
enum CudaFunctionAttribute {
  kFunctionMaxThreadsPerBlock = 0,
  kFunctionSharedBytes = 1,
  kFunctionMaxDynamicSharedBytes = 8,
  kFunctionNonPortableClusterSize = 14,
};

/// CudaLaunchAttribute is a CUlaunchAttribute with the member of
/// CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION.
struct alignas(8) CudaLaunchAttribute {
  static constexpr int kProgrammaticSerialization = 6;

  int id = 0;
  char padding[4] = {};
  union {
    int isAllowed;
    char bytes[64];
  };
};

/// CudaLaunchConfig is a CUlaunchConfig.
struct CudaLaunchConfig {
  std::array<unsigned, 3> grid;
  std::array<unsigned, 3> block;
  unsigned sharedBytes;
  CudaHandle stream;
  CudaLaunchAttribute *attributes;
  unsigned numAttributes;
};

/// The functions of the driver, each called as the reference specifies.
struct alignas(64) CudaDriver {
  /// The functions that every launch calls come first, in one cache line.
  CudaResult (*ctxGetCurrent)(CudaHandle *context);
  CudaResult (*launchKernel)(CudaHandle function, unsigned gridX,
                             unsigned gridY, unsigned gridZ, unsigned blockX,
                             unsigned blockY, unsigned blockZ,
                             unsigned sharedBytes, CudaHandle stream,
                             void **parameters, void **extra);
  /// This function is null in drivers older than CUDA 12.3, which cannot
  /// capture all launches with attributes in graphs.
  CudaResult (*launchKernelEx)(const CudaLaunchConfig *config,
                               CudaHandle function, void **parameters,
                               void **extra);
  CudaResult (*memsetD8Async)(CudaAddress dest, unsigned char value,
                              size_t count, CudaHandle stream);

  CudaResult (*init)(unsigned flags);
  CudaResult (*driverGetVersion)(int *version);
  CudaResult (*deviceGetCount)(int *count);
  CudaResult (*deviceGet)(CudaOrdinal *device, int ordinal);
  CudaResult (*deviceGetName)(char *name, int length, CudaOrdinal device);
  CudaResult (*deviceGetAttribute)(int *value, int attribute,
                                   CudaOrdinal device);
  CudaResult (*devicePrimaryCtxRetain)(CudaHandle *context, CudaOrdinal device);
  CudaResult (*devicePrimaryCtxRelease)(CudaOrdinal device);
  CudaResult (*ctxPushCurrent)(CudaHandle context);
  CudaResult (*ctxPopCurrent)(CudaHandle *context);
  CudaResult (*ctxSynchronize)();
  CudaResult (*moduleLoadData)(CudaHandle *module, const void *image);
  CudaResult (*moduleUnload)(CudaHandle module);
  CudaResult (*moduleGetFunction)(CudaHandle *function, CudaHandle module,
                                  const char *name);
  CudaResult (*funcGetAttribute)(int *value, int attribute,
                                 CudaHandle function);
  CudaResult (*funcSetAttribute)(CudaHandle function, int attribute, int value);
  CudaResult (*memAlloc)(CudaAddress *address, size_t bytes);
  CudaResult (*memFree)(CudaAddress address);
  CudaResult (*memcpyHtoD)(CudaAddress dest, const void *source, size_t bytes);
  CudaResult (*memcpyDtoH)(void *dest, CudaAddress source, size_t bytes);
  CudaResult (*memcpyDtoDAsync)(CudaAddress dest, CudaAddress source,
                                size_t bytes, CudaHandle stream);
  CudaResult (*occupancyMaxActiveBlocks)(int *blocks, CudaHandle function,
                                         int blockThreads, size_t sharedBytes);
  CudaResult (*streamSynchronize)(CudaHandle stream);
  /// `status` is 0 if the stream is not capturing (CUstreamCaptureStatus).
  CudaResult (*streamIsCapturing)(CudaHandle stream, int *status);
  CudaResult (*eventCreate)(CudaHandle *event, unsigned flags);
  CudaResult (*eventDestroy)(CudaHandle event);
  CudaResult (*eventRecord)(CudaHandle event, CudaHandle stream);
  CudaResult (*eventSynchronize)(CudaHandle event);
  CudaResult (*eventElapsedTime)(float *milliseconds, CudaHandle start,
                                 CudaHandle end);
  CudaResult (*getErrorName)(CudaResult result, const char **name);
  CudaResult (*getErrorString)(CudaResult result, const char **text);
  /// Since CUDA 12.4; null in older drivers.
  CudaResult (*funcGetParamInfo)(CudaHandle function, size_t position,
                                 size_t *offset, size_t *bytes);
  /// Since CUDA 13.2; null in older drivers.
  CudaResult (*funcGetParamCount)(CudaHandle function, size_t *count);

  /// Returns success, or an error of kind Runtime such as "cuMemAlloc:
  /// CUDA_ERROR_... (...)".
  Status check(CudaResult result, const char *function) const {
    return result == 0 ? success() : Status(describe(result, function));
  }

private:
  Error describe(CudaResult result, const char *function) const;
};

/// Opens and initializes the driver at the first call; later calls return the
/// same result.
Result<const CudaDriver *> getCudaDriver();

} // namespace tile::runtime

#endif // TILE_LIB_RUNTIME_CUDADRIVER_H
