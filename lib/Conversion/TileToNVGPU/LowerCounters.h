// LowerCounters.h - counters of channels as indices of stages
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_CONVERSION_TILETONVGPU_LOWERCOUNTERS_H
#define TILE_LIB_CONVERSION_TILETONVGPU_LOWERCOUNTERS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces each counter of a kernel by the index of the stage that it
/// addresses, and each stage by a subview of its circular buffer.
void lowerCounters(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_CONVERSION_TILETONVGPU_LOWERCOUNTERS_H
