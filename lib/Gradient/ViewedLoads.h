// ViewedLoads.h - loads of the boxes that views take
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_VIEWEDLOADS_H
#define TILE_LIB_GRADIENT_VIEWEDLOADS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Replaces views of tiles that are loaded from arrays, of which the kernel
/// only uses views, by loads of the views' boxes. The cotangent of a view is
/// then stored to its elements of the gradient; that of a view in a loop would
/// otherwise be inserted into the whole tile, in each iteration.
void loadViews(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_VIEWEDLOADS_H
