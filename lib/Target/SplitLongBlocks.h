// SplitLongBlocks.h - split blocks that would take ptxas long
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TARGET_SPLITLONGBLOCKS_H
#define TILE_TARGET_SPLITLONGBLOCKS_H

#include "tile/Analysis/Architecture.h"

#include "llvm/IR/Module.h"

namespace tile {

/// Inserts a barrier of the warp into straight-line code every few hundred
/// instructions, before a shuffle, which all lanes of the warp execute anyway.
/// ptxas (13.0) schedules the code between two barriers as one block; before
/// compute capability 9.0 this takes a time that grows with the square of the
/// block's length.
void splitLongBlocks(llvm::Module &module, const Architecture &architecture);

} // namespace tile

#endif // TILE_TARGET_SPLITLONGBLOCKS_H
