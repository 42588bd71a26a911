// SharedRoom.h - shared memory that a kernel needs while a loop runs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Estimates for the passes that give circular buffers their size, before
// -tile-allocate-shared assigns bytes.

#ifndef TILE_TRANSFORMS_SHAREDROOM_H
#define TILE_TRANSFORMS_SHAREDROOM_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Returns the bytes of a tile's buffer. @pre the tile is in shared memory.
int64_t getTileBytes(mlir::Value tile);

/// Returns the bytes of the loads to shared memory, except `loads`, that are
/// needed while a loop runs.
int64_t getOtherLoadBytes(mlir::scf::ForOp loop,
                          llvm::ArrayRef<CopyableOpInterface> loads);

/// Returns the bytes of all tiles in shared memory, except those that `loads`
/// fill, that are needed while a loop runs, as if no bytes were reused.
int64_t getOtherBytes(mlir::scf::ForOp loop,
                      llvm::ArrayRef<CopyableOpInterface> loads);

/// Returns the bytes of the kernel's buffers, as if no bytes were reused.
int64_t getAllocatedBytes(KernelOp kernel);

/// Returns the number of blocks for which a multiprocessor has registers, if a
/// thread has 128, and at least one. @pre the kernel has a block size.
int64_t getBlocksByRegisters(KernelOp kernel, const Architecture &architecture);

/// Makes room for the exchanges of threads in the body of a loop, while `bytes`
/// of shared memory are in use: tiles on their way to an array are exchanged in
/// parts if that is necessary (Exchanges.h). A multiprocessor holds as
/// many blocks as without the exchanges, if a thread has 128 registers. Returns
/// false, and changes nothing, if there is not enough room.
bool makeRoomFor(mlir::scf::ForOp loop, int64_t bytes,
                 const Architecture &architecture);

} // namespace tile

#endif // TILE_TRANSFORMS_SHAREDROOM_H
