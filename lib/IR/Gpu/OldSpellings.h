// OldSpellings.h - earlier forms of the operations of tile_gpu and of copies
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Up to version 4 of the tile dialect's bytecode the operations of tile_gpu had
// names such as tile.copy_async. The old names stay registered, so that files
// can be read: text creates the operation of tile_gpu at once, bytecode when
// its version is upgraded. No other code meets an operation of an old name.

#ifndef TILE_LIB_IR_GPU_OLDSPELLINGS_H
#define TILE_LIB_IR_GPU_OLDSPELLINGS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Registers the old names of the operations of tile_gpu.
void addOldSpellings(TileDialect &dialect);

/// Replaces an operation of an old name by the operation of tile_gpu.
void upgradeOldSpelling(mlir::Operation *op);

/// Replaces the integer that marked a load which runs ahead, up to version 5 of
/// the tile dialect's bytecode, by a mechanism that can copy its tile:
/// cp_async, also for unaligned rows, or through_registers.
void upgradeCopyMark(mlir::Operation *op);

/// Replaces the unit attribute that a copy which covers rows had, up to version
/// 1 of the bytecode of tile_gpu, by the mechanism.
void upgradeCopyMechanism(mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_IR_GPU_OLDSPELLINGS_H
