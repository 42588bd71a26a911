// HoistLoads.h - moves loads out of loops
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_HOISTLOADS_H
#define TILE_LIB_GRADIENT_HOISTLOADS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace tile {

/// Moves operations that are the same in all iterations before their loop:
/// those without effects, and loads of arrays that the kernel only reads. A
/// load that promises that its box is inside the array stays, since the loop
/// may run never.
void hoistLoads(mlir::scf::ForOp loop);

} // namespace tile

#endif // TILE_LIB_GRADIENT_HOISTLOADS_H
