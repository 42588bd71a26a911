// AscendingLoops.h - transposed loops whose iterations may run in any order
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_ASCENDINGLOOPS_H
#define TILE_LIB_GRADIENT_ASCENDINGLOOPS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Makes transposed loops run from the first iteration of the original loop to
/// the last one, instead of the reverse, if all that they carry are sums. The
/// boxes of an iteration then depend on its index alone, even if the number of
/// iterations differs from program to program.
void ascendLoops(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_ASCENDINGLOOPS_H
