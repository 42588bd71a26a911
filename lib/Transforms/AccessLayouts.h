// AccessLayouts.h - layouts of rows that threads access side by side
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_ACCESSLAYOUTS_H
#define TILE_TRANSFORMS_ACCESSLAYOUTS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// How the uses of some tiles of one shape take them apart: along each
/// dimension all parts begin at multiples of this, zero where none does so
/// (LayoutOpInterface::getSourceParts). Empty for no parts.
llvm::SmallVector<int64_t> getParts(llvm::ArrayRef<mlir::Value> tiles);

/// Whether each part is the same values of every thread.
bool isInParts(const RegisterLayout &layout, llvm::ArrayRef<int64_t> parts);

/// Bytes side by side along a dimension that a warp has in one access.
int64_t getRunBytes(const RegisterLayout &layout, int64_t dim,
                    mlir::Type element);

/// The part of a block's shared memory that a tile may take on its way from or
/// to an array.
constexpr int64_t kMaxScratchShare = 3;

/// What the layouts of a block's tiles are made for.
struct AccessLayouts {
  const Architecture &architecture;
  int64_t numWarps;

  /// Accesses as wide as the array allows, or, where elements are spread, as
  /// leaves no thread without one; rows over the lanes. Each thread has as much
  /// of each part, where the accesses are as wide then and no thread has
  /// more to do.
  RegisterLayout get(ArrayAccessOpInterface access, bool isSpread,
                     llvm::ArrayRef<int64_t> parts) const;
  /// The same for a tile without an access: rows of 16 bytes a thread.
  RegisterLayout get(TileType tile, bool isSpread,
                     llvm::ArrayRef<int64_t> parts) const;
  /// Whether an access of a tile in this layout would touch four times as many
  /// lines of the cache as its bytes fill, and of each only parts of sectors: a
  /// lane has a row, or its neighbours too few of its places. Not where a
  /// thread has so little that a way through shared memory takes longer.
  /// @pre the tile is the access's.
  bool isScattered(ArrayAccessOpInterface access,
                   const RegisterLayout &layout) const;
  /// Sectors that the accesses of a tile in this layout touch, each instruction
  /// by itself, where rows begin at sectors.
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
