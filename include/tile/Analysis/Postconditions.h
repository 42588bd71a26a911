// Postconditions.h - postconditions of the phases
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The postconditions of docs/Pipeline.md, to be verified. Later phases keep the
// postconditions of a phase, up to phase 9, which leaves only other dialects.

#ifndef TILE_ANALYSIS_POSTCONDITIONS_H
#define TILE_ANALYSIS_POSTCONDITIONS_H

#include "tile/IR/Tile.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// Last phase that leaves a tile.kernel; the first is phase 1.
constexpr int kLastKernelPhase = 8;

/// Verifies that a kernel satisfies the postconditions of each phase up to
/// `phase`. The first operation that violates one is an error.
/// @pre 1 <= phase <= kLastKernelPhase
mlir::LogicalResult verifyPostconditions(KernelOp kernel, int phase);

/// Fails at a composite operation (phase 1).
mlir::LogicalResult verifyNotComposite(mlir::Operation *op);

/// Verifies that each generic variant stands next to the body of the same
/// arguments that assumes more (phase 1).
mlir::LogicalResult verifyBodies(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_ANALYSIS_POSTCONDITIONS_H
