// DeviceTemporaries.h - arrays that host functions allocate for kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_DEVICETEMPORARIES_H
#define TILE_LIB_TARGET_DEVICETEMPORARIES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Moves arrays that are passed to `launches` to device memory, if the host
/// function of the launch allocates them or they are constants. Such an array
/// is allocated by gpu.alloc, filled if it is a constant, and freed at its
/// `memref.dealloc` or at the end of its block. Fails if an operation of the
/// host would access it.
llvm::LogicalResult moveTemporariesToDevice(llvm::ArrayRef<LaunchOp> launches);

} // namespace tile

#endif // TILE_LIB_TARGET_DEVICETEMPORARIES_H
