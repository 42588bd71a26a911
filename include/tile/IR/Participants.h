// Participants.h - the warps that run an operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_PARTICIPANTS_H
#define TILE_IR_PARTICIPANTS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Participants are the warps of a block that run an operation together:
/// layouts of its tiles are spread over them, and its barriers are for them.
/// Phases use the participants of an operation instead of the warps of its
/// kernel, so that parts of a kernel can run on some of the block's warps.
struct Participants {
  int64_t numWarps;

  int64_t getNumThreads() const { return numWarps * kWarpSize; }
};

/// Returns the participants of an operation in a kernel, or of a kernel's body:
/// all warps of the block. @pre the kernel has a block size.
inline Participants getParticipants(mlir::Operation *op) {
  auto kernel = llvm::dyn_cast<KernelOp>(op);
  return {(kernel ? kernel : op->getParentOfType<KernelOp>()).getNumWarps()};
}

/// Returns the participants that hold a tile: those of the operation that
/// defines it, or of the one in whose region it is an argument.
inline Participants getTileParticipants(mlir::Value tile) {
  mlir::Operation *op = tile.getDefiningOp();
  return getParticipants(op ? op : tile.getParentRegion()->getParentOp());
}

} // namespace tile

#endif // TILE_IR_PARTICIPANTS_H
