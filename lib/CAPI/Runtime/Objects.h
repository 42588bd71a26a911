// Objects.h - objects of the handles of the runtime's C library
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_RUNTIME_OBJECTS_H
#define TILE_LIB_CAPI_RUNTIME_OBJECTS_H

#include "../Common/Handles.h"

#include "tile-c/Runtime.h"
#include "tile/Runtime/Runtime.h"

#include <mutex>
#include <string>
#include <vector>

namespace tile::capi {

/// A tile_device.
struct Device {
  static constexpr HandleKind kKind = HandleKind::Device;

  runtime::CudaDevice device;
  std::string arch;
};

/// A tile_module.
struct Module {
  static constexpr HandleKind kKind = HandleKind::Module;

  runtime::KernelModule module;
};

/// A tile_kernel.
struct Kernel {
  static constexpr HandleKind kKind = HandleKind::Kernel;

  explicit Kernel(runtime::Kernel loaded);

  runtime::Kernel kernel;
  /// Shape and strides of each argument, with TILE_DYNAMIC.
  std::vector<std::vector<int64_t>> shapes, strides;
};

/// A tile_plan. Always borrowed: exclusively where `launch` is changed.
struct Plan {
  static constexpr HandleKind kKind = HandleKind::Plan;

  explicit Plan(runtime::PreparedLaunch launch) : launch(std::move(launch)) {}

  runtime::PreparedLaunch launch;
  /// Keeps together the driver's calls of a launch that zeroes workspaces.
  std::mutex mutex;
};

/// Fails with an error of the runtime, and the status that its kind has;
/// `ofInput` is that of the caller's mistakes.
inline tile_status
failWith(const runtime::Error &error,
         tile_status ofInput = TILE_STATUS_INVALID_ARGUMENT) {
  switch (error.kind) {
  case runtime::ErrorKind::Input:
    return fail(ofInput, error.message);
  case runtime::ErrorKind::Runtime:
    return fail(TILE_STATUS_DEVICE_ERROR, error.message);
  case runtime::ErrorKind::Capture:
    return fail(TILE_STATUS_CAPTURE, error.message);
  }
  return fail(TILE_STATUS_DEVICE_ERROR, error.message);
}

/// Checks what the caller gave for `info`, a struct to be filled in.
template <typename Info>
tile_status prepareInfo(const char *name, Info *info) {
  if (tile_status status = expectPointer(info, "info"))
    return status;
  Info given;
  if (tile_status status = readStruct(name, info, given))
    return status;
  *info = {};
  info->struct_size = given.struct_size;
  return TILE_STATUS_OK;
}

} // namespace tile::capi

#endif // TILE_LIB_CAPI_RUNTIME_OBJECTS_H
