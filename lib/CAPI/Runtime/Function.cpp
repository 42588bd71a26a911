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

/// Finds the function of a handle, and reads the arguments of a call.
static tile_status readCall(const tile_function *handle,
                            const tile_argument *given, size_t count,
                            std::shared_ptr<::Function> &function,
                            std::vector<runtime::KernelArgument> &arguments) {
  if (tile_status status = findHandle(handle, function))
    return status;
  return readArguments(function->function.getMetadata(), given, count,
                       arguments);
}

TILE_C_EXPORT tile_status tile_call_create(const tile_function *function,
                                           const tile_argument *arguments,
                                           size_t count, tile_call **call) {
  if (tile_status status = resetOutput(call, "call"))
    return status;
  std::shared_ptr<::Function> found;
  std::vector<runtime::KernelArgument> read;
  if (tile_status status = readCall(function, arguments, count, found, read))
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

TILE_C_EXPORT tile_status tile_function_get_memory(
    const tile_function *function, const tile_argument *arguments, size_t count,
    int64_t *bytes) {
  if (tile_status status = resetOutput(bytes, "bytes"))
    return status;
  std::shared_ptr<::Function> found;
  std::vector<runtime::KernelArgument> read;
  if (tile_status status = readCall(function, arguments, count, found, read))
    return status;
  runtime::Result<int64_t> needed = found->function.getMemoryBytes(read);
  if (!needed)
    return failWith(needed.error());
  *bytes = *needed;
  return TILE_STATUS_OK;
}

TILE_C_EXPORT tile_status tile_function_create_plan(
    const tile_function *function, const tile_argument *arguments, size_t count,
    void *memory, tile_plan **plan) {
  if (tile_status status = resetOutput(plan, "plan"))
    return status;
  std::shared_ptr<::Function> found;
  std::vector<runtime::KernelArgument> read;
  if (tile_status status = readCall(function, arguments, count, found, read))
    return status;
  return addResult<Plan>(
      found->function.prepareIn(read, reinterpret_cast<uintptr_t>(memory)),
      plan);
}
