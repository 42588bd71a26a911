// Function.cpp - the runtime as a C library: functions of the host
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Arguments.h"
#include "Objects.h"

#include "tile/Runtime/Function.h"

using namespace tile;
using namespace tile::capi;

namespace {
/// A tile_function.
struct Function {
  static constexpr HandleKind kKind = HandleKind::Function;

  runtime::Function function;
};

/// A tile_call.
struct Call {
  static constexpr HandleKind kKind = HandleKind::Call;

  explicit Call(runtime::PreparedCall call) : call(std::move(call)) {}

  /// Guards the order of the launches of one call.
  std::mutex mutex;
  runtime::PreparedCall call;
};
} // namespace

TILE_C_EXPORT tile_status tile_module_get_function(const tile_module *module,
                                                   const char *name,
                                                   tile_function **function) {
  if (tile_status status = expectPointer(function, "function"))
    return status;
  *function = nullptr;
  std::shared_ptr<Module> found;
  if (tile_status status = findHandle(module, found))
    return status;
  if (tile_status status = expectPointer(name, "name"))
    return status;
  runtime::Result<runtime::Function> loaded =
      runtime::Function::load(found->module, name);
  if (!loaded)
    return failWith(loaded.error());
  addHandle(std::make_shared<::Function>(::Function{std::move(*loaded)}),
            function);
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_function_destroy(tile_function *function) {
  return removeHandle(function, HandleKind::Function);
}

TILE_C_EXPORT tile_status tile_call_create(const tile_function *function,
                                           const tile_argument *arguments,
                                           size_t count, tile_call **call) {
  if (tile_status status = expectPointer(call, "call"))
    return status;
  *call = nullptr;
  std::shared_ptr<::Function> found;
  if (tile_status status = findHandle(function, found))
    return status;
  std::vector<runtime::KernelArgument> read;
  if (tile_status status =
          readArguments(found->function.getMetadata(), arguments, count, read))
    return status;
  runtime::Result<runtime::PreparedCall> prepared =
      found->function.prepare(read);
  if (!prepared)
    return failWith(prepared.error());
  addHandle(std::make_shared<Call>(std::move(*prepared)), call);
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_call_destroy(tile_call *call) {
  return removeHandle(call, HandleKind::Call);
}

TILE_C_EXPORT tile_status tile_call_launch(const tile_call *call,
                                           void *stream) {
  std::shared_ptr<Call> found;
  if (tile_status status = findHandle(call, found))
    return status;
  std::lock_guard<std::mutex> lock(found->mutex);
  runtime::Status done = found->call.launch(stream);
  return done ? TILE_STATUS_OK : failWith(done.error());
}
