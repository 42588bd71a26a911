// ProgramOrder.h - the order of a kernel's operations in the program
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_PROGRAMORDER_H
#define TILE_ANALYSIS_PROGRAMORDER_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/DenseMap.h"

namespace tile {

/// Indices of a kernel's operations in program order: of each operation, and of
/// the last one inside it, or itself.
struct ProgramOrder {
  explicit ProgramOrder(KernelOp kernel) {
    kernel.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *op) {
      begin[op] = next;
      for (mlir::Operation *around = op; around && around != kernel;
           around = around->getParentOp())
        end[around] = next;
      ++next;
    });
  }
  llvm::DenseMap<mlir::Operation *, int64_t> begin, end;
  int64_t next = 0;
};

} // namespace tile

#endif // TILE_ANALYSIS_PROGRAMORDER_H
