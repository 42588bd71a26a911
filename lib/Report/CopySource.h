// CopySource.h - addresses of the elements of array accesses
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_REPORT_COPYSOURCE_H
#define TILE_LIB_REPORT_COPYSOURCE_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Source of the box of shape `shape` that starts at `offsets` in `array`, for
/// a box inside it. Run-time parts of addresses (the array's base, offsets and
/// strides) are taken for whole lines, and run-time strides for those of an
/// array that is no larger than the box.
CopySource getBoxSource(mlir::MemRefType array, mlir::ValueRange offsets,
                        llvm::ArrayRef<int64_t> shape);

/// The source of a copy by cp.async.
CopySource getCopySource(CopyAsyncOp op);

/// The source of the chunks that the same copy's rows end in. @pre it has ends.
CopySource getEndsSource(CopyAsyncOp op);

} // namespace tile

#endif // TILE_LIB_REPORT_COPYSOURCE_H
