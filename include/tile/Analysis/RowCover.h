// RowCover.h - copies of unaligned rows as the aligned chunks that cover them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An asynchronous copy reads 16 bytes of an array from an address that is a
// multiple of 16. If nothing is known of an array's strides, rows of 8- and
// 16-bit elements may be unaligned. Such a row is copied as the aligned chunks
// that cover it, one chunk more than the row has, and shifted once it is in
// shared memory:
//
//   array           |..aaaaaa|aaaaaaaa|aa......|
//   buffer, ends    |..aaaaaa|aaaaaaaa|  |aa      |    tile_gpu.copy_async
//   buffer          |aaaaaaaa|aaaaaaaa|                tile_gpu.align_rows
//
// The last chunks of rows are in a buffer of their own (ends), so that the
// tile's buffer keeps the tile's layout. This is also faster: cp.async needs a
// pass for each line of 128 bytes of the array and each line of shared memory
// (measured on an H200), and a row of 128 bytes together with its last chunk
// would be in two lines of shared memory.

#ifndef TILE_ANALYSIS_ROWCOVER_H
#define TILE_ANALYSIS_ROWCOVER_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Whether a load of a tile in shared memory can be copied as the chunks that
/// cover its rows. This requires that a row is a whole number of chunks which
/// are aligned in shared memory, that the offset along the row is known not to
/// be negative, and that shared memory has space for the last chunks.
bool canCover(CopyableOpInterface load);
/// Whether canCover holds, and the alignment of the rows is not known.
bool needsCover(CopyableOpInterface load);

/// Whether a box can be copied as the chunks that cover its rows, and its rows
/// can be shifted (C3 and C4 of tile_gpu.align_rows). `ends` may be null.
bool canCover(mlir::MemRefType array, mlir::Value buffer, mlir::Value ends);

/// Distribution of the work of shifting the rows of `box` over the block's
/// threads. Each row is shifted by one warp, in which each lane moves one chunk
/// at a time. Before its first write, a warp reads all of the row that it
/// needs, by `parts` accesses one after the other.
struct RowShiftPlan : AccessPlan {
  int64_t parts;
};
RowShiftPlan planRowShift(llvm::ArrayRef<int64_t> box, int64_t contiguous,
                          int64_t elementBytes, int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_ROWCOVER_H
