// ReflectionLayouts.cpp - layouts, buffers and cost of reflections
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixThreads.h"
#include "ReflectionLayout.h"

using namespace mlir;
using namespace tile;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

/// A scale is in all lanes of a column.
static RegisterLayout getLayout(TileType reflections, Value tile, Value scales,
                                int64_t numWarps) {
  ReflectionLayout layout(reflections);
  if (tile != scales)
    return layout.getLayout(cast<TileType>(tile.getType()), numWarps);
  return layout.getLayout(reflections, numWarps)
      .dropDimension(reflections.getRank() - 2);
}

std::optional<RegisterLayout>
HouseholderOp::getRequiredLayout(Value tile, int64_t numWarps) {
  return getLayout(getSource().getType(), tile, getScales(), numWarps);
}

std::optional<RegisterLayout>
ApplyHouseholderOp::getRequiredLayout(Value tile, int64_t numWarps) {
  return getLayout(getReflections().getType(), tile, getScales(), numWarps);
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

void HouseholderOp::bufferize(Bufferizer &bufferizer) {
  addScratch(bufferizer, *this,
             ReflectionLayout(getSource().getType())
                 .getScratchType(bufferizer.getNumWarps()));
}

void ApplyHouseholderOp::bufferize(Bufferizer &bufferizer) {
  addScratch(bufferizer, *this,
             ReflectionLayout(getReflections().getType())
                 .getScratchType(bufferizer.getNumWarps()));
}

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

/// Loops of four steps or more, where a lane has columns of many rows, count
/// once: the emitted code serves that many.
static int64_t countEmittedSteps(TileType reflections) {
  int64_t rows = reflections.getShape().drop_back().back();
  int64_t steps = rows > 16 && rows <= 128 ? 4 : 1;
  return llvm::divideCeil(reflections.getShape().back(), steps);
}

/// A step is a norm, a root and a division, and for each element that is left
/// two multiplications and a part of a sum or a shuffle.
int64_t HouseholderOp::getInstructions(int64_t elements, int64_t) {
  constexpr int64_t kStep = 120, kElement = 4;
  return countEmittedSteps(getSource().getType()) *
         (kStep + kElement * elements / 2);
}

int64_t ApplyHouseholderOp::getInstructions(int64_t elements, int64_t) {
  constexpr int64_t kStep = 20, kElement = 2;
  return countEmittedSteps(getReflections().getType()) *
         (kStep + kElement * elements);
}
