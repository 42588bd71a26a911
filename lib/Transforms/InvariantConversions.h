// InvariantConversions.h - copies that every iteration of a loop repeats
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_INVARIANTCONVERSIONS_H
#define TILE_TRANSFORMS_INVARIANTCONVERSIONS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Moves conversions to shared memory out of the loops that do not change the
/// converted tile, as long as the moved tiles take little shared memory. All
/// layouts are assigned.
void hoistInvariantConversions(KernelOp kernel);

} // namespace tile

#endif // TILE_TRANSFORMS_INVARIANTCONVERSIONS_H
