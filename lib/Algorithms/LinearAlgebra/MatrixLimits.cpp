// MatrixLimits.cpp - the largest matrices that threads hold
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../Models.h"
#include "FactorLayout.h"
#include "MatrixBlocks.h"
#include "ReflectionLayout.h"

#include "tile/IR/AttachModels.h"

using namespace mlir;
using namespace tile;

static int64_t getBytes(TileType matrices) {
  return getElementBytes(matrices.getElementType());
}

/// Verifies that square matrices have at most `most` rows.
static LogicalResult verifyRows(Operation *op, TileType matrices,
                                int64_t most) {
  int64_t rows = matrices.getShape().back();
  if (rows <= most)
    return success();
  return op->emitOpError() << "expected at most " << most << " rows of "
                           << matrices.getElementType() << ", got " << rows
                           << "; a larger matrix takes kernels of its blocks "
                              "(examples/37_blocked_cholesky)";
}

/// Verifies that registers can hold matrices that are multiplied by
/// reflections.
static LogicalResult verifyReflections(Operation *op, TileType matrices) {
  if (ReflectionLayout::exists(matrices))
    return success();
  int64_t bytes = getBytes(matrices);
  ArrayRef<int64_t> matrix = matrices.getShape().take_back(2);
  return op->emitOpError() << "expected matrices of at most "
                           << getMaxOrderInBlocks(bytes) << " rows of "
                           << matrices.getElementType()
                           << ", or of which a lane has at most "
                           << getMaxShare(bytes) << " elements, got "
                           << matrix[0] << "x" << matrix[1];
}

/// Verifies that there are no more columns than in the largest square matrix
/// that a warp holds.
static LogicalResult verifyColumns(Operation *op, TileType matrices) {
  int64_t most = getMaxOrder(getBytes(matrices));
  int64_t columns = matrices.getShape().back();
  if (columns <= most)
    return success();
  return op->emitOpError() << "expected at most " << most << " columns of "
                           << matrices.getElementType() << ", got " << columns;
}

namespace {
/// Limits of operations whose first operand is a tile of matrices.
template <typename Op>
struct MatrixLimits : LimitOpInterface::ExternalModel<MatrixLimits<Op>, Op> {
  LogicalResult verifyLimits(Operation *op) const {
    auto matrices = cast<TileType>(op->getOperand(0).getType());
    constexpr bool isInWarp =
        llvm::is_one_of<Op, OneSidedJacobiOp, EighOp>::value;
    constexpr bool isReflected =
        llvm::is_one_of<Op, HouseholderOp, ApplyHouseholderOp, QrOp,
                        LeastSquaresOp, SvdOp>::value;
    if constexpr (isInWarp)
      return verifyRows(op, matrices, getMaxOrder(getBytes(matrices)));
    if constexpr (!isReflected)
      return verifyRows(op, matrices, getMaxOrderInBlocks(getBytes(matrices)));
    if (failed(verifyReflections(op, matrices)))
      return failure();
    return std::is_same_v<Op, SvdOp> ? verifyColumns(op, matrices) : success();
  }
};
} // namespace

void tile::addMatrixLimits(MLIRContext &context) {
  attachModels<MatrixLimits, CholeskyDerivativeOp, CholeskyOp, LdltOp,
               TriangularSolveOp, LuOp, SolveOp, InverseOp, DeterminantOp,
               LogDetOp, OneSidedJacobiOp, EighOp, HouseholderOp,
               ApplyHouseholderOp, QrOp, LeastSquaresOp, SvdOp>(context);
}
