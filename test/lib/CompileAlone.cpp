// CompileAlone.cpp - one kernel of several, for the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileAlone.h"

#include "tile/IR/Tile.h"

#include "mlir/IR/OwningOpRef.h"

using namespace mlir;
using namespace tile;

llvm::Expected<std::unique_ptr<EmulatorProgram>>
tile::test::compileAlone(ModuleOp module, StringRef name) {
  OwningOpRef<ModuleOp> copy = module.clone();
  for (KernelOp kernel : llvm::make_early_inc_range(copy->getOps<KernelOp>())) {
    if (kernel.getSymName() != name)
      kernel.erase();
    else
      kernel->removeAttr(kGeneralOfAttr);
  }
  return EmulatorProgram::compile(*copy, "");
}
