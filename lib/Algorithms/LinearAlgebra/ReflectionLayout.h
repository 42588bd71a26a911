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
  /// Returns the type of the shared-memory buffer through which the lanes that
  /// hold a step's column pass the vector and scale of its reflection to the
  /// other lanes of the matrix. Each group of getLanes(numWarps) lanes has room
  /// for two vectors, each with its scale, per matrix that it holds: steps use
  /// them alternately, so that a step needs only one barrier. Null if each
  /// matrix is held by lanes of one warp, which use shuffles instead.
  mlir::MemRefType getScratchType(int64_t numWarps) const;

private:
  TileType reflections;
  int64_t rowLanes, columnLanes;
  int64_t vector; ///< adjacent elements of a row in one lane
  bool isFactor;  ///< distributed by getFactorLayout
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_REFLECTIONLAYOUT_H
