// FactorDistributions.cpp - which threads have the matrices that they factor
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorDistributions.h"
#include "EliminationLayout.h"
#include "FactorLayout.h"

#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

namespace {
/// The matrices are those of the first operand.
template <typename Op>
struct FactorDistributions
    : CooperativeOpInterface::ExternalModel<FactorDistributions<Op>, Op> {
  /// A matrix for each group of lanes that holds one; more warps than this
  /// have no more to hide.
  static constexpr int64_t kMostWarps = 8;

  WarpDemand getWarpDemand(Operation *op,
                           const DistributionContext &context) const {
    TileType type = getType(op);
    int64_t matrices = llvm::product_of(type.getShape().drop_back(2));
    WarpDemand demand;
    demand.wanted = std::clamp<int64_t>(
        llvm::divideCeil(matrices, kWarpSize / getLanes(op)), 1,
        std::min(kMostWarps, context.maxWarps));
    return demand;
  }

  FailureOr<SmallVector<WorkDistribution>>
  enumerateDistributions(Operation *op,
                         const DistributionContext &context) const {
    TileType type = getType(op);
    RegisterLayout layout = getLayout(op, context.numWarps);
    int64_t lanes = getLanes(op);
    int64_t matrices = llvm::product_of(type.getShape().drop_back(2));
    WorkDistribution distribution;
    distribution.holder = getHolder(lanes);
    distribution.instances =
        llvm::divideCeil(matrices, context.numWarps * (kWarpSize / lanes));
    distribution.cost.work = layout.getNumValues();
    distribution.plan = RegisterAttr::get(op->getContext(), layout);
    return SmallVector<WorkDistribution>{distribution};
  }

private:
  static TileType getType(Operation *op) {
    return cast<TileType>(op->getOperand(0).getType());
  }
  static constexpr bool kIsElimination =
      llvm::is_one_of<Op, LuOp, SolveOp, InverseOp>::value;

  static RegisterLayout getLayout(Operation *op, int64_t numWarps) {
    TileType type = getType(op);
    if constexpr (kIsElimination)
      return Elimination(cast<Op>(op)).getLayout(type, numWarps);
    else
      return getFactorLayout(type.getShape(),
                             getElementBytes(type.getElementType()), numWarps);
  }
  static int64_t getLanes(Operation *op) {
    if constexpr (kIsElimination)
      return Elimination(cast<Op>(op)).getLanes();
    else
      return getFactorLanes(getType(op).getShape().drop_back().back());
  }
};
} // namespace

void tile::addFactorDistributions(MLIRContext &context) {
  CholeskyOp::attachInterface<FactorDistributions<CholeskyOp>>(context);
  LdltOp::attachInterface<FactorDistributions<LdltOp>>(context);
  LuOp::attachInterface<FactorDistributions<LuOp>>(context);
  SolveOp::attachInterface<FactorDistributions<SolveOp>>(context);
  InverseOp::attachInterface<FactorDistributions<InverseOp>>(context);
  HouseholderOp::attachInterface<FactorDistributions<HouseholderOp>>(context);
  ApplyHouseholderOp::attachInterface<FactorDistributions<ApplyHouseholderOp>>(
      context);
  TriangularSolveOp::attachInterface<FactorDistributions<TriangularSolveOp>>(
      context);
}
