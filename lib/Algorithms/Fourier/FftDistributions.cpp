// FftDistributions.cpp - distribution of transformed rows over threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "FftPlan.h"

#include "tile/IR/AttachModels.h"
#include "tile/IR/CooperativeOpInterface.h"

using namespace mlir;
using namespace tile;

namespace {
template <typename Op>
struct FftDistributions
    : CooperativeOpInterface::ExternalModel<FftDistributions<Op>, Op> {
  /// Requests enough warps for the threads that the plan assigns to all rows,
  /// but at most those of a block.
  WarpDemand getWarpDemand(Operation *op,
                           const DistributionContext &context) const {
    int64_t threads = getFourierPlan(op)->second.threads * countRows(op);
    WarpDemand demand;
    demand.wanted = std::clamp<int64_t>(llvm::divideCeil(threads, kWarpSize), 1,
                                        context.maxWarps);
    return demand;
  }

  FailureOr<SmallVector<WorkDistribution>>
  enumerateDistributions(Operation *op,
                         const DistributionContext &context) const {
    FftPlan plan = getFourierPlan(op)->second;
    int64_t threads = std::min(plan.threads, context.numWarps * kWarpSize);
    int64_t holders = context.numWarps * kWarpSize / threads;
    WorkDistribution distribution;
    distribution.holder = getHolder(threads);
    distribution.instances =
        static_cast<int64_t>(llvm::divideCeil(countRows(op), holders));
    distribution.cost.work =
        distribution.instances * llvm::divideCeil(plan.length, threads);
    return SmallVector<WorkDistribution>{distribution};
  }

private:
  static int64_t countRows(Operation *op) {
    return llvm::product_of(
        getTileShape(op->getOperand(0).getType()).drop_back());
  }
};
} // namespace

void tile::addFftDistributions(MLIRContext &context) {
  attachModels<FftDistributions, FftOp, IfftOp, RfftOp, IrfftOp>(context);
}
