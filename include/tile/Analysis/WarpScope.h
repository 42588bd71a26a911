// WarpScope.h - which accesses to shared memory meet within a warp
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two accesses that conflict need a barrier of the block, unless all threads
// that access the same byte belong to one warp. Example with four warps:
//
//   tile_gpu.store_shared of (32,4,8):(8,256,1)  warp w: 256 w ... 256 w + 255
//   nvvm.bar.warp.sync
//   tile_gpu.load_shared by (32,4,8):(1,256,32)  warp w: the same

#ifndef TILE_ANALYSIS_WARPSCOPE_H
#define TILE_ANALYSIS_WARPSCOPE_H

#include "tile/IR/Tile.h"

namespace tile {

/// Whether the kernel's block is known to be one warp, so that all accesses
/// meet within it.
bool isOneWarp(KernelOp kernel);

/// Whether each byte that the operation accesses is known to be accessed by one
/// warp only, which the operation's layout determines. The operation must write
/// a tile to a whole buffer or read a tile from one.
bool areWarpsKnown(mlir::Operation *op);

/// Whether each byte that both operations access is accessed by one warp only,
/// the same warp in both operations.
bool meetWithinWarps(mlir::Operation *first, mlir::Operation *second);

/// Whether the operation is a barrier of each warp. It orders all accesses that
/// lanes of a warp make before the barrier before those that they make after
/// it.
bool isWarpBarrier(mlir::Operation *op);

/// Whether all threads of the block meet directly before, or directly after,
/// the operation. Operations without effects may be in between.
bool meetDirectlyBefore(mlir::Operation *op);
bool meetDirectlyAfter(mlir::Operation *op);

/// Creates a barrier of each warp.
mlir::Operation *createWarpBarrier(mlir::OpBuilder &builder,
                                   mlir::Location loc);

} // namespace tile

#endif // TILE_ANALYSIS_WARPSCOPE_H
