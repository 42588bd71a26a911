// Executions.h - how often a block executes an operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_EXECUTIONS_H
#define TILE_ANALYSIS_EXECUTIONS_H

#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// Returns how many times an operation of a kernel is executed, if all loops
/// around it have constant bounds and the condition of a copy, if it has one,
/// compares an induction variable with a constant. Returns nothing if the count
/// is known only at run time.
std::optional<int64_t> countExecutions(mlir::Operation *op);

} // namespace tile

#endif // TILE_ANALYSIS_EXECUTIONS_H
