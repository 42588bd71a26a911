// BufferView.h - a part of a buffer, and its layout
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_BUFFERVIEW_H
#define TILE_ANALYSIS_BUFFERVIEW_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tile {

/// A view of a buffer in shared memory. Its layout is that of the buffer in the
/// dimensions of the view, as if the view started at the buffer's first
/// element.
struct BufferView {
  mlir::memref::AllocOp allocation;
  SharedAttr shared;
  /// Number of elements from the first one of the buffer, or of its stage in a
  /// circular buffer, to the view's first one; empty if it is known only at run
  /// time.
  std::optional<int64_t> start;

  llvm::SmallVector<int64_t> getBox() const { return shared.getBox(); }
};

/// Describes the memref `view`, which subviews, transposes and casts make of
/// one allocation. Returns nothing if the allocation's layout cannot be
/// expressed in the view's dimensions.
std::optional<BufferView> getBufferView(mlir::Value view);

/// A box, in the dimensions of a view, that contains the view, and the widest
/// accesses to it.
struct BufferBox {
  llvm::SmallVector<int64_t> extents;
  /// The dimension along which adjacent elements are adjacent in memory.
  int64_t contiguous;
  /// Maximum number of elements of an access along that dimension: a power of
  /// two, with at most 16 bytes. Strides, swizzle and offsets of views keep
  /// each multiple of it aligned.
  int64_t maxVector;
};

/// Returns the box of a view. Returns nothing if the buffer has no layout yet
/// or the view contains several stages of a circular buffer.
std::optional<BufferBox> getBufferBox(mlir::Value view);

} // namespace tile

#endif // TILE_ANALYSIS_BUFFERVIEW_H
