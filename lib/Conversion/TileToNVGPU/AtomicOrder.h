// AtomicOrder.h - what atomic accesses and fences order, and for whom
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A release is that of the whole block: what all threads did before is behind a
// barrier, and an acquire the other way round.

#ifndef TILE_CONVERSION_TILETONVGPU_ATOMICORDER_H
#define TILE_CONVERSION_TILETONVGPU_ATOMICORDER_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// As NVPTX calls it.
llvm::StringRef getScopeName(AtomicScope scope);

bool isRelease(AtomicOrder order);
bool isAcquire(AtomicOrder order);

/// Before a relaxed access that releases, if it does.
void emitRelease(mlir::OpBuilder &builder, mlir::Location loc,
                 AtomicOrder order, AtomicScope scope);
/// After one that acquires.
void emitAcquire(mlir::OpBuilder &builder, mlir::Location loc,
                 AtomicOrder order, AtomicScope scope);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_ATOMICORDER_H
