// ReflectionLayout.h - lanes that hold a matrix that is reflected
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_REFLECTIONLAYOUT_H
#define TILE_LIB_ALGORITHMS_REFLECTIONLAYOUT_H

#include "tile/IR/Tile.h"

namespace tile {

/// How a batch of matrices that are multiplied by reflections, or have them, is
/// spread over the threads of a block: consecutive lanes have a matrix, or the
/// threads of several warps. They have whole columns where registers hold them,
/// so that sums over rows stay in a lane, else some rows of some columns.
class ReflectionLayout {
public:
  /// @param reflections a type of matrices whose columns have the vectors.
  explicit ReflectionLayout(TileType reflections);

  /// Whether a warp's, or a block's, registers hold such matrices.
  static bool exists(TileType reflections);

  /// Lanes that have a matrix together.
  int64_t getLanes() const { return rowLanes * columnLanes; }
  int64_t getLanes(int64_t numWarps) const;
  /// Whether each of so many lanes has registers for its columns.
  bool fits(int64_t lanes) const;

  /// The layout of a tile of matrices that have as many rows: the reflections,
  /// or the matrices that are multiplied by them.
  RegisterLayout getLayout(TileType type, int64_t numWarps) const;
  /// Type of a buffer for the vectors and scales that lanes of several warps
  /// hand to each other, two of each for every matrix that a thread has columns
  /// of; null for one warp.
  mlir::MemRefType getScratchType(int64_t numWarps) const;

private:
  TileType reflections;
  int64_t rowLanes, columnLanes;
  int64_t vector; ///< neighbours in a row that a lane has
  bool isFactor;  ///< spread as matrices that are factored are
};

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_REFLECTIONLAYOUT_H
