// FactorLayouts.cpp - layouts in which matrices are factored, and the cost
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLayout.h"

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

static RegisterLayout getLayout(TileType type, int64_t numWarps) {
  return getFactorLayout(type.getShape(),
                         getElementBytes(type.getElementType()), numWarps);
}

/// Layout of a tile with one element for each matrix, in all lanes that have
/// some of the matrix.
static RegisterLayout getLayoutOfNumbers(const RegisterLayout &matrices) {
  int64_t rank = matrices.getRank();
  return matrices.dropDimension(rank - 1).dropDimension(rank - 2);
}

std::optional<RegisterLayout> CholeskyOp::getRequiredLayout(Value tile,
                                                            int64_t numWarps) {
  RegisterLayout layout = getLayout(getSource().getType(), numWarps);
  return tile == getStatus() ? getLayoutOfNumbers(layout) : layout;
}

std::optional<RegisterLayout> LdltOp::getRequiredLayout(Value tile,
                                                        int64_t numWarps) {
  RegisterLayout layout = getLayout(getSource().getType(), numWarps);
  return tile == getStatus() ? getLayoutOfNumbers(layout) : layout;
}

std::optional<RegisterLayout>
TriangularSolveOp::getRequiredLayout(Value tile, int64_t numWarps) {
  return getLayout(cast<TileType>(tile.getType()), numWarps);
}

/// A norm is in all lanes of a column, and a status in all of a matrix.
std::optional<RegisterLayout>
OneSidedJacobiOp::getRequiredLayout(Value tile, int64_t numWarps) {
  RegisterLayout layout =
      getColumnPairLayout(getSource().getType().getShape(), numWarps);
  if (tile == getNorms())
    return layout.dropDimension(layout.getRank() - 2);
  return tile == getStatus() ? getLayoutOfNumbers(layout) : layout;
}

/// A step of a factor is a reciprocal root, and for each element that is left
/// a shuffle or a part of one, a multiplication and its masks.
static int64_t getFactorInstructions(TileType type, int64_t elements) {
  constexpr int64_t kStep = 40, kElement = 3;
  return type.getShape().back() * (kStep + kElement * elements / 2);
}

int64_t CholeskyOp::getInstructions(int64_t elements, int64_t) {
  return getFactorInstructions(getSource().getType(), elements);
}

int64_t LdltOp::getInstructions(int64_t elements, int64_t) {
  return getFactorInstructions(getSource().getType(), elements);
}

int64_t TriangularSolveOp::getInstructions(int64_t elements, int64_t) {
  constexpr int64_t kStep = 30, kElement = 3;
  int64_t order = getTriangle().getType().getShape().back();
  return order * (kStep + kElement * elements);
}

/// Loop bodies count once: two rotations for each matrix, with shuffles of one
/// column in two, and the prologue and epilogue of the loops.
int64_t OneSidedJacobiOp::getInstructions(int64_t elements, int64_t) {
  constexpr int64_t kMatrix = 200, kElement = 16;
  int64_t share = 2 * getSource().getType().getShape().back();
  return kMatrix * llvm::divideCeil(elements, share) + kElement * elements;
}
