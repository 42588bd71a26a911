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

std::optional<RegisterLayout> CholeskyOp::getRequiredLayout(Value tile,
                                                            int64_t numWarps) {
  TileType type = getSource().getType();
  RegisterLayout layout = getLayout(type, numWarps);
  if (tile != getStatus())
    return layout;
  // Of each matrix, in all lanes that have some of it.
  return layout.dropDimension(type.getRank() - 1)
      .dropDimension(type.getRank() - 2);
}

std::optional<RegisterLayout>
TriangularSolveOp::getRequiredLayout(Value tile, int64_t numWarps) {
  return getLayout(cast<TileType>(tile.getType()), numWarps);
}

/// A step of a factor is a reciprocal root, and for each element that is left
/// a shuffle or a part of one, a multiplication and its masks.
int64_t CholeskyOp::getInstructions(int64_t elements, int64_t) {
  constexpr int64_t kStep = 40, kElement = 3;
  int64_t order = getSource().getType().getShape().back();
  return order * (kStep + kElement * elements / 2);
}

int64_t TriangularSolveOp::getInstructions(int64_t elements, int64_t) {
  constexpr int64_t kStep = 30, kElement = 3;
  int64_t order = getTriangle().getType().getShape().back();
  return order * (kStep + kElement * elements);
}
