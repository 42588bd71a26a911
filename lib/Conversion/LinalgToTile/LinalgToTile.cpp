// LinalgToTile.cpp - linalg on tensors as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/LinalgToTile.h"

#include "tile/Analysis/Architecture.h"

#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"
#include "mlir/Pass/PassManager.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTLINALGTOTILE
#include "tile/Conversion/LinalgToTile.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

void tile::registerLinalgToTileDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
}

/// Adds the passes, for a module that has its target.
static void addPasses(OpPassManager &passes) {
  passes.addPass(createLinalgFromBuffers());
  passes.addPass(createLinalgNormalize());
  passes.addPass(createFormGroups());
  passes.addPass(createTileGroups());
  passes.addPass(createOutlineGroups());
}

LogicalResult tile::convertLinalgToTile(ModuleOp module, StringRef arch) {
  if (!setTargetArchitecture(module, arch))
    return failure();
  PassManager passes(module->getName());
  addPasses(passes);
  return passes.run(module);
}

namespace {
struct ConvertLinalgToTile
    : tile::impl::ConvertLinalgToTileBase<ConvertLinalgToTile> {
  using ConvertLinalgToTileBase::ConvertLinalgToTileBase;

  void runOnOperation() override {
    OpPassManager passes(ModuleOp::getOperationName());
    addPasses(passes);
    if (!setTargetArchitecture(getOperation(), arch) ||
        failed(runPipeline(passes, getOperation())))
      signalPassFailure();
  }
};
} // namespace
