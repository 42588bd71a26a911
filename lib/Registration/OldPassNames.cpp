// OldPassNames.cpp - former names of passes, accepted until version 0.4
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OldPassNames.h"

#include "tile/IR/Tile.h"
#include "tile/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace tile;

/// Registers `oldName` for a pass on kernels that has no options. In a pipeline
/// on kernels it adds the pass directly, in any other pipeline nested on the
/// kernels.
static void registerOldName(StringRef oldName,
                            std::unique_ptr<Pass> (*create)()) {
  StringRef name = create()->getArgument();
  registerPassPipeline(
      oldName, ("old name of -" + name + ", until version 0.4").str(),
      [oldName, create](
          OpPassManager &pm, StringRef options,
          function_ref<LogicalResult(const Twine &)> onError) -> LogicalResult {
        if (!options.empty())
          return onError("expected no options of -" + oldName + ", got '" +
                         options + "'");
        bool isOnKernels = pm.getOpAnchorName() == KernelOp::getOperationName();
        OpPassManager &kernels = isOnKernels ? pm : pm.nest<KernelOp>();
        kernels.addPass(create());
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)>) {});
}

void tile::registerOldPassNames() {
  registerOldName("tile-check-places", createCheckBounds);
  registerOldName("tile-issue-products", createIssueMatmuls);
}
