// ComputedOperands.h - operands of products that are computed from loads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand that elementwise operations make of loaded tiles, for one product
// and nothing else, is computed in the registers that the product's
// instructions take it in. Its loads are copies into shared memory, which can
// run ahead of the loop, and each lane reads from there what it computes with:
//
//   %i = tile.load %B[%k, %n]                             shared
//   %f = tile.cast %i : i8 to f16                         registers
//   %s = tile.broadcast %scale                            registers
//   %b = arith.mulf %f, %s                                registers
//   %d = tile.matmul %a, %b, %c

#ifndef TILE_TRANSFORMS_COMPUTEDOPERANDS_H
#define TILE_TRANSFORMS_COMPUTEDOPERANDS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

#include "llvm/ADT/DenseSet.h"

namespace tile {

/// The computed operands of a kernel's products by matrix instructions. Values
/// with a declared storage belong to none.
class ComputedOperands {
public:
  ComputedOperands(KernelOp kernel, const Architecture &architecture);

  bool isComputed(mlir::OpOperand &operand) const {
    return operands.contains(&operand);
  }
  /// Whether a computed operand is all that reads the tile that `load` makes.
  bool isSource(mlir::Operation *load) const { return sources.contains(load); }

private:
  llvm::DenseSet<mlir::OpOperand *> operands;
  llvm::DenseSet<mlir::Operation *> sources;
};

} // namespace tile

#endif // TILE_TRANSFORMS_COMPUTEDOPERANDS_H
