// LiveTiles.h - how much of a kernel's tiles is live at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_LIVETILES_H
#define TILE_ANALYSIS_LIVETILES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the most bytes of tiles that are live at the same time, before
/// storage is assigned. Not counted are tiles that a thread computes wherever
/// it needs them (constants, coordinates, and values computed only from these),
/// and loads that only matmuls read, which have a buffer. An elementwise
/// operation's result takes the registers of an operand that dies there.
int64_t countLiveTileBytes(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_LIVETILES_H
