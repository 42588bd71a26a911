// TileGpu.h - the tile_gpu dialect, to which phases lower kernels
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_GPU_TILEGPU_H
#define TILE_IR_GPU_TILEGPU_H

#include "tile/IR/Tile.h"

#include "mlir/Interfaces/ViewLikeInterface.h"

#include "tile/IR/Gpu/TileGpuDialect.h.inc"

namespace tile_gpu {

/// The events that can complete a fill of a channel.
enum class Arrival {
  kGroup, ///< a group of asynchronous copies (PTX ISA, "cp.async.wait_group")
  kStores ///< stores by the threads, which a barrier orders
};

} // namespace tile_gpu

#include "tile/IR/Gpu/CopyMechanismInterface.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tile/IR/Gpu/TileGpuAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tile/IR/Gpu/TileGpuTypes.h.inc"

namespace tile_gpu {

/// Returns the type of the counters of a channel or of a circular buffer.
CounterType getCounterType(mlir::Type type);

/// Returns the type of a stage of a circular buffer, whose first dimension is
/// that of its stages.
mlir::Type getStageType(mlir::Type buffer);

} // namespace tile_gpu

#define GET_OP_CLASSES
#include "tile/IR/Gpu/TileGpuOps.h.inc"

#endif // TILE_IR_GPU_TILEGPU_H
