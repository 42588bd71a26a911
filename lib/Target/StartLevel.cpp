// StartLevel.cpp - the level at which the phases start with a program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StartLevel.h"

#include "tile/Analysis/Levels.h"
#include "tile/Analysis/Postconditions.h"

using namespace mlir;
using namespace tile;

FailureOr<Level> tile::verifyStart(ModuleOp module,
                                   const TileToNVVMOptions &options) {
  FailureOr<Level> level = getLevel(module);
  if (failed(level))
    return failure();
  if (*level >= Level::distributed && isTilingGiven(options.tiling)) {
    emitError(UnknownLoc::get(module.getContext()))
        << "expected kernels at level 'source' or 'decomposed' for options of "
           "-tile-warp-tiling, got them at '"
        << stringifyLevel(*level) << "'";
    return failure();
  }
  for (auto kernel : module.getOps<KernelOp>())
    if (failed(verifyLevel(kernel)))
      return failure();
  if (*level != Level::source && failed(verifyBodies(module)))
    return failure();
  return level;
}
