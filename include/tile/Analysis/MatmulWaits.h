// MatmulWaits.h - the waits for a matmul in flight
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_MATMULWAITS_H
#define TILE_ANALYSIS_MATMULWAITS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Returns the operations that receive the tokens of `op`, except loops and
/// branches that carry them. The list is empty for an operation that starts no
/// matmul.
llvm::SmallVector<mlir::Operation *> findWaits(mlir::Operation *op);

} // namespace tile

#endif // TILE_ANALYSIS_MATMULWAITS_H
