// Buffers.h - which buffer, and which of its bytes, an operation touches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_BUFFERS_H
#define TILE_ANALYSIS_BUFFERS_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tile {

/// Returns the allocation that a buffer is a view of; null for an array in
/// global memory.
mlir::memref::AllocOp getAllocation(mlir::Value buffer);

/// Returns the memref of which a memref is a view; null if it is no view.
mlir::Value getViewed(mlir::Value memref);

/// Returns the memory that a memref is a view of: an argument of the kernel, an
/// allocation, or a value that may be one of several.
mlir::Value getMemoryRoot(mlir::Value memref);

/// Whether an allocation is a circular buffer: it has one dimension more than
/// its layout, for stages.
bool hasStages(mlir::memref::AllocOp allocation);

/// Returns the number of stages of a circular buffer; one for other buffers.
int64_t getNumStages(mlir::memref::AllocOp allocation);

/// Return the bytes of one stage, and of the whole allocation.
int64_t getStageBytes(mlir::memref::AllocOp allocation);
int64_t getAllocationBytes(mlir::memref::AllocOp allocation);

/// Whether a buffer is small: warps exchange a few values through it, each of
/// which one barrier orders.
bool isExchangeBuffer(mlir::memref::AllocOp allocation);

/// The old names of getNumStages and getStageBytes, until version 0.4.
inline int64_t getNumSlots(mlir::memref::AllocOp allocation) {
  return getNumStages(allocation);
}
inline int64_t getSlotBytes(mlir::memref::AllocOp allocation) {
  return getStageBytes(allocation);
}

} // namespace tile

#endif // TILE_ANALYSIS_BUFFERS_H
