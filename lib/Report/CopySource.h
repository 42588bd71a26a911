// CopySource.h - addresses of the elements of array accesses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_COPYSOURCE_H
#define TILE_LIB_REPORT_COPYSOURCE_H

#include "tile/Analysis/SharedAccess.h"
#include "tile/IR/Gpu/TileGpu.h"

namespace tile {

/// Returns the source of the box of shape `shape` that starts at `offsets` in
/// `array` and is inside it. Parts of addresses known only at run time (the
/// array's base, offsets and strides) are assumed to be multiples of whole
/// lines, and strides known only at run time to be those of an array no larger
/// than the box.
CopySource getBoxSource(mlir::MemRefType array, mlir::ValueRange offsets,
                        llvm::ArrayRef<int64_t> shape);

/// Returns the source of a copy by cp.async.
CopySource getCopySource(tile_gpu::CopyAsyncOp op);

/// Returns the source of the ends of a copy, the last chunks of its rows.
/// @pre the copy has ends.
CopySource getEndsSource(tile_gpu::CopyAsyncOp op);

} // namespace tile

#endif // TILE_LIB_REPORT_COPYSOURCE_H
