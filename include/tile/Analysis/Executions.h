// Executions.h - how often a block executes an operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_EXECUTIONS_H
#define TILE_ANALYSIS_EXECUTIONS_H

#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// Returns how many times a block executes an operation of a kernel. This is
/// known if all loops around the operation have constant bounds. If the
/// operation is a copy with a condition, the condition must compare an
/// induction variable with a constant. Otherwise returns nothing.
std::optional<int64_t> countExecutions(mlir::Operation *op);

} // namespace tile

#endif // TILE_ANALYSIS_EXECUTIONS_H
