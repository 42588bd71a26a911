// EliminationLayout.cpp - lanes that hold a matrix that is eliminated by rows
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step, with the search for a pivot, a wait and a read of its row, costs a
// warp about as much for several matrices as for one. A matrix therefore has
// few lanes, each with several rows, if there are enough matrices to fill a
// warp.

#include "EliminationLayout.h"
#include "MatrixBlocks.h"
#include "MatrixThreads.h"

#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace tile;

/// Limits for whole matrices in a lane. For matrices of 8 rows, one lane takes
/// twice the instructions that 8 lanes take, but a warp then has up to 32
/// matrices instead of 4.
static constexpr int64_t kMaxRowsInLane = 8, kMinMatricesInLanes = 8;

/// A row of L is stored in the buffer before the row of U, which starts up to
/// three columns before the diagonal. The gap of four elements makes room for
/// both (lib/Conversion/TileToNVGPU/LinearAlgebra/WarpScratch.h).
Elimination::Elimination(LuOp op)
    : Elimination(op.getSource().getType(), /*sides=*/0, /*gap=*/4,
                  /*mayBeWhole=*/false) {}

Elimination::Elimination(SolveOp op)
    : Elimination(op.getMatrix().getType(),
                  op.getRhs().getType().getShape().back(), /*gap=*/0,
                  /*mayBeWhole=*/true) {}

Elimination::Elimination(InverseOp op)
    : Elimination(op.getSource().getType(), /*sides=*/0, /*gap=*/0,
                  /*mayBeWhole=*/true) {}

Elimination::Elimination(TileType matrix, int64_t sides, int64_t gap,
                         bool mayBeWhole)
    : matrix(matrix), columns(matrix.getShape().back() + sides), gap(gap),
      lanes(chooseLanes(mayBeWhole)) {}

/// Returns the number of registers that a lane's rows take.
int64_t Elimination::getRegisters(int64_t lanes) const {
  constexpr int64_t kRegisterBytes = 4;
  return llvm::divideCeil(getOrder(), lanes) * columns *
         getElementBytes(matrix.getElementType()) / kRegisterBytes;
}

int64_t Elimination::chooseLanes(bool mayBeWhole) const {
  if (areInBlocks(matrix))
    return llvm::PowerOf2Ceil(getOrder());
  constexpr int64_t kMaxRegisters = 136, kMinLanes = 2;
  int64_t matrices = llvm::product_of(matrix.getShape().drop_back(2));
  if (mayBeWhole && getOrder() <= kMaxRowsInLane &&
      matrices >= kMinMatricesInLanes && getRegisters(1) <= kMaxRegisters)
    return 1;
  int64_t most =
      std::clamp<int64_t>(llvm::PowerOf2Ceil(getOrder()), kMinLanes, kWarpSize);
  int64_t lanes = kMinLanes;
  while (lanes < most &&
         (matrices < kWarpSize / lanes || getRegisters(lanes) > kMaxRegisters))
    lanes *= 2;
  return lanes;
}

int64_t Elimination::getLanes(int64_t numWarps) const {
  return getLanesOfBlock(lanes, numWarps);
}

/// Lanes of several warps have one row each, and need fewer other registers. A
/// row without right-hand sides cannot be split further, so it is accepted in
/// any case: of the up to 256 registers of a row of complex<f64>, some are
/// spilled.
bool Elimination::fits(int64_t lanes) const {
  if (lanes >= getOrder() && columns == getOrder())
    return true;
  int64_t most = lanes > kWarpSize ? 200 : 184;
  return getRegisters(lanes) <= most;
}

RegisterLayout Elimination::getLayout(TileType type, int64_t numWarps) const {
  int64_t held = getLanes(numWarps);
  int64_t warps = getWarpsOfLanes(held);
  ArrayRef<int64_t> shape = type.getShape();
  int64_t rank = shape.size(), row = rank - 2, column = rank - 1;
  RegisterLayoutBuilder builder(rank);
  builder.fill(column, shape[column]);
  builder.add(RegisterLayout::kLane, row, held / warps);
  builder.add(RegisterLayout::kWarp, row, warps);
  builder.fill(row, shape[row]);
  spreadBatch(builder, shape, held, numWarps);
  return builder.build();
}

/// The buffer has a row for each row of the matrix, and one for the row
/// indices.
MemRefType Elimination::getScratchType(int64_t numWarps) const {
  if (lanes == 1)
    return MemRefType();
  return getMatrixBuffer(matrix.getElementType(),
                         numWarps * kWarpSize / getLanes(numWarps),
                         getOrder() + 1, columns + gap);
}
