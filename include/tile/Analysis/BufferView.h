// BufferView.h - a part of a buffer, and the layout that it has
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ANALYSIS_BUFFERVIEW_H
#define TILE_ANALYSIS_BUFFERVIEW_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace tile {

/// A view of a buffer in shared memory, and the buffer's layout in the view's
/// dimensions, as if the view began at the buffer's first element.
struct BufferView {
  mlir::memref::AllocOp allocation;
  SharedAttr shared;
  /// Elements from the first one of the buffer, or of its slot in a ring, to
  /// the view's; none where the run decides.
  std::optional<int64_t> start;

  llvm::SmallVector<int64_t> getBox() const { return shared.getBox(); }
};

/// The view that subviews, transposes and casts of one allocation make; none
/// where its layout cannot be brought to the view.
std::optional<BufferView> getBufferView(mlir::Value view);

/// The box of a view along the view's dimensions, which is at least as large as
/// the view, and what accesses it allows.
struct BufferBox {
  llvm::SmallVector<int64_t> extents;
  /// The dimension whose neighbours are one element apart.
  int64_t contiguous;
  /// The most elements, a power of two of at most 16 bytes, of an access along
  /// it: what strides, swizzle and the offsets of views keep aligned at each
  /// multiple of them.
  int64_t maxVector;
};

/// None for a view of no resolved buffer, or of several slots of a ring.
std::optional<BufferBox> getBufferBox(mlir::Value view);

} // namespace tile

#endif // TILE_ANALYSIS_BUFFERVIEW_H
