// InvariantConversions.h - copies that every iteration of a loop repeats
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_INVARIANTCONVERSIONS_H
#define TILE_TRANSFORMS_INVARIANTCONVERSIONS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/Tile.h"

namespace tile {

/// Moves copies in shared memory that matmuls read out of the loops that do not
/// change the copied tile, as long as the moved tiles take little shared
/// memory, and only if all tiles fit it at the same time. All layouts are
/// assigned.
void hoistInvariantConversions(KernelOp kernel,
                               const Architecture &architecture);

} // namespace tile

#endif // TILE_TRANSFORMS_INVARIANTCONVERSIONS_H
