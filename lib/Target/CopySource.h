// CopySource.h - where accesses to arrays find their elements
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_TARGET_COPYSOURCE_H
#define TILE_LIB_TARGET_COPYSOURCE_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Where the box of a tile of this shape is that begins at these offsets of an
/// array, for a box inside it. What the run decides of addresses, the array's
/// base, offsets and strides, is taken for whole lines, and strides for those
/// of an array that is no larger than the box.
CopySource getBoxSource(mlir::MemRefType array, mlir::ValueRange offsets,
                        llvm::ArrayRef<int64_t> shape);

/// That of a copy by cp.async.
CopySource getCopySource(CopyAsyncOp op);

/// Of the chunks that the same copy's rows end in. @pre it has ends.
CopySource getEndsSource(CopyAsyncOp op);

} // namespace tile

#endif // TILE_LIB_TARGET_COPYSOURCE_H
