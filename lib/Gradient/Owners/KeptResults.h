// KeptResults.h - results of loops that another kernel needs
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If a loop becomes an axis of the grid, its programs would run the loops
// before it again, each of them. The results of those are stored by another
// kernel instead, one for each program of the original grid: for attention, the
// maximum and the sum of each row.

#ifndef TILE_LIB_GRADIENT_KEPTRESULTS_H
#define TILE_LIB_GRADIENT_KEPTRESULTS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Lists the values from which a loop's iterations compute what depends on
/// loops before it: results of these loops, or of reductions of their results,
/// which are smaller. Empty if such a value is no tile.
llvm::SmallVector<mlir::Value> listLoopResults(mlir::Operation *loop);

/// Stores a value to `array`, an argument of its kernel (program, 1, the
/// value's dimensions).
void keepResult(mlir::Value value, mlir::Value array);

/// Makes a kernel load the value that keepResult() stores to `array`, and
/// erases the store.
void loadResult(mlir::Value array);

} // namespace tile

#endif // TILE_LIB_GRADIENT_KEPTRESULTS_H
