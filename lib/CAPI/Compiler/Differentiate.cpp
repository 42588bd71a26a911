// Differentiate.cpp - the compiler as a C library: derivatives of kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Errors.h"
#include "Program.h"

#include "tile/Target/Differentiate.h"

using namespace mlir;
using namespace tile;
using namespace tile::capi;
using runtime::concat;

namespace {
/// The request of a call of tile_differentiate.
struct GradientRequest {
  std::string name = "program";
  GradientPassOptions pass;
  bool keepsProgram = true;
  bool printsLocations = false;
};
} // namespace

/// Reads the names of arguments; `member` is the name of the list.
static tile_status readNames(const char *member, const char *const *given,
                             size_t count, SmallVector<std::string> &names) {
  if (count != 0)
    if (tile_status status = expectPointer(given, member))
      return status;
  for (size_t i = 0; i < count; ++i) {
    if (tile_status status = expectPointer(given[i], member))
      return status;
    if (!*given[i])
      return fail(
          TILE_STATUS_INVALID_ARGUMENT,
          concat("expected names of arguments in '", member, "', found ''"));
    names.push_back(given[i]);
  }
  return TILE_STATUS_OK;
}

static tile_status readRequest(const tile_gradient_options *options,
                               GradientRequest &request) {
  tile_gradient_options given;
  constexpr size_t kSizeWithoutSaved = offsetof(tile_gradient_options, saved);
  constexpr size_t kSizeWithoutValues = offsetof(tile_gradient_options, values);
  if (tile_status status = readStruct("tile_gradient_options", options, given,
                                      {kSizeWithoutSaved, kSizeWithoutValues}))
    return status;
  if (tile_status status =
          expectRange("mode", given.mode, TILE_MODE_REVERSE, TILE_MODE_FORWARD))
    return status;
  if (given.kernel && !*given.kernel)
    return fail(TILE_STATUS_INVALID_ARGUMENT,
                "expected the name of a kernel, found ''");
  if (tile_status status =
          readNames("wrt", given.wrt, given.num_wrt, request.pass.inputs))
    return status;
  if (tile_status status = readNames("outputs", given.outputs,
                                     given.num_outputs, request.pass.outputs))
    return status;
  if (tile_status status =
          readNames("saved", given.saved, given.num_saved, request.pass.saved))
    return status;
  if (given.name)
    request.name = given.name;
  if (given.kernel)
    request.pass.kernel = given.kernel;
  request.pass.mode = given.mode == TILE_MODE_FORWARD ? DerivativeMode::forward
                                                      : DerivativeMode::reverse;
  request.pass.atomics = given.atomics != 0;
  request.pass.segments = given.segments != 0;
  request.pass.accumulate = given.accumulate != 0;
  request.pass.values = given.values != 0;
  request.keepsProgram = given.derivatives_only == 0;
  request.printsLocations = given.locations != 0;
  return TILE_STATUS_OK;
}

static std::string print(ModuleOp module, bool withLocations) {
  if (withLocations)
    return printWithLocations(module);
  std::string text;
  llvm::raw_string_ostream(text) << module << "\n";
  return text;
}

static LogicalResult differentiate(ModuleOp module,
                                   const GradientRequest &request,
                                   capi::Result &result) {
  std::unique_ptr<Pass> gradient = createGradientPass(request.pass);
  if (failed(request.keepsProgram
                 ? addDerivatives(module, std::move(gradient))
                 : replaceByDerivatives(module, std::move(gradient))))
    return failure();
  result.outputs[TILE_OUTPUT_IR] = print(module, request.printsLocations);
  result.outputs[TILE_OUTPUT_METADATA] = toJson(describeInterfaces(module));
  return success();
}

TILE_C_EXPORT tile_status
tile_differentiate(tile_compiler *compiler, const void *program, size_t size,
                   const tile_gradient_options *options, tile_result **result) {
  if (tile_status status = resetOutput(result, "result"))
    return status;
  GradientRequest request;
  if (tile_status status = readRequest(options, request))
    return status;
  return withProgram(compiler, program, size, request.name, result,
                     [&](Compiler &, ModuleOp module, capi::Result &made) {
                       return differentiate(module, request, made);
                     });
}
