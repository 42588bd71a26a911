// LaunchWait.cpp - kernels wait for earlier launches first
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM assumes that nothing but the kernel itself writes its arrays, and so may
// load from them before the wait. Its scheduler keeps the order of the program,
// but only by preference.

#include "LaunchWait.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"

using namespace mlir;
using namespace tile;

static bool startsWithWait(LLVM::LLVMFuncOp function) {
  if (function.isExternal())
    return false;
  auto first =
      dyn_cast<NVVM::GriddepcontrolOp>(function.getBody().front().front());
  return first && first.getKind() == NVVM::GridDepActionKind::wait;
}

/// Whether a kernel of this name, if there is one, waits for earlier launches
/// before it accesses global memory.
static bool waitsFirst(StringRef ptx, StringRef kernel) {
  StringRef text = ptx.split((".entry " + kernel + "(").str()).second;
  auto [before, after] = text.split('{').second.split("griddepcontrol.wait");
  return text.empty() || (!after.empty() && !before.contains(".global"));
}

LogicalResult tile::verifyLaunchWaits(ModuleOp module, StringRef ptx) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (startsWithWait(function) && !waitsFirst(ptx, function.getSymName()))
      return function.emitError("expected code that accesses memory after the "
                                "wait for earlier launches, got an access "
                                "before it from LLVM");
  return success();
}
