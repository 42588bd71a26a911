// Postconditions.h - postconditions of the phases
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This file verifies the postconditions that docs/Pipeline.md states. The
// postconditions of a phase hold after all later phases, too, until phase 9,
// which leaves no operation of this dialect.

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

/// Verifies that for each generic variant of a kernel the module has the
/// specialized variant, which has the same arguments and assumes alignments
/// (phase 1).
mlir::LogicalResult verifyBodies(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_ANALYSIS_POSTCONDITIONS_H
