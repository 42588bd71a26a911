// PassOrder.h - what a pass of phases 3 to 8 takes for granted of its kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PASSORDER_H
#define TILE_TRANSFORMS_PASSORDER_H

#include "tile/IR/Tile.h"

namespace tile {

/// Verifies that the passes before `pass` have left what it reads, and that the
/// kernel has no operation which only `pass` or a later one makes. The error is
/// at the operation, and names the pass that is missing or has run already.
llvm::LogicalResult verifyPassOrder(KernelOp kernel, TilePass pass);

/// Verifies that each operation on tiles says what a phase asks of it: it is
/// elementwise or has the interface, or hands tiles on.
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
