// SavedOutputs.h - values that the kernel has stored
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_SAVEDOUTPUTS_H
#define TILE_LIB_GRADIENT_SAVEDOUTPUTS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Loads values that a derivative needs from `arrays`, to which the kernel has
/// stored them, and erases the stores. A value is loaded if all programs store
/// it, outside of loops and branches and without a mask, and if it takes longer
/// to compute than to load: by other than elementwise operations, reductions
/// and scans, or by these to fewer elements than they read. Elements outside of
/// an array, which nothing depends on, are one. A value that was rounded when
/// it was stored has the rounded value.
void loadSavedOutputs(KernelOp kernel,
                      llvm::ArrayRef<mlir::BlockArgument> arrays);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SAVEDOUTPUTS_H
