// AssignLayouts.h - the steps of -tile-assign-layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_ASSIGNLAYOUTS_H
#define TILE_TRANSFORMS_ASSIGNLAYOUTS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/ConvertLayout.h"

namespace tile {

/// Rewrites what has no layout of its own: full reductions into one an axis,
/// sorts into networks, shared constants into one a use, operands of products
/// that are views no instruction can read into copies.
void simplifyForLayouts(KernelOp kernel, const Architecture &architecture);

/// Resolves every register storage, and inserts conversions and partial
/// reductions where layouts do not agree.
/// @pre simplifyForLayouts, and a complete tiling on every product.
void assignRegisterLayouts(KernelOp kernel, const Architecture &architecture);

/// Resolves every shared storage. @pre assignRegisterLayouts.
void assignSharedLayouts(KernelOp kernel, const Architecture &architecture);

/// The tiles of an operation that have one layout, in groups: all of an
/// elementwise operation, of others what LayoutOpInterface says.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
getLayoutGroups(mlir::Operation *op);

/// The tile that a shared value is a view of, through views and transposes.
mlir::Value getSharedRoot(mlir::Value value);

/// The dimension of a tile in shared memory, which is no view, whose neighbours
/// are one element apart: that of a declared layout, else the one along which
/// the tile's definition writes vectors.
int64_t chooseContiguousDimension(mlir::Value root);

} // namespace tile

#endif // TILE_TRANSFORMS_ASSIGNLAYOUTS_H
