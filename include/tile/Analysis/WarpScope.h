// WarpScope.h - which accesses to shared memory meet within a warp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses that conflict need a barrier of the block, unless the threads
// that meet in a byte are of one warp. Example, four warps:
//
//   tile.store_shared of (32,4,8):(8,256,1)     warp w: 256 w ... 256 w + 255
//   nvvm.bar.warp.sync
//   tile.load_shared by (32,4,8):(1,256,32)      warp w: the same

#ifndef TILE_ANALYSIS_WARPSCOPE_H
#define TILE_ANALYSIS_WARPSCOPE_H

#include "tile/IR/Tile.h"

namespace tile {

/// Whether the kernel's block is known to be one warp, so that all accesses
/// meet within it.
bool isOneWarp(KernelOp kernel);

/// Whether each byte that the operation accesses is known to be accessed by one
/// warp. The operation's layout determines this: it writes a tile to a whole
/// buffer or reads a tile from one.
bool areWarpsKnown(mlir::Operation *op);

/// Whether each byte that both operations access belongs to one warp, the same
/// in both.
bool meetWithinWarps(mlir::Operation *first, mlir::Operation *second);

/// Whether the operation orders the accesses that all lanes of a warp make
/// before it and after it.
bool isWarpBarrier(mlir::Operation *op);

/// Creates such an operation.
mlir::Operation *createWarpBarrier(mlir::OpBuilder &builder,
                                   mlir::Location loc);

} // namespace tile

#endif // TILE_ANALYSIS_WARPSCOPE_H
