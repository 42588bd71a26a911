// RowPitch.h - the pitch of a tile's rows in a buffer of another shape
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_IR_ROWPITCH_H
#define TILE_IR_ROWPITCH_H

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace tile {

/// Returns the number of elements from one row (along the last dimension) of a
/// tile of `shape` to the next one in a buffer in shared memory. The buffer
/// must have the rows in row-major order, with the same number of unused
/// elements after each. Returns nothing if the size of the buffer contradicts
/// this, or if the buffer is a view or swizzled.
std::optional<int64_t> getRowPitch(mlir::MemRefType buffer,
                                   llvm::ArrayRef<int64_t> shape);

} // namespace tile

#endif // TILE_IR_ROWPITCH_H
