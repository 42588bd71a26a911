// EliminationLayouts.cpp - layouts, buffers and cost of eliminations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "EliminationLayout.h"
#include "MatrixThreads.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// The layout of `tile`; a status is in all lanes of its matrix.
static RegisterLayout getLayout(const Elimination &elimination, TileType matrix,
                                Value tile, Value status, int64_t numWarps) {
  if (tile != status)
    return elimination.getLayout(cast<TileType>(tile.getType()), numWarps);
  RegisterLayout layout = elimination.getLayout(matrix, numWarps);
  int64_t rank = layout.getRank();
  return layout.dropDimension(rank - 1).dropDimension(rank - 2);
}

/// An element of the permutation is in the lane of its row.
std::optional<RegisterLayout> LuOp::getRequiredLayout(Value tile,
                                                      int64_t numWarps) {
  TileType matrix = getSource().getType();
  if (tile == getPermutation())
    return Elimination(*this)
        .getLayout(matrix, numWarps)
        .dropDimension(matrix.getRank() - 1);
  return getLayout(Elimination(*this), matrix, tile, getStatus(), numWarps);
}

std::optional<RegisterLayout> SolveOp::getRequiredLayout(Value tile,
                                                         int64_t numWarps) {
  return getLayout(Elimination(*this), getMatrix().getType(), tile, getStatus(),
                   numWarps);
}

std::optional<RegisterLayout> InverseOp::getRequiredLayout(Value tile,
                                                           int64_t numWarps) {
  return getLayout(Elimination(*this), getSource().getType(), tile, getStatus(),
                   numWarps);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

template <typename Op>
static void addRows(Bufferizer &bufferizer, Op op) {
  addScratch(bufferizer, op,
             Elimination(op).getScratchType(bufferizer.getNumWarps()));
}

void LuOp::bufferize(Bufferizer &bufferizer) { addRows(bufferizer, *this); }

void SolveOp::bufferize(Bufferizer &bufferizer) { addRows(bufferizer, *this); }

void InverseOp::bufferize(Bufferizer &bufferizer) {
  addRows(bufferizer, *this);
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// A step is the search for a pivot, its row's way to the other lanes, and a
/// multiplication for each element that is left. Loops, for matrices of many
/// rows, count once: the emitted code serves that many steps.
static int64_t getEliminationInstructions(TileType matrix, int64_t elements,
                                          int64_t perElement) {
  constexpr int64_t kStep = 60;
  int64_t order = matrix.getShape().back();
  int64_t steps = llvm::divideCeil(order, order > 64 ? 4 : 1);
  return steps * (kStep + perElement * elements);
}

int64_t LuOp::getInstructions(int64_t elements, int64_t) {
  return getEliminationInstructions(getSource().getType(), elements, 1);
}

int64_t SolveOp::getInstructions(int64_t elements, int64_t) {
  return getEliminationInstructions(getMatrix().getType(), elements, 2);
}

int64_t InverseOp::getInstructions(int64_t elements, int64_t) {
  return getEliminationInstructions(getSource().getType(), elements, 2);
}
