// AccessLayouts.h - layouts of rows that threads access side by side
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_ACCESSLAYOUTS_H
#define TILE_TRANSFORMS_ACCESSLAYOUTS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Returns, for each dimension, a number of which the start of every part is a
/// multiple. The parts are those that uses of `tiles`, which have one shape,
/// take (LayoutOpInterface::getSourceParts). Zero if no use takes parts along
/// the dimension; empty if no use takes parts.
llvm::SmallVector<int64_t> getParts(llvm::ArrayRef<mlir::Value> tiles);

/// Whether each part consists of the same values in every thread.
bool isInParts(const RegisterLayout &layout, llvm::ArrayRef<int64_t> parts);

/// Number of contiguous bytes along dimension `dim` that a warp has in one
/// access.
int64_t getRunBytes(const RegisterLayout &layout, int64_t dim,
                    mlir::Type element);

/// Divisor of a block's shared memory: a tile may take at most this fraction of
/// it on its way from or to an array.
constexpr int64_t kMaxScratchShare = 3;

/// Layouts of a block's tiles for accesses to arrays.
struct AccessLayouts {
  const Architecture &architecture;
  int64_t numWarps;

  /// Returns a layout with rows over the lanes, whose accesses are as wide as
  /// the array allows. If `isSpread`, they are narrower where a thread would
  /// otherwise have no element. Each thread has the same share of each part if
  /// this keeps the accesses as wide and gives no thread more to do.
  RegisterLayout get(ArrayAccessOpInterface access, bool isSpread,
                     llvm::ArrayRef<int64_t> parts) const;
  /// Returns such a layout for a tile without an access: rows of 16 bytes a
  /// thread.
  RegisterLayout get(TileType tile, bool isSpread,
                     llvm::ArrayRef<int64_t> parts) const;
  /// Whether an access of a tile in this layout would touch four times as many
  /// cache lines as its bytes fill, and only parts of their sectors: a lane has
  /// a row, or too few elements of a row are in neighbouring lanes. False if a
  /// thread has so few elements that the way through shared memory takes
  /// longer.
  /// @pre the tile is the access's.
  bool isScattered(ArrayAccessOpInterface access,
                   const RegisterLayout &layout) const;
  /// Returns the number of sectors that the accesses of a tile in this layout
  /// touch, counted per instruction, if rows start at sector boundaries.
  /// @pre the tile is the access's.
  int64_t countSectors(ArrayAccessOpInterface access,
                       const RegisterLayout &layout) const;

private:
  RegisterLayout getBlocked(TileType tile, int64_t vector,
                            const std::vector<int64_t> &order,
                            llvm::ArrayRef<int64_t> parts) const;
};

} // namespace tile

#endif // TILE_TRANSFORMS_ACCESSLAYOUTS_H
