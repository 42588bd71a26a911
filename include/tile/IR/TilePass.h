// TilePass.h - the passes that give tiles storage
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_TILEPASS_H
#define TILE_IR_TILEPASS_H

namespace tile {

/// The passes from tiles without a storage to accesses of buffers, in their
/// order.
enum class TilePass {
  kAssignStorage,
  kAssignLayouts,
  kAssignStages,
  kExpandPipeline,
  kBufferize,
  kPlanAccesses
};

} // namespace tile

#endif // TILE_IR_TILEPASS_H
