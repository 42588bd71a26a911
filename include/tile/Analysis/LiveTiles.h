// LiveTiles.h - how much of a kernel's tiles is live at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_LIVETILES_H
#define TILE_ANALYSIS_LIVETILES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the maximum of the bytes of tiles that are live at the same time,
/// before storage is assigned. Two kinds of tiles are not counted: tiles that a
/// thread can compute wherever it needs them (constants, coordinates, and
/// values computed only from these), and loaded tiles that only matmuls read,
/// which have a buffer. The result of an elementwise operation takes the
/// registers of an operand that is not used later.
int64_t countLiveTileBytes(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_LIVETILES_H
