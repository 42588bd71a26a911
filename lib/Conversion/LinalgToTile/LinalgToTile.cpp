// LinalgToTile.cpp - linalg on tensors as kernels and their launches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/Conversion/LinalgToTile.h"
#include "Steps.h"

#include "mlir/Dialect/Tensor/IR/TensorInferTypeOpInterfaceImpl.h"

namespace tile {
#define GEN_PASS_DEF_CONVERTLINALGTOTILE
#include "tile/Conversion/LinalgToTile.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;
using namespace tile::fromlinalg;

void tile::registerLinalgToTileDialects(DialectRegistry &registry) {
  registry.insert<affine::AffineDialect, linalg::LinalgDialect,
                  tensor::TensorDialect>();
  tensor::registerInferTypeOpInterfaceExternalModels(registry);
}

LogicalResult tile::convertLinalgToTile(ModuleOp module, StringRef arch) {
  const Architecture *target = setTargetArchitecture(module, arch);
  return failure(
      !target || failed(linalgFromBuffers(module)) ||
      failed(linalgNormalize(module)) || failed(formGroups(module)) ||
      failed(tileGroups(module, *target)) || failed(outlineGroups(module)));
}

namespace {
struct ConvertLinalgToTile
    : tile::impl::ConvertLinalgToTileBase<ConvertLinalgToTile> {
  using ConvertLinalgToTileBase::ConvertLinalgToTileBase;

  void runOnOperation() override {
    if (failed(convertLinalgToTile(getOperation(), arch)))
      signalPassFailure();
  }
};
} // namespace
