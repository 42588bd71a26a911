// Levels.cpp - the lowering level of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Analysis/Levels.h"

#include "tile/Analysis/Postconditions.h"
#include "tile/IR/Gpu/TileGpu.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;

Level tile::getLevel(KernelOp kernel) {
  auto claim = kernel->getAttrOfType<LevelAttr>(kLevelAttr);
  return claim ? claim.getValue() : Level::source;
}

void tile::setLevel(KernelOp kernel, Level level) {
  if (level == Level::source)
    kernel->removeAttr(kLevelAttr);
  else
    kernel->setAttr(kLevelAttr, LevelAttr::get(kernel.getContext(), level));
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

/// Fails if the kernel has an attribute of `names`: only phases after its level
/// write them.
static LogicalResult verifyAbsent(KernelOp kernel, ArrayRef<StringRef> names) {
  for (StringRef name : names)
    if (kernel->hasAttr(name))
      return kernel.emitError("expected a kernel at level '")
             << stringifyLevel(getLevel(kernel)) << "' to have no '" << name
             << "', which the phases write (" << kLevelAttr
             << " says the level, of a kernel that has been through them "
                "#tile<level buffered>)";
  return success();
}

static LogicalResult verifyUndecided(KernelOp kernel) {
  return verifyAbsent(kernel, {kSharedBytesAttr, kStorageAttr});
}

static LogicalResult verifyDecomposed(KernelOp kernel) {
  constexpr int kPhase = 1;
  return success(succeeded(verifyUndecided(kernel)) &&
                 succeeded(verifyPostconditions(kernel, kPhase)));
}

/// Fails at an operation on a buffer: only kernels at the next level have
/// buffers.
static LogicalResult verifyWholeTiles(KernelOp kernel) {
  WalkResult result = kernel.walk([](Operation *op) -> WalkResult {
    for (TypeRange types :
         {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
      for (Type type : types)
        if (isSharedBuffer(type))
          return op->emitError("expected whole tiles at level 'distributed', "
                               "got a buffer of ")
                 << type;
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

static LogicalResult verifyDistributed(KernelOp kernel) {
  constexpr int kPhase = 4;
  return success(succeeded(verifyAbsent(kernel, {kSharedBytesAttr})) &&
                 succeeded(verifyWholeTiles(kernel)) &&
                 succeeded(verifyPostconditions(kernel, kPhase)));
}

LogicalResult tile::verifyLevel(KernelOp kernel) {
  if (failed(verifyPromises(kernel)))
    return failure();
  switch (getLevel(kernel)) {
  case Level::source:
    return verifyUndecided(kernel);
  case Level::decomposed:
    return verifyDecomposed(kernel);
  case Level::distributed:
    return verifyDistributed(kernel);
  case Level::buffered:
    return verifyPostconditions(kernel, kLastKernelPhase);
  case Level::thread:
    break;
  }
  return kernel.emitError("expected a function of the LLVM dialect at level "
                          "'thread', got '")
         << kernel->getName() << "'";
}

LogicalResult tile::verifyLevel(KernelOp kernel, Level level) {
  if (getLevel(kernel) == level)
    return verifyLevel(kernel);
  return kernel.emitError("expected a kernel at level '")
         << stringifyLevel(level) << "', got one at '"
         << stringifyLevel(getLevel(kernel)) << "'";
}

bool tile::isThreadLevel(Operation *op) {
  return isa_and_nonnull<LLVM::LLVMDialect, NVVM::NVVMDialect>(
             op->getDialect()) ||
         isa<tile_gpu::WarpgroupMmaOp>(op);
}

LogicalResult tile::verifyThreadLevel(ModuleOp module) {
  WalkResult result = module.walk([&](Operation *op) -> WalkResult {
    if (op == module || isThreadLevel(op))
      return WalkResult::advance();
    return op->emitError("expected an operation of the LLVM or NVVM dialect at "
                         "level 'thread', got '")
           << op->getName() << "'";
  });
  return failure(result.wasInterrupted());
}
