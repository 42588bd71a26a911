// LoadOnce.h - one load for boxes that several loops load
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_LOADONCE_H
#define TILE_LIB_GRADIENT_LOADONCE_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces loads in two or more loops of a block, whose boxes together are the
/// same small box of an array, by one load of this box before the loops, and
/// views of it. A gradient computes values of loops again: it loads in the loop
/// of the values, and in that of the cotangents.
void loadOnce(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_LOADONCE_H
