// Levels.h - the lowering level of a kernel
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attribute `tile.level` of a kernel states which decisions have been made
// for it. Code that relies on a level verifies this claim first, and takes
// nothing else as a sign of the level.

#ifndef TILE_ANALYSIS_LEVELS_H
#define TILE_ANALYSIS_LEVELS_H

#include "tile/IR/Tile.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Returns the level that the kernel claims; source if it claims none.
Level getLevel(KernelOp kernel);

/// Sets the level that the kernel claims, or removes the claim for source.
/// @pre the level is not thread, where there is no tile.kernel.
void setLevel(KernelOp kernel, Level level);

/// Returns the level that all kernels of the module claim; an error at the
/// first kernel that claims a different level than the kernels before it.
/// @pre the module has a kernel.
mlir::FailureOr<Level> getLevel(mlir::ModuleOp module);

/// Verifies that a kernel is at the level that it claims:
/// - source: the kernel has no result of a phase.
/// - decomposed: in addition, it has no call and no composite operation.
/// - distributed: it satisfies the postconditions of phases 1 to 4, in whole
///   tiles.
/// - buffered: it satisfies the postconditions of phases 1 to 8, including the
///   proof of synchronization.
///
/// A claim of thread is an error.
mlir::LogicalResult verifyLevel(KernelOp kernel);

/// Verifies that a kernel claims `level`, and that it is at that level.
mlir::LogicalResult verifyLevel(KernelOp kernel, Level level);

/// Whether an operation is of level thread: an operation of the LLVM or NVVM
/// dialect, or an operation for an instruction that the NVVM dialect lacks.
bool isThreadLevel(mlir::Operation *op);

/// Verifies that a module is at level thread: it has only operations of the
/// LLVM and NVVM dialects.
mlir::LogicalResult verifyThreadLevel(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_ANALYSIS_LEVELS_H
