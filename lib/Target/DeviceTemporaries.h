// DeviceTemporaries.h - arrays that a function of launches makes for kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_DEVICETEMPORARIES_H
#define TILE_LIB_TARGET_DEVICETEMPORARIES_H

#include "tile/IR/Tile.h"

namespace tile {

/// Makes the arrays that launches are given, and that their functions allocate
/// or have as constants, memory of the GPU: by gpu.alloc, filled where they are
/// constants, and freed where `memref.dealloc` does or at the end of their
/// block. Fails at an operation of the host that would access one.
llvm::LogicalResult moveTemporariesToDevice(llvm::ArrayRef<LaunchOp> launches);

} // namespace tile

#endif // TILE_LIB_TARGET_DEVICETEMPORARIES_H
