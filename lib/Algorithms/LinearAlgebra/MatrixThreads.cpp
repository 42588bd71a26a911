// MatrixThreads.cpp - threads that together hold a matrix, and their buffer
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MatrixThreads.h"

#include "tile/Analysis/Alignment.h"
#include "tile/IR/ConvertLayout.h"

#include <numeric>

using namespace mlir;
using namespace tile;

int64_t tile::getWarpsOfLanes(int64_t lanes) {
  return std::max<int64_t>(1, lanes / kWarpSize);
}

int64_t tile::getLanesOfBlock(int64_t lanes, int64_t numWarps) {
  int64_t warps = getWarpsOfLanes(lanes);
  while (numWarps % warps != 0)
    warps /= 2;
  return std::min(lanes, warps * kWarpSize);
}

void tile::spreadBatch(RegisterLayoutBuilder &builder, ArrayRef<int64_t> shape,
                       int64_t lanes, int64_t numWarps) {
  std::vector<int64_t> batch(shape.size() - 2);
  std::iota(batch.rbegin(), batch.rend(), 0);
  builder.spread(batch, shape.vec(), kWarpSize / std::min(lanes, kWarpSize),
                 numWarps / getWarpsOfLanes(lanes));
}

RegisterLayout tile::getLayoutOfScalars(const RegisterLayout &matrices) {
  int64_t rank = matrices.getRank();
  return matrices.dropDimension(rank - 1).dropDimension(rank - 2);
}

MemRefType tile::getMatrixBuffer(Type element, int64_t numMatrices,
                                 int64_t numRows, int64_t numColumns) {
  int64_t vector = kMaxAccessBytes / getElementBytes(element);
  int64_t pitch = (llvm::divideCeil(numColumns, vector) | 1) * vector;
  SmallVector<int64_t> shape = {numMatrices, numRows | 1, pitch};
  SharedAttr shared =
      getRowsInShared(element.getContext(), shape, /*contiguous=*/2,
                      /*extra=*/0, SwizzleAttr(), kMaxAccessBytes);
  return MemRefType::get(shape, element, MemRefLayoutAttrInterface(), shared);
}
