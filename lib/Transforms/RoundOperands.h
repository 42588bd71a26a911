// RoundOperands.h - rounding of operands that an instruction truncates
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tf32 instruction of a warpgroup takes f32 and truncates it to tf32, but
// tile.matmul rounds to nearest. So the operands are rounded before: lhs in the
// registers from which the instruction reads it, rhs in registers on its way
// from the array to shared memory. Rounding rhs in shared memory would take two
// more accesses of each element, and bandwidth is the limit of such a matmul.
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

/// Rounds the operands of such matmuls. @pre complete tilings.
void roundOperands(KernelOp kernel, const Architecture &architecture);

/// Returns the copy in shared memory that rounds a load into registers; null
/// for another load.
ConvertLayoutOp getRoundedCopy(CopyableOpInterface load);

/// Returns the load of which `tile`, in shared memory, is such a copy; null for
/// another tile.
CopyableOpInterface getRoundedLoad(mlir::Value tile);

/// Returns the operations in the matmul's block that make lhs from a tile
/// loaded into shared memory by rounding it in registers; the load is last.
/// Empty for another lhs.
llvm::SmallVector<mlir::Operation *>
getRoundingInRegisters(MatmulOpInterface op);

} // namespace tile

#endif // TILE_TRANSFORMS_ROUNDOPERANDS_H
