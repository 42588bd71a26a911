// TileGpu.h - the tile_gpu dialect, to which phases lower kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_TILEGPU_H
#define TILE_IR_GPU_TILEGPU_H

#include "tile/IR/Tile.h"

#include "tile/IR/Gpu/TileGpuDialect.h.inc"

#define GET_OP_CLASSES
#include "tile/IR/Gpu/TileGpuOps.h.inc"

#endif // TILE_IR_GPU_TILEGPU_H
