// AccessLayouts.h - layouts of rows that threads access side by side
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_ACCESSLAYOUTS_H
#define TILE_TRANSFORMS_ACCESSLAYOUTS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Returns, for each dimension, the greatest common divisor of the positions at
/// which the uses of `tiles` start parts of them
/// (LayoutOpInterface::getSourceParts). It is zero for a dimension along which
/// no use takes parts; the list is empty if no use takes parts at all.
/// @pre the tiles have the same shape.
llvm::SmallVector<int64_t> getParts(llvm::ArrayRef<mlir::Value> tiles);

/// Whether the layout gives each part, which starts at a multiple of `parts`,
/// the same value indices in every thread.
bool isInParts(const RegisterLayout &layout, llvm::ArrayRef<int64_t> parts);

/// Number of contiguous bytes along dimension `dim` that a warp has in one
/// access.
int64_t getRunBytes(const RegisterLayout &layout, int64_t dim,
                    mlir::Type element);

/// Returns the dimensions of a tile in the order of RegisterLayout::blocked:
/// `dim` first, the others from the last to the first.
std::vector<int64_t> getRowOrder(int64_t rank, int64_t dim);

/// A warp stores at least this many contiguous bytes of a row after an
/// exchange: two sectors.
constexpr int64_t kMinRowBytes = 64;

/// Returns a layout in rows along dimension `dim` in which each warp has the
/// same elements as in `source`, and each lane `vector` adjacent ones: threads
/// then exchange elements only within their warps. Returns nothing if lanes or
/// warps of `source` have the same elements, or if the rows of a warp are
/// shorter than kMinRowBytes.
std::optional<RegisterLayout> getRowsOfWarps(const RegisterLayout &source,
                                             int64_t dim, int64_t vector,
                                             mlir::Type element);

/// Divisor of a block's shared memory: a tile may take at most this fraction of
/// it on its way from or to an array.
constexpr int64_t kMaxScratchShare = 3;

/// Chooses layouts in which the threads of a block load and store tiles.
struct AccessLayouts {
  const Architecture &architecture;

  /// Returns a layout in which adjacent lanes have adjacent elements of a row,
  /// and accesses are as wide as the array allows. If `isSpread`, they are
  /// narrower where a thread would otherwise have no element. The layout gives
  /// each thread the same share of every part if the accesses stay as wide and
  /// no thread gets more to do.
  RegisterLayout get(ArrayAccessOpInterface access, bool isSpread,
                     llvm::ArrayRef<int64_t> parts) const;
  /// Returns a layout in rows for a value without an access: each thread has 16
  /// bytes of a row.
  RegisterLayout get(mlir::Value tile, bool isSpread,
                     llvm::ArrayRef<int64_t> parts) const;
  /// Whether an access of a tile in this layout would touch at least four times
  /// as many cache lines as its bytes fill, and only parts of their sectors,
  /// because each lane has a row of its own or too few adjacent lanes share a
  /// row. False if a thread has less than 64 bytes of the tile, since a
  /// conversion through shared memory would take longer.
  /// @pre the tile is the tile of `access`.
  bool isScattered(ArrayAccessOpInterface access,
                   const RegisterLayout &layout) const;
  /// Returns the number of sectors that an access of the tile in this layout
  /// touches, summed over the instructions of a warp, if rows start at sector
  /// boundaries.
  /// @pre the tile is the tile of `access`.
  int64_t countSectors(ArrayAccessOpInterface access,
                       const RegisterLayout &layout) const;

private:
  RegisterLayout getBlocked(TileType tile, int64_t vector, int64_t numWarps,
                            const std::vector<int64_t> &order,
                            llvm::ArrayRef<int64_t> parts) const;
};

} // namespace tile

#endif // TILE_TRANSFORMS_ACCESSLAYOUTS_H
