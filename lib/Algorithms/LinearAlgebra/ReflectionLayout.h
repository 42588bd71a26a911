// ReflectionLayout.h - lanes that hold a matrix that is reflected
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_REFLECTIONLAYOUT_H
#define TILE_LIB_ALGORITHMS_REFLECTIONLAYOUT_H

#include "tile/IR/Tile.h"

namespace tile {

/// Distribution of a batch of matrices that are multiplied by reflections, or
/// contain them, over the threads of a block. Consecutive lanes, or the threads
/// of several warps, hold a matrix. If the registers suffice, a lane holds
/// whole columns, so that sums over rows stay in the lane; otherwise it holds
/// some rows of some columns.
class ReflectionLayout {
public:
  /// @param reflections the type of the matrices whose columns are the vectors
  /// of the reflections.
  explicit ReflectionLayout(TileType reflections);

  /// Whether the registers of a warp, or of a block, hold such matrices.
  static bool exists(TileType reflections);

  /// Returns the number of lanes that together hold a matrix; with `numWarps`,
  /// in a block of so many warps.
  int64_t getLanes() const { return rowLanes * columnLanes; }
  int64_t getLanes(int64_t numWarps) const;
  /// Whether each of `lanes` lanes has the registers for its columns.
  bool fits(int64_t lanes) const;

  /// Returns the layout of a tile of matrices with equally many rows: the
  /// reflections, or the matrices that are multiplied by them.
  RegisterLayout getLayout(TileType type, int64_t numWarps) const;
  /// Returns the type of a shared-memory buffer for reflections; null if the
  /// lanes of one warp hold each matrix, since these use shuffles instead. In
  /// step k, the lane that holds column k of a matrix writes the vector and
  /// scale of its reflection to the buffer, and all lanes of the matrix read
  /// them. The buffer has room for two reflections of each matrix, which steps
  /// use alternately, so that a step needs only one barrier.
  mlir::MemRefType getScratchType(int64_t numWarps) const;

private:
  TileType reflections;
  int64_t rowLanes, columnLanes;
  int64_t vector; ///< adjacent elements of a row in one lane
  bool isFactor;  ///< distributed by getFactorLayout
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_REFLECTIONLAYOUT_H
