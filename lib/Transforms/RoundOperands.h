// RoundOperands.h - rounding of operands that an instruction truncates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tf32 instruction of a warpgroup takes f32 and truncates it to tf32, but
// tile.matmul is defined to round to nearest. So the operands are rounded
// before the instruction: lhs in the registers from which the instruction reads
// it, rhs in registers on its way from the array to shared memory
// (ConvertedLoad.h). Rounding rhs in shared memory would access each element
// twice more, and the bandwidth of shared memory limits such a matmul.
//
//   %a = tile.load %A[%m, %k]                             shared
//   %x = tile.round_tf32 %a                               registers
//   %b = tile.load %B[%k, %n]                             registers
//   %r = tile.round_tf32 %b                               registers
//   %y = tile.convert_layout %r                           shared
//   %d = tile.matmul %x, %y, %c precision tf32

#ifndef TILE_TRANSFORMS_ROUNDOPERANDS_H
#define TILE_TRANSFORMS_ROUNDOPERANDS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Rounds the operands of the matmuls whose instruction would truncate them.
/// @pre every matmul has a complete tiling.
void roundOperands(KernelOp kernel);

/// Returns the operations in the matmul's block that make its lhs by reading a
/// tile from shared memory and rounding it in registers, from the last
/// operation to the load of the tile. The list is empty for any other lhs.
llvm::SmallVector<mlir::Operation *>
getRoundingInRegisters(MatmulOpInterface op);

} // namespace tile

#endif // TILE_TRANSFORMS_ROUNDOPERANDS_H
