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

  llvm::SmallVector<int64_t> getBox() const { return shared.getBox(); }
};

/// The view that subviews, transposes and casts of one allocation make; none
/// where its layout cannot be brought to the view.
std::optional<BufferView> getBufferView(mlir::Value view);

} // namespace tile

#endif // TILE_ANALYSIS_BUFFERVIEW_H
