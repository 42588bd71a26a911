// FactorLayout.cpp - lanes that hold a matrix that is factored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLayout.h"
#include "MatrixThreads.h"

#include "tile/Layout/RegisterLayoutBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tile;

/// The limit is 128 registers of a thread.
int64_t tile::getMaxOrder(int64_t elementBytes) {
  if (elementBytes <= 4)
    return 64;
  return elementBytes <= 8 ? 44 : 32;
}

/// The limit is 160 registers of a thread.
int64_t tile::getMaxSymmetricOrder(int64_t elementBytes) {
  return elementBytes <= 8 ? 64 : 44;
}

namespace {
/// Lanes along the rows and the columns of a matrix, and the maximum number of
/// adjacent elements of a row in a lane.
struct LaneGrid {
  int64_t rows, columns, maxVector;
};
} // namespace

/// A lane for each row would access half sectors if rows have more than 32
/// bytes, so it is used only for small matrices. For 16 columns over four
/// lanes, vectors of two give each lane some of the first columns, which are
/// finished early, and some of the last ones.
static LaneGrid getLaneGrid(int64_t order) {
  if (order <= 8)
    return {static_cast<int64_t>(llvm::PowerOf2Ceil(order)), 1, 4};
  if (order <= 16)
    return {4, 4, 2};
  return {8, 4, 4};
}

int64_t tile::getFactorLanes(int64_t order) {
  LaneGrid lanes = getLaneGrid(order);
  return lanes.rows * lanes.columns;
}

/// Returns the number of elements, at most `most`, of the widest vector that
/// divides a row of an array whose rows start at multiples of 16 bytes.
static int64_t getVector(int64_t extent, int64_t elementBytes, int64_t most) {
  int64_t vector = std::min(most, std::max<int64_t>(1, 16 / elementBytes));
  while (extent % vector != 0)
    vector /= 2;
  return vector;
}

/// Distributes the columns over all lanes along the columns or, if there are
/// fewer vectors, over as many lanes.
static void spreadColumns(RegisterLayoutBuilder &builder, int64_t dim,
                          int64_t extent, int64_t vector, LaneGrid grid) {
  int64_t lanes =
      std::min<int64_t>(grid.columns, llvm::PowerOf2Ceil(extent / vector));
  builder.add(RegisterLayout::kValue, dim, vector);
  builder.add(RegisterLayout::kLane, dim, lanes);
  builder.repeat(RegisterLayout::kLane, grid.columns / lanes);
  builder.fill(dim, extent);
}

/// Distributes the rows over the lanes along the rows. The first of these lanes
/// hold adjacent rows, whose indices are in one vector of columns; the others
/// follow at steps of the vector's length.
static void spreadRows(RegisterLayoutBuilder &builder, int64_t dim,
                       int64_t extent, int64_t vector, LaneGrid grid) {
  int64_t within = 1; // lanes whose rows are in one vector of columns
  if (grid.columns > 1)
    within = std::min(vector, grid.rows / grid.columns);
  else
    vector = 1;
  builder.add(RegisterLayout::kLane, dim, within);
  builder.add(RegisterLayout::kValue, dim, vector / within);
  builder.add(RegisterLayout::kLane, dim, grid.rows / within);
  builder.fill(dim, extent);
}

int64_t tile::getMaxShare(int64_t elementBytes) {
  int64_t order = getMaxOrder(elementBytes);
  return getFactorLayout({order, order}, elementBytes, 1).getNumValues();
}

RegisterLayout tile::getFactorLayout(llvm::ArrayRef<int64_t> shape,
                                     int64_t elementBytes, int64_t numWarps) {
  int64_t rank = shape.size(), row = rank - 2, column = rank - 1;
  int64_t order = shape[row];
  LaneGrid grid = getLaneGrid(order);
  auto getVectorOf = [&](int64_t dim) {
    return getVector(shape[dim], elementBytes, grid.maxVector);
  };
  RegisterLayoutBuilder builder(rank);
  spreadColumns(builder, column, shape[column], getVectorOf(column), grid);
  spreadRows(builder, row, order, getVectorOf(row), grid);
  spreadBatch(builder, shape, getFactorLanes(order), numWarps);
  return builder.build();
}

int64_t tile::getColumnPairLanes(int64_t order) {
  return llvm::PowerOf2Ceil(llvm::divideCeil(order, 2));
}

RegisterLayout tile::getColumnPairLayout(llvm::ArrayRef<int64_t> shape,
                                         int64_t numWarps) {
  int64_t rank = shape.size(), row = rank - 2, column = rank - 1;
  int64_t order = shape[row], lanes = getColumnPairLanes(order);
  RegisterLayoutBuilder builder(rank);
  builder.add(RegisterLayout::kValue, column, std::min<int64_t>(2, order));
  builder.add(RegisterLayout::kLane, column, lanes);
  builder.fill(column, order);
  builder.fill(row, order);
  spreadBatch(builder, shape, lanes, numWarps);
  return builder.build();
}
