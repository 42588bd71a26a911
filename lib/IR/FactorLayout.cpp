// FactorLayout.cpp - which lanes hold a matrix that is factored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLayout.h"

#include "tile/Layout/RegisterLayoutBuilder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <numeric>

using namespace tile;

/// 128 registers of a thread.
int64_t tile::getMaxOrder(int64_t elementBytes) {
  return elementBytes <= 4 ? 64 : 44;
}

static constexpr int64_t kMostOneLaneARow = 16, kLanesAlongColumns = 4;

int64_t tile::getFactorLanes(int64_t order) {
  return order <= kMostOneLaneARow ? llvm::PowerOf2Ceil(order) : kWarpSize;
}

/// Elements of the widest vectors that rows of an array consist of, if they
/// begin at multiples of 16 bytes.
static int64_t getVector(int64_t extent, int64_t elementBytes) {
  int64_t vector = std::max<int64_t>(1, 16 / elementBytes);
  while (extent % vector != 0)
    vector /= 2;
  return vector;
}

/// Lanes along the columns: `most`, or as many as there are vectors.
static void spreadColumns(RegisterLayoutBuilder &builder, int64_t dim,
                          int64_t extent, int64_t vector, int64_t most) {
  int64_t lanes = std::min<int64_t>(most, llvm::PowerOf2Ceil(extent / vector));
  builder.add(RegisterLayout::kValue, dim, vector);
  builder.add(RegisterLayout::kLane, dim, lanes);
  builder.repeat(RegisterLayout::kLane, most / lanes);
  builder.fill(dim, extent);
}

/// The lanes along the columns are among those along the rows.
static void spreadRows(RegisterLayoutBuilder &builder, int64_t dim,
                       int64_t extent, int64_t vector) {
  // Eight lanes, four of them at steps of the vector.
  builder.add(RegisterLayout::kLane, dim, vector == 1 ? 1 : 2);
  builder.add(RegisterLayout::kValue, dim, std::max<int64_t>(1, vector / 2));
  builder.add(RegisterLayout::kLane, dim, vector == 1 ? 8 : 4);
  builder.fill(dim, extent);
}

RegisterLayout tile::getFactorLayout(llvm::ArrayRef<int64_t> shape,
                                     int64_t elementBytes, int64_t numWarps) {
  int64_t rank = shape.size(), row = rank - 2, column = rank - 1;
  int64_t order = shape[row];
  bool isLaneARow = order <= kMostOneLaneARow;
  RegisterLayoutBuilder builder(rank);
  spreadColumns(builder, column, shape[column],
                getVector(shape[column], elementBytes),
                isLaneARow ? 1 : kLanesAlongColumns);
  if (isLaneARow)
    builder.add(RegisterLayout::kLane, row, getFactorLanes(order));
  else
    spreadRows(builder, row, order, getVector(order, elementBytes));
  // The matrices of a batch over the lanes that are left, then over the warps.
  std::vector<int64_t> batch(row);
  std::iota(batch.rbegin(), batch.rend(), 0);
  builder.spread(batch, shape.vec(), kWarpSize / getFactorLanes(order),
                 numWarps);
  return builder.build();
}
