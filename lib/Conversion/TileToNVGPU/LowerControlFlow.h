// LowerControlFlow.h - loops and conditions into blocks and branches
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LOWERCONTROLFLOW_H
#define TILE_CONVERSION_TILETONVGPU_LOWERCONTROLFLOW_H

#include "mlir/IR/Operation.h"

namespace tile {

/// Replaces the scf operations inside by those of cf, like upstream's patterns,
/// but in a time that grows with the number of operations: upstream's pass goes
/// from the first operation to the last, and moves all operations after each to
/// a new block.
void lowerControlFlow(mlir::Operation *root);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LOWERCONTROLFLOW_H
