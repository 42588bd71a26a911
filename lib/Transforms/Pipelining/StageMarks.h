// StageMarks.h - the loads of a loop that may run ahead of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file decides which loads may have the marks that -tile-assign-stages
// sets and -tile-expand-pipeline expects.

#ifndef TILE_TRANSFORMS_STAGEMARKS_H
#define TILE_TRANSFORMS_STAGEMARKS_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// The most stages of a loop (see #tile.tiling, C2).
constexpr int64_t kMaxStages = 64;

/// Returns the reason why no load of the loop may be moved to earlier
/// iterations: the loop may write any array, orders the writes of blocks, or
/// compares its induction variable as unsigned. Returns an empty text if loads
/// may be moved.
llvm::StringRef whyNotAhead(mlir::scf::ForOp loop);
bool canRunAhead(mlir::scf::ForOp loop);

/// Whether an iteration of the loop may write an array.
bool mayWrite(mlir::scf::ForOp loop, mlir::Value array);

/// Returns the tile in shared memory that a load fills: the loaded tile itself
/// or, if it is converted in registers, the stored tile (ConvertedLoad.h).
/// Returns null if the load fills no shared memory.
mlir::Value getStagedTile(CopyableOpInterface load);

/// Returns the reason why a load of the loop's own block cannot run in an
/// earlier iteration, as an asynchronous copy or by way of registers. The text
/// is empty if it can: the load fills shared memory, has no pad value, reads an
/// array from outside the loop that the loop does not write, and has offsets
/// that do not depend on loop-carried values; so do the loads that are combined
/// with it in registers.
llvm::StringRef whyNotAhead(CopyableOpInterface load, mlir::scf::ForOp loop);
bool canLoadAhead(CopyableOpInterface load, mlir::scf::ForOp loop);

/// Whether a matmul adds to an accumulator that the loop carries, and nothing
/// else in the loop uses the accumulator.
bool isSumOf(MatmulOpInterface op, mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_TRANSFORMS_STAGEMARKS_H
