// PassOrder.h - preconditions of the passes of phases 3 to 8
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PASSORDER_H
#define TILE_TRANSFORMS_PASSORDER_H

#include "tile/IR/Tile.h"

namespace tile {

/// Verifies that the passes before `pass` have run, and that the kernel has no
/// operation which only `pass` or a later pass creates. The error is at an
/// operation, and names the pass that is missing or has already run.
llvm::LogicalResult verifyPassOrder(KernelOp kernel, TilePass pass);

/// Verifies that each operation on tiles declares the properties that a phase
/// requires: it is elementwise, implements `Interface`, or only passes tiles
/// on.
template <typename Interface>
llvm::LogicalResult verifyDeclared(KernelOp kernel, llvm::StringRef interface) {
  mlir::WalkResult result =
      kernel.walk([&](mlir::Operation *op) -> mlir::WalkResult {
        bool isKnown = mlir::isa<Interface>(op) ||
                       op->hasTrait<mlir::OpTrait::Elementwise>() ||
                       handsTilesOn(op);
        if (isKnown || !hasTiles(op))
          return mlir::WalkResult::advance();
        return op->emitError("expected an operation with ")
               << interface << ", got '" << op->getName() << "'";
      });
  return llvm::failure(result.wasInterrupted());
}

} // namespace tile

#endif // TILE_TRANSFORMS_PASSORDER_H
