// Levels.cpp - how far down a kernel is
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Levels.h"

#include "tile/Analysis/Postconditions.h"

using namespace mlir;
using namespace tile;

Level tile::getLevel(KernelOp kernel) {
  auto claim = kernel->getAttrOfType<LevelAttr>(kLevelAttr);
  return claim ? claim.getValue() : Level::source;
}

FailureOr<Level> tile::getLevel(ModuleOp module) {
  auto kernels = module.getOps<KernelOp>();
  KernelOp first = *kernels.begin();
  for (KernelOp kernel : kernels) {
    if (getLevel(kernel) == getLevel(first))
      continue;
    InFlightDiagnostic error = kernel.emitError("expected a kernel at level '")
                               << stringifyLevel(getLevel(first)) << "', as '"
                               << first.getSymName()
                               << "' of the same module, got one at '"
                               << stringifyLevel(getLevel(kernel)) << "'";
    error.attachNote(first.getLoc()) << "the other kernel";
    return error;
  }
  return getLevel(first);
}

/// What only the phases write would be a claim of another level.
static LogicalResult verifySource(KernelOp kernel) {
  for (StringRef name : {kSharedBytesAttr, kStorageAttr})
    if (kernel->hasAttr(name))
      return kernel.emitError(
                 "expected a kernel at level 'source' to have no '")
             << name << "', which the phases write (" << kLevelAttr
             << " says the level, of a kernel that has been through them "
                "#tile<level buffered>)";
  return success();
}

LogicalResult tile::verifyLevel(KernelOp kernel) {
  Level level = getLevel(kernel);
  if (level == Level::source)
    return verifySource(kernel);
  if (level == Level::buffered)
    return verifyPostconditions(kernel, kLastKernelPhase);
  return kernel.emitError("expected a kernel at level 'source' or 'buffered', "
                          "got one at '")
         << stringifyLevel(level) << "'";
}
