// LowerControlFlow.h - loops and conditions into blocks and branches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LOWERCONTROLFLOW_H
#define TILE_CONVERSION_TILETONVGPU_LOWERCONTROLFLOW_H

#include "mlir/IR/Operation.h"

namespace tile {

/// Replaces scf operations inside `root` by cf operations, like upstream's
/// patterns, but in a time proportional to the number of operations: upstream's
/// pass proceeds from the first scf operation to the last, and moves all
/// operations after each of them to a new block.
void lowerControlFlow(mlir::Operation *root);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LOWERCONTROLFLOW_H
