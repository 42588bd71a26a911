// RoundOperands.h - operands of which an instruction cuts off bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products of tf32 by a warpgroup take f32 and cut off what tf32 has not,
// where tile.matmul rounds to nearest. So their operands are rounded before,
// lhs in the registers that the instruction takes it in, rhs in registers on
// its way from the array to shared memory: rounding it there would be two more
// accesses of each element, where bandwidth is what limits the product.
//
//   %a = tile.load %A[%m, %k]                             shared
//   %x = tile.round_tf32 %a                               registers
//   %b = tile.load %B[%k, %n]                             registers
//   %r = tile.round_tf32 %b                               registers
//   %y = tile.convert_layout %r                           shared
//   %d = tile.matmul %x, %y, %c precision tf32

#ifndef TILE_TRANSFORMS_ROUNDOPERANDS_H
#define TILE_TRANSFORMS_ROUNDOPERANDS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Rounds the operands of such products. @pre complete tilings.
void roundOperands(KernelOp kernel, const Architecture &architecture);

/// What a load into registers becomes for one product, rounded, in shared
/// memory; null for another load.
ConvertLayoutOp getRoundedCopy(CopyableOpInterface load);

/// The load of which a tile in shared memory is such a copy; null for another.
CopyableOpInterface getRoundedLoad(mlir::Value tile);

/// What makes an operand of loaded tiles in shared memory by rounding them in
/// registers, in the product's block, last what is loaded; empty for another.
llvm::SmallVector<mlir::Operation *>
getRoundingInRegisters(ProductOpInterface op);

} // namespace tile

#endif // TILE_TRANSFORMS_ROUNDOPERANDS_H
