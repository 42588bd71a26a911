// CountedLoops.h - loops with a condition as loops with a count
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transpose of a loop runs its iterations in reverse order, and must know
// how many there are:
//
//   %r = scf.while (%a = %init) {        %n = iterations of a copy of the loop,
//     before: %c, %v = f(%a)                  at most the bound
//     scf.condition(%c) %v               %v0 = f(%init)
//   } do {                               %r = scf.for %i = 0 to %n
//     after: scf.yield g(%v)                  iter_args(%v = %v0) {
//   } {tile.max_trips = bound}             scf.yield f(g(%v))
//                                        }

#ifndef TILE_LIB_GRADIENT_COUNTEDLOOPS_H
#define TILE_LIB_GRADIENT_COUNTEDLOOPS_H

#include "tile/IR/Tile.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace tile {

/// Returns the number of iterations of a loop, of the type of its bounds.
mlir::Value countTrips(mlir::ImplicitLocOpBuilder &builder,
                       mlir::scf::ForOp loop);

/// Replaces each `scf.while` with `tile.max_trips` by an `scf.for`, after a
/// copy of the loop that counts its iterations and writes no array. An
/// assertion fails when the program runs if the loop would run more iterations
/// than its bound.
void countIterations(KernelOp kernel);

} // namespace tile

#endif // TILE_LIB_GRADIENT_COUNTEDLOOPS_H
