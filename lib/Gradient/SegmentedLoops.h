// SegmentedLoops.h - loops that keep a state of each segment
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop of N iterations is split into two:
//
//   for base = 0 to N step L {              keeps ceil(N / L) states
//     for i = 0 to min(L, N - base) {       keeps L states, in an array that
//     each
//       ... iteration base + i ...          iteration of the outer loop uses
//       again
//
// The transpose of the outer loop computes the states of a segment again. With
// L of about sqrt(N) the kept states are about 2 sqrt(N). (A. Griewank and A.
// Walther, Evaluating Derivatives, 2008, section 12.2, has such schemes.)

#ifndef TILE_LIB_GRADIENT_SEGMENTEDLOOPS_H
#define TILE_LIB_GRADIENT_SEGMENTEDLOOPS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile {

/// Returns the length of a segment for a loop of `trips` iterations, an index
/// that is not negative: from sqrt(trips) to 2 sqrt(trips) if `trips` is at
/// most 2^24, and at least 1. It is computed by operations that launchers know.
mlir::Value createSegmentLength(mlir::ImplicitLocOpBuilder &builder,
                                mlir::Value trips);

/// Splits a loop into segments of `length` iterations, an index.
void splitIntoSegments(mlir::scf::ForOp loop, mlir::Value length);

} // namespace tile

#endif // TILE_LIB_GRADIENT_SEGMENTEDLOOPS_H
