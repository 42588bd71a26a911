// StoredOutputs.h - outputs that a kernel of gradients stores, too
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_STOREDOUTPUTS_H
#define TILE_LIB_GRADIENT_STOREDOUTPUTS_H

#include "tile/IR/Tile.h"

namespace tile {

/// Whether a kernel that does not write the arrays `others` reads memory for
/// its stores to `outputs` only: tiles, or elements that it updates atomically,
/// which nothing else needs. Another kernel then stores the outputs faster,
/// since it leaves the registers to the gradients.
bool readsForOutputs(KernelOp kernel, llvm::ArrayRef<unsigned> outputs,
                     llvm::ArrayRef<unsigned> others);

} // namespace tile

#endif // TILE_LIB_GRADIENT_STOREDOUTPUTS_H
