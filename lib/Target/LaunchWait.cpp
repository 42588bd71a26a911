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

/// Returns the body of a kernel up to its wait for earlier launches.
static StringRef getTextBeforeWait(StringRef ptx, StringRef kernel) {
  StringRef text = ptx.split((".entry " + kernel + "(").str()).second;
  return text.split('{').second.split("griddepcontrol.wait").first;
}

LogicalResult tile::verifyLaunchWaits(ModuleOp module, StringRef ptx) {
  for (auto function : module.getOps<LLVM::LLVMFuncOp>())
    if (startsWithWait(function) &&
        getTextBeforeWait(ptx, function.getSymName()).contains(".global"))
      return function.emitError("expected code that accesses memory after the "
                                "wait for earlier launches, got an access "
                                "before it from LLVM");
  return success();
}
