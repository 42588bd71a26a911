// Estimate.cpp - the compiler as a C library: estimated times of launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Common/Arguments.h"
#include "CompileOptions.h"
#include "Program.h"

#include "tile/Target/BuildMetadata.h"
#include "tile/Target/EstimateLaunch.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tile;
using namespace tile::capi;
using runtime::concat;

namespace {
/// The launch of a call of tile_estimate.
struct GivenLaunch {
  const tile_argument *arguments;
  size_t count;
  const int64_t *grid;
};
} // namespace

/// Returns the only kernel of a module, in which there may be functions of the
/// host.
static FailureOr<KernelOp> findKernel(ModuleOp module) {
  auto kernels = module.getOps<KernelOp>();
  if (!llvm::hasSingleElement(kernels))
    return module.emitError("expected the name of one kernel in a program of ")
           << llvm::range_size(kernels) << " kernels, got none";
  return *kernels.begin();
}

/// Estimates the time of a launch. If the launch's arguments are not those of
/// the kernel, sets `status` to the error.
static LogicalResult estimate(ModuleOp module, const Request &request,
                              const GivenLaunch &launch, tile_status &status,
                              capi::Result &result) {
  FailureOr<KernelOp> kernel = findKernel(module);
  if (failed(kernel))
    return failure();
  std::vector<runtime::KernelArgument> arguments;
  status = readArguments(describeKernel(*kernel, request.options.pipeline.arch),
                         launch.arguments, launch.count, arguments);
  if (status != TILE_STATUS_OK)
    return success();
  FailureOr<LaunchEstimate> found = estimateLaunch(
      module, request.options.pipeline, arguments, readGrid(launch.grid));
  if (failed(found))
    return failure();
  result.outputs[TILE_OUTPUT_ESTIMATE] =
      llvm::formatv("{0:2}\n", toJson(*found)).str();
  return success();
}

TILE_C_EXPORT tile_status tile_estimate(tile_compiler *compiler,
                                        const void *program, size_t size,
                                        const tile_compile_options *options,
                                        const tile_argument *arguments,
                                        size_t count, const int64_t *grid,
                                        tile_result **result) {
  if (tile_status status = resetOutput(result, "result"))
    return status;
  Request request;
  if (tile_status status = readRequest(options, request))
    return status;
  if (request.machine != TILE_MACHINE_CUDA)
    return fail(TILE_STATUS_INVALID_ARGUMENT,
                concat("expected TILE_MACHINE_CUDA, found ", request.machine));
  GivenLaunch launch = {arguments, count, grid};
  tile_status wrong = TILE_STATUS_OK;
  tile_status status =
      withProgram(compiler, program, size, request.name, result,
                  [&](Compiler &, ModuleOp module, capi::Result &made) {
                    if (!request.kernel.empty() &&
                        failed(keepKernel(module, request.kernel)))
                      return failure();
                    return estimate(module, request, launch, wrong, made);
                  });
  if (wrong == TILE_STATUS_OK)
    return status;
  tile_result_destroy(*result);
  *result = nullptr;
  return wrong;
}
