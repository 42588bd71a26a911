// OrientMatmuls.h - matmuls of which only the transposed result is used
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_ORIENTMATMULS_H
#define TILE_IR_ORIENTMATMULS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces matmuls of which only the transposed result is used, in itself or
/// by elementwise operations on it, with matmuls of the transposed operands;
/// docs/Pipeline.md states when. A transpose of a matmul's operand in shared
/// memory costs nothing, but one of its result passes through shared memory.
///
///   %s = tile.matmul %q, transpose(%k), zeros                 before
///   %p = math.exp2 %s
///   %v = tile.matmul transpose(%p), %o, %w
///
///   %s = tile.matmul %k, transpose(%q), zeros                 after
///   %p = math.exp2 %s
///   %v = tile.matmul %p, %o, %w
void orientMatmuls(KernelOp kernel);

} // namespace tile

#endif // TILE_IR_ORIENTMATMULS_H
