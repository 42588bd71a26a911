// FactorLayout.cpp - which lanes hold a matrix that is factored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FactorLayout.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace tile;

using Modes = RegisterLayout::Modes;

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

namespace {
/// Digits of a layout that is being made, dimension by dimension.
struct Digits {
  Modes lanes, warps, values;
  std::vector<int64_t> box;

  explicit Digits(int64_t rank) : box(rank, 1) {}

  void add(Modes &level, int64_t dim, int64_t extent) {
    level.push_back({extent, dim, box[dim]});
    box[dim] *= extent;
  }
  void repeat(Modes &level, int64_t extent) {
    level.push_back({extent, -1, 0});
  }
  /// Values for what is left of an extent.
  void fill(int64_t dim, int64_t extent) {
    add(values, dim, llvm::divideCeil(extent, box[dim]));
  }
};
} // namespace

/// Lanes along the columns: `most`, or as many as there are vectors.
static void spreadColumns(Digits &digits, int64_t dim, int64_t extent,
                          int64_t vector, int64_t most) {
  int64_t vectors = extent / vector;
  int64_t lanes = std::min<int64_t>(most, llvm::PowerOf2Ceil(vectors));
  digits.add(digits.values, dim, vector);
  digits.add(digits.lanes, dim, lanes);
  digits.repeat(digits.lanes, most / lanes);
  digits.fill(dim, extent);
}

/// The lanes along the columns are among those along the rows.
static void spreadRows(Digits &digits, int64_t dim, int64_t extent,
                       int64_t vector) {
  // Eight lanes, four of them at steps of the vector.
  digits.add(digits.lanes, dim, vector == 1 ? 1 : 2);
  digits.add(digits.values, dim, std::max<int64_t>(1, vector / 2));
  digits.add(digits.lanes, dim, vector == 1 ? 8 : 4);
  digits.fill(dim, extent);
}

/// The matrices of a batch over the lanes that are left, then over the warps.
static void spreadBatch(Digits &digits, llvm::ArrayRef<int64_t> batch,
                        int64_t lanes, int64_t warps) {
  for (int64_t dim = batch.size(); dim-- > 0;) {
    int64_t count = std::min<int64_t>(lanes, llvm::PowerOf2Ceil(batch[dim]));
    digits.add(digits.lanes, dim, count);
    lanes /= count;
  }
  for (int64_t dim = batch.size(); dim-- > 0;) {
    int64_t count =
        std::min<int64_t>(warps, llvm::divideCeil(batch[dim], digits.box[dim]));
    while (warps % count != 0)
      --count;
    digits.add(digits.warps, dim, count);
    warps /= count;
  }
  digits.repeat(digits.lanes, lanes);
  digits.repeat(digits.warps, warps);
  for (int64_t dim = batch.size(); dim-- > 0;)
    digits.fill(dim, batch[dim]);
}

RegisterLayout tile::getFactorLayout(llvm::ArrayRef<int64_t> shape,
                                     int64_t elementBytes, int64_t numWarps) {
  int64_t rank = shape.size(), row = rank - 2, column = rank - 1;
  int64_t order = shape[row];
  bool isLaneARow = order <= kMostOneLaneARow;
  Digits digits(rank);
  spreadColumns(digits, column, shape[column],
                getVector(shape[column], elementBytes),
                isLaneARow ? 1 : kLanesAlongColumns);
  if (isLaneARow)
    digits.add(digits.lanes, row, getFactorLanes(order));
  else
    spreadRows(digits, row, order, getVector(order, elementBytes));
  spreadBatch(digits, shape.drop_back(2), kWarpSize / getFactorLanes(order),
              numWarps);
  return RegisterLayout::fromModes(digits.lanes, digits.warps, digits.values,
                                   digits.box);
}
