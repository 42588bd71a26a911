// PlanAccesses.cpp - attributes for the memory accesses of each operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tile::planAccess makes the decisions.

#include "PassOrder.h"

#include "tile/Analysis/AccessPlans.h"
#include "tile/Analysis/Architecture.h"
#include "tile/Transforms/Passes.h"

namespace tile {
#define GEN_PASS_DEF_PLANACCESSES
#include "tile/Transforms/Passes.h.inc"
} // namespace tile

using namespace mlir;
using namespace tile;

namespace {
struct PlanAccesses : tile::impl::PlanAccessesBase<PlanAccesses> {
  using PlanAccessesBase::PlanAccessesBase;

  void runOnOperation() override {
    if (!getTargetArchitecture(getOperation()) ||
        failed(verifyPassOrder(getOperation(), TilePass::kPlanAccesses)))
      return signalPassFailure();
    getOperation().walk([&](Operation *op) {
      for (NamedAttribute plan : planAccess(op))
        op->setAttr(plan.getName(), plan.getValue());
    });
  }
};
} // namespace
