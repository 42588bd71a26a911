// LiveTiles.h - how much of a kernel's tiles is live at a time
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_LIVETILES_H
#define TILE_ANALYSIS_LIVETILES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the bytes that a value takes while it is live.
using CountBytes = llvm::function_ref<int64_t(mlir::Value)>;

/// Returns the maximum of the bytes that values of a kernel, counted by
/// `count`, take at the same time.
int64_t countLiveBytes(KernelOp kernel, CountBytes count);

/// Returns the maximum of the bytes of tiles that are live at the same time,
/// before storage is assigned. Two kinds of tiles are not counted: tiles that a
/// thread can compute wherever it needs them (constants, coordinates, and
/// values computed only from these), and loaded tiles that only matmuls read,
/// which have a buffer. The result of an elementwise operation takes the
/// registers of an operand that is not used later.
int64_t countLiveTileBytes(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_LIVETILES_H
