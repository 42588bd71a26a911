// ComputedOperands.h - operands of matmuls that are computed from loads
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operand that elementwise operations compute from loaded tiles, for one
// matmul and nothing else, is computed in the registers from which the matmul's
// instructions read it. Its loads are copies into shared memory, which can run
// ahead of the loop. Each lane reads the elements that it needs from there:
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

/// The computed operands of a kernel's matmuls by matrix instructions. Values
/// with a declared storage belong to no computed operand.
class ComputedOperands {
public:
  ComputedOperands(KernelOp kernel, const Architecture &architecture);

  bool isComputed(mlir::OpOperand &operand) const {
    return operands.contains(&operand);
  }
  /// Whether only a computed operand reads the tile that `load` loads.
  bool isSource(mlir::Operation *load) const { return sources.contains(load); }

private:
  llvm::DenseSet<mlir::OpOperand *> operands;
  llvm::DenseSet<mlir::Operation *> sources;
};

} // namespace tile

#endif // TILE_TRANSFORMS_COMPUTEDOPERANDS_H
