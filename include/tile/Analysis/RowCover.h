// RowCover.h - unaligned rows, by the chunks that cover them
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A thread reads 16 bytes of an array from a multiple of 16 bytes on. Rows of
// 8- and 16-bit elements may be unaligned if nothing is known of an array's
// strides. They are copied as the aligned chunks that cover them, one more than
// they have, and shifted once they are in shared memory:
//
//   array           |..aaaaaa|aaaaaaaa|aa......|
//   buffer, ends    |..aaaaaa|aaaaaaaa|  |aa      |    tile.copy_async
//   buffer          |aaaaaaaa|aaaaaaaa|                tile.align_rows
//
// The last chunks are apart, so that the buffer keeps the tile's layout: what
// cp.async writes enters shared memory in a pass for each line of 128 bytes of
// the array and each of shared memory (measured on an H200), and rows of a line
// and a chunk would be in two.

#ifndef TILE_ANALYSIS_ROWCOVER_H
#define TILE_ANALYSIS_ROWCOVER_H

#include "tile/Analysis/SharedAccess.h"

namespace tile {

/// Whether a load of a tile in shared memory is copied by the chunks that cover
/// its rows: nothing is known of their alignment, they are whole chunks in the
/// array and in shared memory, their offset is known not to be negative, and
/// there is room for their ends.
bool needsCover(CopyableOpInterface load);

/// Returns the type of the buffer for the last chunks of such a load's rows.
mlir::MemRefType getEndsType(CopyableOpInterface load);
/// Returns the bytes of that buffer; zero for a load that is not copied so.
int64_t getEndsBytes(CopyableOpInterface load);

/// Whether a box can be copied so and its rows be shifted (C3 and C4 of
/// tile.align_rows). @p ends null for none.
bool canCover(mlir::MemRefType array, mlir::Value buffer, mlir::Value ends);

/// How the block's threads shift the rows of `box`: each lane takes one chunk,
/// each row is shifted by one warp. A warp reads the part of a row that it
/// needs before its first write in `parts` accesses, one after the other.
struct RowShiftPlan : AccessPlan {
  int64_t parts;
};
RowShiftPlan planRowShift(llvm::ArrayRef<int64_t> box, int64_t contiguous,
                          int64_t elementBytes, int64_t numWarps);

} // namespace tile

#endif // TILE_ANALYSIS_ROWCOVER_H
