// AssignLayouts.h - the steps of -tile-assign-layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_ASSIGNLAYOUTS_H
#define TILE_TRANSFORMS_ASSIGNLAYOUTS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/ConvertLayout.h"

namespace tile {

/// Rewrites operations that have no layout of their own: full reductions into
/// one reduction for each axis, sorts into networks, shared constants into one
/// for each use, and matmul operands that are views which no instruction can
/// read into copies.
void simplifyForLayouts(KernelOp kernel, const Architecture &architecture);

/// Resolves every register storage, and inserts conversions and partial
/// reductions if layouts do not agree.
/// @pre simplifyForLayouts, and a complete tiling on every matmul.
void assignRegisterLayouts(KernelOp kernel, const Architecture &architecture);

/// Resolves every shared storage. @pre assignRegisterLayouts.
void assignSharedLayouts(KernelOp kernel, const Architecture &architecture);

/// Returns groups of an operation's tiles that have one layout: all tiles of an
/// elementwise operation, the groups that LayoutOpInterface specifies for other
/// operations.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
getLayoutGroups(mlir::Operation *op);

/// Returns the tile that a shared value is a view of, through views and
/// transposes.
mlir::Value getSharedRoot(mlir::Value value);

/// Returns the contiguous dimension of `root`, a tile in shared memory that is
/// not a view: the one of a declared layout, else the one along which the
/// tile's definition writes vectors.
int64_t chooseContiguousDimension(mlir::Value root);

} // namespace tile

#endif // TILE_TRANSFORMS_ASSIGNLAYOUTS_H
