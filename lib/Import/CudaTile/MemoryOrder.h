// MemoryOrder.h - how a memory access of CUDA Tile orders others
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IMPORT_CUDATILE_MEMORYORDER_H
#define TILE_LIB_IMPORT_CUDATILE_MEMORYORDER_H

#include "KernelTranslator.h"

namespace tile::cudatile {

struct MemoryOrder {
  /// Whether the access is not atomic. It has no order and scope then.
  bool isWeak;
  AtomicOrder order;
  AtomicScope scope;
};

/// Returns the order of an access. Its scope is the GPU if it names none.
mlir::FailureOr<MemoryOrder> getMemoryOrder(KernelTranslator &t,
                                            const SourceOp &op);

} // namespace tile::cudatile

#endif // TILE_LIB_IMPORT_CUDATILE_MEMORYORDER_H
