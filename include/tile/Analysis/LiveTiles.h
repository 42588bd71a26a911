// LiveTiles.h - how much of a kernel's tiles is live at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_LIVETILES_H
#define TILE_ANALYSIS_LIVETILES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Bytes of the tiles that are live at once where that is most, before storage
/// is assigned. Not counted are tiles that a thread makes where it needs them
/// (constants, places, and what is computed of them alone), and loads that
/// products alone read, which have a buffer. An elementwise operation's result
/// takes the place of an operand that ends with it.
int64_t countLiveTileBytes(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_LIVETILES_H
