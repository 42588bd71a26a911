// StageMarks.h - which loads of a loop may run ahead of it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What -tile-assign-stages may mark and -tile-expand-pipeline expects of marks.

#ifndef TILE_TRANSFORMS_STAGEMARKS_H
#define TILE_TRANSFORMS_STAGEMARKS_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// The most stages of a loop (see #tile.tiling, C2).
constexpr int64_t kMaxStages = 64;

/// Why no load may be moved to earlier iterations: the loop may write any
/// array, orders what blocks write, or counts by unsigned numbers. Empty if
/// they may.
llvm::StringRef whyNotAhead(mlir::scf::ForOp loop);
bool canRunAhead(mlir::scf::ForOp loop);

/// The tile in shared memory that a load fills: its own or, rounded in
/// registers, that which a product reads (RoundOperands.h); null for none.
mlir::Value getStagedTile(CopyableOpInterface load);

/// Why a load of the loop's own block cannot run in an earlier iteration, as an
/// asynchronous copy or by way of registers: that is into shared memory,
/// without a pad value, of an array that the loop does not write, at offsets
/// that do not hang on what an iteration hands to the next. Empty if it can.
llvm::StringRef whyNotAhead(CopyableOpInterface load, mlir::scf::ForOp loop);
bool canLoadAhead(CopyableOpInterface load, mlir::scf::ForOp loop);

/// Whether a product adds to what the loop carries, and nothing else looks at
/// the sum.
bool isSumOf(ProductOpInterface op, mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_TRANSFORMS_STAGEMARKS_H
