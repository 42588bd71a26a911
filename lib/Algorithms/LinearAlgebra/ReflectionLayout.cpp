// ReflectionLayout.cpp - lanes that hold a matrix that is reflected
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReflectionLayout.h"

#include "FactorLayout.h"
#include "MatrixBlocks.h"
#include "MatrixThreads.h"

using namespace mlir;
using namespace tile;

static int64_t getBytes(TileType type) {
  return getElementBytes(type.getElementType());
}

static int64_t getNumRows(TileType type) {
  return type.getShape().drop_back().back();
}

/// Returns the number of elements that a lane holds of a matrix that is
/// distributed by getFactorLayout.
static int64_t getShareOfFactor(TileType type) {
  return getFactorLayout(type.getShape().take_back(2), getBytes(type),
                         /*numWarps=*/1)
      .getNumValues();
}

bool ReflectionLayout::exists(TileType reflections) {
  int64_t bytes = getBytes(reflections);
  return getNumRows(reflections) <= getMaxOrderInBlocks(bytes) ||
         getShareOfFactor(reflections) <= getMaxShare(bytes);
}

ReflectionLayout::ReflectionLayout(TileType reflections)
    : reflections(reflections), rowLanes(1), columnLanes(1), vector(1),
      isFactor(false) {
  constexpr int64_t kColumnBytes = 256; // a lane holds two
  int64_t rows = getNumRows(reflections), bytes = getBytes(reflections);
  if (rows * bytes <= kColumnBytes) {
    columnLanes = std::max<int64_t>(1, llvm::PowerOf2Ceil(rows) / 2);
    // Rows of eight elements are read by sectors of 32 bytes.
    vector = rows <= 8 ? 2 : 1;
    return;
  }
  if (getShareOfFactor(reflections) > getMaxShare(bytes)) {
    columnLanes = llvm::PowerOf2Ceil(reflections.getShape().back());
    return;
  }
  if (rows <= 64) {
    rowLanes = 2;
    columnLanes = kWarpSize / rowLanes;
    return;
  }
  isFactor = true;
  columnLanes = getFactorLanes(rows);
}

int64_t ReflectionLayout::getLanes(int64_t numWarps) const {
  return getLanesOfBlock(getLanes(), numWarps);
}

bool ReflectionLayout::fits(int64_t lanes) const {
  constexpr int64_t kMaxRegisters = 200, kRegisterBytes = 4;
  return lanes == getLanes() ||
         llvm::divideCeil(reflections.getShape().back(), lanes) *
                 getNumRows(reflections) * getBytes(reflections) <=
             kMaxRegisters * kRegisterBytes;
}

/// Distributes the columns over at most `lanes` lanes, of one or several warps;
/// further lanes hold replicas.
static void spreadColumns(RegisterLayoutBuilder &builder, int64_t dim,
                          int64_t extent, int64_t vector, int64_t lanes) {
  if (extent % vector != 0)
    vector = 1;
  int64_t used = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(extent / vector));
  int64_t inWarp = std::min(used, kWarpSize), warps = getWarpsOfLanes(used);
  builder.add(RegisterLayout::kValue, dim, vector);
  builder.add(RegisterLayout::kLane, dim, inWarp);
  builder.repeat(RegisterLayout::kLane, std::min(lanes, kWarpSize) / inWarp);
  builder.add(RegisterLayout::kWarp, dim, warps);
  builder.repeat(RegisterLayout::kWarp, getWarpsOfLanes(lanes) / warps);
  builder.fill(dim, extent);
}

RegisterLayout ReflectionLayout::getLayout(TileType type,
                                           int64_t numWarps) const {
  ArrayRef<int64_t> shape = type.getShape();
  if (isFactor)
    return getFactorLayout(shape, getBytes(type), numWarps);
  int64_t rank = shape.size(), row = rank - 2, column = rank - 1;
  int64_t lanes = getLanes(numWarps);
  RegisterLayoutBuilder builder(rank);
  spreadColumns(builder, column, shape[column], vector, lanes / rowLanes);
  builder.add(RegisterLayout::kLane, row, rowLanes);
  builder.fill(row, shape[row]);
  spreadBatch(builder, shape, lanes, numWarps);
  return builder.build();
}

/// Lanes of one warp need no buffer, since shuffles are faster: 65536 QR
/// factorizations of 64x64 took 4.0 ms by shuffles and 7.4 ms through a buffer,
/// and those of 32x32 took 550 and 563 us (H200).
MemRefType ReflectionLayout::getScratchType(int64_t numWarps) const {
  if (getLanes(numWarps) <= kWarpSize)
    return MemRefType();
  int64_t matrices =
      getLayoutOfScalars(getLayout(reflections, numWarps)).getNumValues();
  return getMatrixBuffer(reflections.getElementType(),
                         numWarps * kWarpSize / getLanes(numWarps),
                         2 * matrices, getNumRows(reflections) + 1);
}
