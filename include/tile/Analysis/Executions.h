// Executions.h - how often a block executes an operation
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_EXECUTIONS_H
#define TILE_ANALYSIS_EXECUTIONS_H

#include "tile/IR/Tile.h"

#include <optional>

namespace tile {

/// Where loops of constant bounds alone are around an operation of a kernel,
/// and the condition of a copy, if it has one, compares an induction variable
/// with a constant: the number of times. None where the run decides.
std::optional<int64_t> countExecutions(mlir::Operation *op);

} // namespace tile

#endif // TILE_ANALYSIS_EXECUTIONS_H
