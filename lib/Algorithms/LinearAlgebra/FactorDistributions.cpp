// FactorDistributions.cpp - distribution of factored matrices over threads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "EliminationLayout.h"
#include "FactorLayout.h"
#include "ReflectionLayout.h"
#include "SideLayout.h"

#include "tile/Analysis/Architecture.h"
#include "tile/IR/AttachModels.h"
#include "tile/IR/CooperativeOpInterface.h"
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

namespace {
/// Distribution of the matrices of the first operand.
template <typename Op>
struct FactorDistributions
    : CooperativeOpInterface::ExternalModel<FactorDistributions<Op>, Op> {
  /// Maximum number of warps that an operation wants, even if it has matrices
  /// for more: more warps would hide no more latency.
  static constexpr int64_t kMostWarps = 8;

  WarpDemand getWarpDemand(Operation *op,
                           const DistributionContext &context) const {
    WarpDemand demand;
    demand.wanted = std::clamp<int64_t>(countWarps(op), 1,
                                        std::min(kMostWarps, context.maxWarps));
    demand.isRepeated = true;
    demand.instructions = countInstructions(op, demand.wanted);
    if (isOutweighing(op))
      demand.given = demand.wanted;
    else if (isTriangle(op) || areTriangles(op, demand.wanted, context))
      demand.preferred = demand.wanted;
    return demand;
  }

  FailureOr<SmallVector<WorkDistribution>>
  enumerateDistributions(Operation *op,
                         const DistributionContext &context) const {
    if (failed(verifyWarps(op, context.numWarps)))
      return failure();
    TileType type = getType(op);
    RegisterLayout layout = getLayout(op, context.numWarps);
    int64_t lanes = getLanes(op);
    int64_t matrices = llvm::product_of(type.getShape().drop_back(2));
    WorkDistribution distribution;
    distribution.holder = getHolder(lanes);
    distribution.instances =
        llvm::divideCeil(matrices * lanes, context.numWarps * kWarpSize);
    distribution.cost.work = layout.getNumValues();
    distribution.plan = RegisterAttr::get(op->getContext(), layout);
    return SmallVector<WorkDistribution>{distribution};
  }

private:
  /// Whether the operation takes longer than all other operations of a usual
  /// kernel. Warps without a matrix would then only wait for it and occupy the
  /// multiprocessor. If several warps hold one matrix, further warps would
  /// repeat its computation.
  static bool isOutweighing(Operation *op) {
    constexpr int64_t kMostRows = 32; // rows of short reflections
    bool areReflections =
        llvm::is_one_of<Op, HouseholderOp, ApplyHouseholderOp>::value;
    return std::is_same_v<Op, OneSidedJacobiOp> || getLanes(op) > kWarpSize ||
           (areReflections &&
            getType(op).getShape().drop_back().back() > kMostRows);
  }
  /// Whether a warp's registers hold only the triangle of a matrix, not the
  /// whole matrix.
  static bool isTriangle(Operation *op) {
    TileType type = getType(op);
    return llvm::is_one_of<Op, CholeskyOp, LdltOp>::value &&
           type.getShape().back() >
               getMaxOrder(getElementBytes(type.getElementType()));
  }
  /// Whether the registers of `numWarps` warps, one for each matrix, hold only
  /// the triangles of two operands, not two whole matrices.
  static bool areTriangles(Operation *op, int64_t numWarps,
                           const DistributionContext &context) {
    constexpr int64_t kRegisterBytes = 4;
    if (!std::is_same_v<Op, CholeskyDerivativeOp> || numWarps < countWarps(op))
      return false;
    int64_t bytes = getLayout(op, numWarps).getNumValues() *
                    getElementBytes(getType(op).getElementType());
    return 2 * bytes >
           context.architecture.costs.chainRegisters * kRegisterBytes;
  }
  /// Verifies that the threads have the registers for a matrix that several
  /// warps hold.
  static LogicalResult verifyWarps(Operation *op, int64_t numWarps) {
    auto verify = [&](auto layout) -> LogicalResult {
      if (layout.fits(layout.getLanes(numWarps)))
        return success();
      return op->emitOpError()
             << "expected a block of a multiple of " << layout.getLanes()
             << " threads, which have registers for " << getType(op) << ", got "
             << numWarps * kWarpSize << " threads";
    };
    if constexpr (llvm::is_one_of<Op, LuOp, SolveOp, InverseOp>::value)
      return verify(Elimination(cast<Op>(op)));
    else if constexpr (llvm::is_one_of<Op, HouseholderOp,
                                       ApplyHouseholderOp>::value)
      return verify(ReflectionLayout(getType(op)));
    else
      return success();
  }
  static int64_t countInstructions(Operation *op, int64_t numWarps) {
    return cast<CostOpInterface>(op).getInstructions(
        getLayout(op, numWarps).getNumValues(), numWarps * kWarpSize);
  }
  /// Returns the number of warps for which the operation has work.
  static int64_t countWarps(Operation *op) {
    if constexpr (std::is_same_v<Op, TriangularSolveOp>)
      return SideLayout(cast<Op>(op)).countWarps();
    int64_t matrices = llvm::product_of(getType(op).getShape().drop_back(2));
    return llvm::divideCeil(matrices * getLanes(op), kWarpSize);
  }
  static RegisterLayout getLayout(Operation *op, int64_t numWarps) {
    return *cast<LayoutOpInterface>(op).getRequiredLayout(op->getOperand(0),
                                                          numWarps);
  }
  static TileType getType(Operation *op) {
    return cast<TileType>(op->getOperand(0).getType());
  }
  static int64_t getLanes(Operation *op) {
    TileType type = getType(op);
    int64_t rows = type.getShape().drop_back().back();
    if constexpr (llvm::is_one_of<Op, LuOp, SolveOp, InverseOp>::value)
      return Elimination(cast<Op>(op)).getLanes();
    else if constexpr (llvm::is_one_of<Op, HouseholderOp,
                                       ApplyHouseholderOp>::value)
      return ReflectionLayout(type).getLanes();
    else if constexpr (std::is_same_v<Op, OneSidedJacobiOp>)
      return getColumnPairLanes(rows);
    else
      return getFactorLanes(rows);
  }
};
} // namespace

void tile::addFactorDistributions(MLIRContext &context) {
  attachModels<FactorDistributions, CholeskyDerivativeOp, CholeskyOp, LdltOp,
               LuOp, SolveOp, InverseOp, HouseholderOp, ApplyHouseholderOp,
               OneSidedJacobiOp, TriangularSolveOp>(context);
}
