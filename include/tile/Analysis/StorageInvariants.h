// StorageInvariants.h - invariants of storages for all operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_STORAGEINVARIANTS_H
#define TILE_ANALYSIS_STORAGEINVARIANTS_H

#include "tile/IR/Tile.h"

#include <optional>
#include <string>

namespace tile {

/// Whether the tile has a storage with a layout.
bool isResolved(TileType tile);

/// Describes which of these conditions the storages of an operation's results
/// violate. The text is empty if they violate none:
/// - A tile's register layout is spread over all warps of the block, if
///   `numWarps` is known.
/// - A buffer holds a box of its layout, or several stages of it: it has the
///   rank of the layout or one dimension more, and static extents no larger
///   than the box.
std::string findStorageProblem(mlir::Operation *op,
                               std::optional<int64_t> numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_STORAGEINVARIANTS_H
