// DeviceTemporaries.h - arrays that host functions allocate for kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_DEVICETEMPORARIES_H
#define TILE_LIB_TARGET_DEVICETEMPORARIES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Moves arrays that are passed to launches, and that their functions allocate
/// or have as constants, to device memory: they are allocated by gpu.alloc,
/// filled if they are constants, and freed at `memref.dealloc` or at the end of
/// their block. Fails if an operation of the host would access one.
llvm::LogicalResult moveTemporariesToDevice(llvm::ArrayRef<LaunchOp> launches);

} // namespace tile

#endif // TILE_LIB_TARGET_DEVICETEMPORARIES_H
