// NarrowSteps.h - shorter steps along K for the matmul of a loop
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_NARROWSTEPS_H
#define TILE_LIB_GRADIENT_NARROWSTEPS_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Divides each iteration of a loop that accumulates a matmul of loaded tiles
/// into several, if the extent along K is longer than 128 bytes: a loop over
/// programs has an extent of the output's tile as its step along K. Shorter
/// steps leave shared memory for more stages, or for a second block on the
/// multiprocessor. Other loops stay as they are.
void narrowSteps(mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_LIB_GRADIENT_NARROWSTEPS_H
