// CompositeUndecomposed.cpp - a composite operation without a decomposition
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -test-tile-composite-undecomposed declares math.copysign composite without
// providing its decomposition.

#include "tile/IR/Tile.h"

#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;
using namespace tile;

namespace {
struct Undecomposed
    : DecomposeOpInterface::ExternalModel<Undecomposed, math::CopySignOp> {};

struct CompositeUndecomposed
    : PassWrapper<CompositeUndecomposed, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CompositeUndecomposed)

  StringRef getArgument() const final {
    return "test-tile-composite-undecomposed";
  }
  StringRef getDescription() const final {
    return "make math.copysign a composite operation without a decomposition";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.addExtension(+[](MLIRContext *context, math::MathDialect *) {
      math::CopySignOp::attachInterface<Undecomposed>(*context);
    });
  }
  void runOnOperation() final { markAllAnalysesPreserved(); }
};
} // namespace

namespace tile::test {
void registerCompositeUndecomposed() {
  PassRegistration<CompositeUndecomposed>();
}
} // namespace tile::test
