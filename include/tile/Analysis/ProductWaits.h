// ProductWaits.h - the waits for a product in flight
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_PRODUCTWAITS_H
#define TILE_ANALYSIS_PRODUCTWAITS_H

#include "tile/IR/Tile.h"

namespace tile {

/// The operations that the tokens of `op` are given to, loops and branches that
/// carry them aside; none for what begins no product.
llvm::SmallVector<mlir::Operation *> findWaits(mlir::Operation *op);

} // namespace tile

#endif // TILE_ANALYSIS_PRODUCTWAITS_H
