// AtomicOrder.h - order and scope of atomic accesses and fences
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A release or acquire applies to the whole block: a barrier precedes a
// release, so that it covers the earlier accesses of all threads, and a barrier
// follows an acquire.

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_ATOMICORDER_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_ATOMICORDER_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Returns the scope's name in NVPTX.
llvm::StringRef getScopeName(AtomicScope scope);

bool isRelease(AtomicOrder order);
bool isAcquire(AtomicOrder order);

/// Emits the release that `order` requires before a relaxed access, if any.
void emitRelease(mlir::OpBuilder &builder, mlir::Location loc,
                 AtomicOrder order, AtomicScope scope);
/// Emits the acquire that `order` requires after a relaxed access, if any.
void emitAcquire(mlir::OpBuilder &builder, mlir::Location loc,
                 AtomicOrder order, AtomicScope scope);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_ATOMICORDER_H
