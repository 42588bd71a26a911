// AtomicOrder.h - order and scope of atomic accesses and fences
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A release or acquire applies to the whole block: a barrier precedes a
// release, and a barrier follows an acquire (OrderedAccessOpInterface). The
// lowering adds only the fences.

#ifndef TILE_CONVERSION_TILETONVGPU_MEMORY_ATOMICORDER_H
#define TILE_CONVERSION_TILETONVGPU_MEMORY_ATOMICORDER_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

/// Returns the scope's name in NVPTX.
llvm::StringRef getScopeName(AtomicScope scope);

/// Emits the fence that a release requires before its relaxed access.
void emitRelease(mlir::OpBuilder &builder, OrderedAccessOpInterface op,
                 AtomicScope scope);
/// Emits the fence that an acquire requires after its relaxed access.
void emitAcquire(mlir::OpBuilder &builder, OrderedAccessOpInterface op,
                 AtomicScope scope);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MEMORY_ATOMICORDER_H
