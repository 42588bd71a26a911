// Levels.h - how far down a kernel is
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel says in `tile.level` what has been decided of it. Nothing else is
// taken as a sign: who builds on a level verifies the claim first.

#ifndef TILE_ANALYSIS_LEVELS_H
#define TILE_ANALYSIS_LEVELS_H

#include "tile/IR/Tile.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// The level that the kernel claims; source where it claims none.
Level getLevel(KernelOp kernel);

/// The level that all kernels of the module claim; an error at the first that
/// claims another than those before it.
/// @pre the module has a kernel.
mlir::FailureOr<Level> getLevel(mlir::ModuleOp module);

/// Verifies that a kernel is at the level that it claims: at source nothing
/// that a phase decides is in place, at buffered everything that phases 1 to 8
/// leave, with the proof of synchronization. A claim of a level that nothing
/// verifies is an error.
mlir::LogicalResult verifyLevel(KernelOp kernel);

} // namespace tile

#endif // TILE_ANALYSIS_LEVELS_H
