// CompileAlone.cpp - compiles one kernel of a module for the emulator
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileAlone.h"

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"
#include "tile/Pipelines/TileToNVVM.h"
#include "tile/Target/BuildMetadata.h"
#include "tile/VerifyTarget/VerifyTarget.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"

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
  // tile::compile would refuse the deliberate errors of a test.
  const Architecture *architecture = getTargetArchitecture(*copy);
  if (!architecture)
    return reportedError();
  FailureOr<runtime::ModuleMetadata> metadata =
      describeModule(*copy, architecture->name);
  PassManager passes(copy->getContext());
  buildTileLowering(passes);
  if (failed(metadata) || failed(passes.run(*copy)) ||
      failed(verifyTarget(*copy, *architecture)))
    return reportedError();
  return EmulatorProgram::compileLowered(*copy, std::move(*metadata));
}
