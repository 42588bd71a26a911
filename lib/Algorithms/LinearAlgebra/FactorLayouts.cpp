// FactorLayouts.cpp - layouts in which matrices are factored, and the cost
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "FactorLayout.h"
#include "MatrixThreads.h"
#include "SideLayout.h"

#include "tile/IR/Participants.h"
#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

static RegisterLayout getLayout(TileType type, int64_t numWarps) {
  return getFactorLayout(type.getShape(),
                         getElementBytes(type.getElementType()), numWarps);
}

namespace {
/// The layouts of a factor, `tile.cholesky` or `tile.ldlt`.
template <typename Op>
struct FactorLayouts : LayoutOpInterface::ExternalModel<FactorLayouts<Op>, Op> {
  std::optional<RegisterLayout>
  getRequiredLayout(Operation *operation, Value tile, int64_t numWarps) const {
    auto op = cast<Op>(operation);
    RegisterLayout layout = getLayout(op.getSource().getType(), numWarps);
    return tile == op.getStatus() ? getLayoutOfScalars(layout) : layout;
  }
};

/// DerivativeLayouts has the layouts of `tile.cholesky_derivative`.
struct DerivativeLayouts
    : LayoutOpInterface::ExternalModel<DerivativeLayouts,
                                       CholeskyDerivativeOp> {
  std::optional<RegisterLayout> getRequiredLayout(Operation *operation, Value,
                                                  int64_t numWarps) const {
    return getLayout(cast<CholeskyDerivativeOp>(operation).getType(), numWarps);
  }
};

struct SolveLayouts
    : LayoutOpInterface::ExternalModel<SolveLayouts, TriangularSolveOp> {
  std::optional<RegisterLayout>
  getRequiredLayout(Operation *operation, Value tile, int64_t numWarps) const {
    auto op = cast<TriangularSolveOp>(operation);
    return tile == op.getTriangle()
               ? getLayout(op.getTriangle().getType(), numWarps)
               : SideLayout(op).getLayout(numWarps);
  }
};

struct SolveBuffers
    : BufferizeOpInterface::ExternalModel<SolveBuffers, TriangularSolveOp> {
  void bufferize(Operation *operation, Bufferizer &bufferizer) const {
    auto op = cast<TriangularSolveOp>(operation);
    addScratch(bufferizer, op,
               SideLayout(op).getScratchType(getParticipants(op).numWarps));
  }
};

struct JacobiLayouts
    : LayoutOpInterface::ExternalModel<JacobiLayouts, OneSidedJacobiOp> {
  /// A norm is in all lanes of its column, and a status in all lanes of its
  /// matrix.
  std::optional<RegisterLayout>
  getRequiredLayout(Operation *operation, Value tile, int64_t numWarps) const {
    auto op = cast<OneSidedJacobiOp>(operation);
    RegisterLayout layout =
        getColumnPairLayout(op.getSource().getType().getShape(), numWarps);
    if (tile == op.getNorms())
      return layout.dropDimension(layout.getRank() - 2);
    return tile == op.getStatus() ? getLayoutOfScalars(layout) : layout;
  }
};

template <typename Op>
struct FactorCost : CostOpInterface::ExternalModel<FactorCost<Op>, Op> {
  /// Counts, for each step, a reciprocal square root and, for each remaining
  /// element, a shuffle or a part of one, a multiply-add and its masks.
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kStep = 40, kElement = 3;
    return cast<Op>(op).getSource().getType().getShape().back() *
           (kStep + kElement * elements / 2);
  }
};

struct DerivativeCost
    : CostOpInterface::ExternalModel<DerivativeCost, CholeskyDerivativeOp> {
  /// Counts, for each step, a reciprocal and, for each element, parts of two
  /// multiply-adds, their masks and shuffles.
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kStep = 50, kElement = 3;
    return cast<CholeskyDerivativeOp>(op).getType().getShape().back() *
           (kStep + kElement * elements / 2);
  }
};

struct SolveCost
    : CostOpInterface::ExternalModel<SolveCost, TriangularSolveOp> {
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kStep = 30, kElement = 3;
    auto solve = cast<TriangularSolveOp>(op);
    int64_t order = solve.getTriangle().getType().getShape().back();
    return order * (kStep + kElement * elements);
  }
};

struct JacobiCost
    : CostOpInterface::ExternalModel<JacobiCost, OneSidedJacobiOp> {
  /// Loop bodies count once: two rotations for each matrix, with shuffles of
  /// every second column, and the prologue and epilogue of the loops.
  int64_t getInstructions(Operation *op, int64_t elements, int64_t) const {
    constexpr int64_t kMatrix = 200, kElement = 16;
    auto jacobi = cast<OneSidedJacobiOp>(op);
    int64_t share = 2 * jacobi.getSource().getType().getShape().back();
    return kMatrix * llvm::divideCeil(elements, share) + kElement * elements;
  }
};
} // namespace

void tile::addFactors(MLIRContext &context) {
  CholeskyOp::attachInterface<FactorLayouts<CholeskyOp>,
                              FactorCost<CholeskyOp>>(context);
  CholeskyDerivativeOp::attachInterface<DerivativeLayouts, DerivativeCost>(
      context);
  LdltOp::attachInterface<FactorLayouts<LdltOp>, FactorCost<LdltOp>>(context);
  TriangularSolveOp::attachInterface<SolveLayouts, SolveBuffers, SolveCost>(
      context);
  OneSidedJacobiOp::attachInterface<JacobiLayouts, JacobiCost>(context);
}
