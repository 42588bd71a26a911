// Function.cpp - the runtime as a C library: host functions
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

  explicit Function(runtime::Function function)
      : function(std::move(function)) {}

  runtime::Function function;
};

/// A tile_call.
struct Call {
  static constexpr HandleKind kKind = HandleKind::Call;

  explicit Call(runtime::PreparedCall call) : call(std::move(call)) {}

  /// Locked while the call is launched, so that the kernel launches of two
  /// executions of the call are not interleaved.
  std::mutex mutex;
  runtime::PreparedCall call;
};
} // namespace

TILE_C_EXPORT tile_status tile_module_get_function(const tile_module *module,
                                                   const char *name,
                                                   tile_function **function) {
  if (tile_status status = resetOutput(function, "function"))
    return status;
  std::shared_ptr<Module> found;
  if (tile_status status = findHandle(module, found))
    return status;
  if (tile_status status = expectPointer(name, "name"))
    return status;
  return addResult<::Function>(runtime::Function::load(found->module, name),
                               function);
}

TILE_C_EXPORT tile_status tile_function_destroy(tile_function *function) {
  return removeHandle(function, HandleKind::Function);
}

TILE_C_EXPORT tile_status tile_call_create(const tile_function *function,
                                           const tile_argument *arguments,
                                           size_t count, tile_call **call) {
  if (tile_status status = resetOutput(call, "call"))
    return status;
  std::shared_ptr<::Function> found;
  if (tile_status status = findHandle(function, found))
    return status;
  std::vector<runtime::KernelArgument> read;
  if (tile_status status =
          readArguments(found->function.getMetadata(), arguments, count, read))
    return status;
  return addResult<Call>(found->function.prepare(read), call);
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
  return toStatus(found->call.launch(stream));
}
