// AssignLayouts.h - the steps of -tile-assign-layouts
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_TRANSFORMS_ASSIGNLAYOUTS_H
#define TILE_TRANSFORMS_ASSIGNLAYOUTS_H

#include "tile/Analysis/Architecture.h"
#include "tile/IR/ConvertLayout.h"

namespace tile {

/// Rewrites operations that have no layout of their own. Full reductions become
/// one reduction for each axis, sorts become networks, and a shared constant
/// becomes one constant for each use. A matmul operand that is a view which no
/// instruction can read becomes a copy.
void simplifyForLayouts(KernelOp kernel, const Architecture &architecture);

/// Chooses a layout for every tile in registers, and inserts conversions and
/// partial reductions where the layouts of operations differ.
/// @pre simplifyForLayouts has run, and every matmul has a complete tiling.
void assignRegisterLayouts(KernelOp kernel, const Architecture &architecture);

/// Chooses a layout for every tile in shared memory.
/// @pre assignRegisterLayouts has run.
void assignSharedLayouts(KernelOp kernel);

/// Returns groups of an operation's tiles that must have the same layout: one
/// group of all tiles for an elementwise operation, the groups that
/// LayoutOpInterface specifies for other operations.
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
