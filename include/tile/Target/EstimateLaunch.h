// EstimateLaunch.h - the estimated time of a launch of a tile program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_ESTIMATELAUNCH_H
#define TILE_TARGET_ESTIMATELAUNCH_H

#include "tile/Analysis/LaunchTime.h"
#include "tile/Pipelines/TileToNVVM.h"
#include "tile/Runtime/Arguments.h"

#include "llvm/Support/JSON.h"

namespace tile {

/// The estimated time of a launch, and the facts that it follows from.
struct LaunchEstimate {
  /// The GPU that the rates belong to (getMachineOfEstimates).
  std::string part;
  /// The entry point that the launch takes.
  std::string entry;
  LaunchResources resources;
  /// The time without the one from one launch to the next.
  double microseconds = 0;
};

/// Lowers the kernel `name` of `module` until its plan is known
/// (buildTilePlans), and estimates the time of a launch. The addresses and
/// strides of arrays decide which variant of the kernel the launch takes. Fails
/// if the kernel does not compile, or if the arguments or the grid are not
/// those of the kernel.
/// @pre the module has no other kernels.
mlir::FailureOr<LaunchEstimate>
estimateLaunch(mlir::ModuleOp module, const TilePhasesOptions &options,
               const std::vector<runtime::KernelArgument> &arguments,
               const std::optional<runtime::Grid> &grid);

llvm::json::Value toJson(const LaunchEstimate &estimate);

} // namespace tile

#endif // TILE_TARGET_ESTIMATELAUNCH_H
