// Objects.h - objects to which handles of the runtime's C library refer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CAPI_RUNTIME_OBJECTS_H
#define TILE_LIB_CAPI_RUNTIME_OBJECTS_H

#include "../Common/Handles.h"

#include "tile-c/Runtime.h"
#include "tile/Runtime/Function.h"
#include "tile/Runtime/Runtime.h"

#include <mutex>
#include <string>
#include <variant>
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

  explicit Module(runtime::KernelModule module) : module(std::move(module)) {}

  runtime::KernelModule module;
};

/// A tile_kernel.
struct Kernel {
  static constexpr HandleKind kKind = HandleKind::Kernel;

  explicit Kernel(runtime::Kernel loaded);

  runtime::Kernel kernel;
  /// Shape and strides of each argument; TILE_DYNAMIC if known only at run
  /// time.
  std::vector<std::vector<int64_t>> shapes, strides;
};

/// A tile_plan: a launch of a kernel or a call of a function. Calls borrow it,
/// exclusively if they change `work`, and never share it.
struct Plan {
  static constexpr HandleKind kKind = HandleKind::Plan;

  explicit Plan(runtime::PreparedLaunch launch) : work(std::move(launch)) {}
  explicit Plan(runtime::PreparedCall call) : work(std::move(call)) {}

  std::variant<runtime::PreparedLaunch, runtime::PreparedCall> work;
  /// Held during a launch that consists of several calls of the driver, so that
  /// no other launch comes between them.
  std::mutex mutex;
};

/// Fails with an error of the runtime, and the status for the kind of the
/// error; `ofInput` is the status for errors of kind Input, the caller's
/// mistakes.
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

inline tile_status toStatus(const runtime::Status &done) {
  return done ? TILE_STATUS_OK : failWith(done.error());
}

/// Sets `*handle` to a handle for an object that is created from the value of
/// `result`. If `result` has an error, fails with it, as failWith does.
template <typename Object, typename Value, typename Handle>
tile_status addResult(runtime::Result<Value> result, Handle **handle,
                      tile_status ofInput = TILE_STATUS_INVALID_ARGUMENT) {
  if (!result)
    return failWith(result.error(), ofInput);
  addHandle(std::make_shared<Object>(std::move(*result)), handle);
  return TILE_STATUS_OK;
}

/// Checks `info`, a pointer to the struct that is to be filled in, and clears
/// the struct.
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
