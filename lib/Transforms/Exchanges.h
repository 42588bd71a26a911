// Exchanges.h - exchanges of a tile's elements through shared memory
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A conversion between register layouts that moves elements between warps is a
// write to a buffer and a read from it. A result on its way to an array takes
// its whole size there. If threads exchange it part by part, it takes the size
// of one:
//
//   %rows = tile.convert_layout %result : ... to ...             before
//   tile.store %rows, %array[%i, %j]
//
//   %a = tile.view %result[0, 0]                                 after
//   %a_rows = tile.convert_layout %a
//   %b = tile.view %result[0, 128]
//   %b_rows = tile.convert_layout %b
//   %rows = tile.join %a_rows, %b_rows axis 1
//   tile.store %rows, %array[%i, %j]

#ifndef TILE_TRANSFORMS_EXCHANGES_H
#define TILE_TRANSFORMS_EXCHANGES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the layout of the buffer through which threads exchange a tile of
/// type `from`, to hold it in the layout of `to`.
SharedAttr getExchangeLayout(TileType from, TileType to);

/// Returns the bytes of the buffer. @pre isExchange(op).
int64_t getExchangedBytes(mlir::Operation *op);

/// Returns the fewest parts in which threads can exchange the tile, so that
/// each takes at most `bytes` of shared memory; nothing if there are none. Only
/// a tile that is stored has parts: its layout may change. They are at least
/// kMinRowBytes of a row (AccessLayouts.h), and consist of whole registers.
/// @pre isExchange(op).
std::optional<int64_t> getExchangedParts(mlir::Operation *op, int64_t bytes);

/// Replaces the exchange by that of `numParts` parts.
/// @pre getExchangedParts returned this result.
void exchangeInParts(mlir::Operation *op, int64_t numParts);

} // namespace tile

#endif // TILE_TRANSFORMS_EXCHANGES_H
