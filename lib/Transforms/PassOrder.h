// PassOrder.h - what a pass of phases 3 to 6 takes for granted of its kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_PASSORDER_H
#define TILE_TRANSFORMS_PASSORDER_H

#include "tile/IR/Tile.h"

namespace tile {

/// The passes from tiles without a storage to buffers, in their order.
enum class TilePass {
  kAssignStorage,
  kAssignLayouts,
  kAssignStages,
  kExpandPipeline,
  kBufferize
};

/// Verifies that the passes before `pass` have left what it reads, and that the
/// kernel has no operation which only `pass` or a later one makes. The error is
/// at the operation, and names the pass that is missing or has run already.
llvm::LogicalResult verifyPassOrder(KernelOp kernel, TilePass pass);

} // namespace tile

#endif // TILE_TRANSFORMS_PASSORDER_H
