// Postconditions.h - what each phase leaves to those after it
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The postconditions of docs/Pipeline.md, to be verified. What one phase leaves
// the next ones keep, down to phase 9, which leaves other dialects only.

#ifndef TILE_ANALYSIS_POSTCONDITIONS_H
#define TILE_ANALYSIS_POSTCONDITIONS_H

#include "tile/IR/Tile.h"

#include "mlir/IR/BuiltinOps.h"

namespace tile {

/// The phases that leave a tile.kernel are 1 to this one.
constexpr int kLastKernelPhase = 8;

/// Holds a kernel to what each phase up to `phase` leaves. The first operation
/// that breaks it is an error.
/// @pre 1 <= phase <= kLastKernelPhase
mlir::LogicalResult verifyPostconditions(KernelOp kernel, int phase);

/// Phase 1: an error at a composite operation.
mlir::LogicalResult verifyNotComposite(mlir::Operation *op);

/// Phase 1: each generic variant stands beside the body of the same arguments
/// that assumes more.
mlir::LogicalResult verifyBodies(mlir::ModuleOp module);

} // namespace tile

#endif // TILE_ANALYSIS_POSTCONDITIONS_H
