// All operations of the tile_gpu dialect, by chapter.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_TILEGPUOPS
#define TILE_IR_GPU_TILEGPUOPS

include "tile/IR/Gpu/BufferOps.td"
include "tile/IR/Gpu/ChannelOps.td"
include "tile/IR/Gpu/CopyOps.td"
include "tile/IR/Gpu/MmaOps.td"

#endif // TILE_IR_GPU_TILEGPUOPS
