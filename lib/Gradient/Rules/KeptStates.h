// KeptStates.h - values that a loop carries, kept for its transpose
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_RULES_KEPTSTATES_H
#define TILE_LIB_GRADIENT_RULES_KEPTSTATES_H

#include "tile/Gradient/TransposeBuilder.h"

namespace tile {

/// Stores a value to an array of LoopStates, as that of an iteration of this
/// program.
void storeState(ValueBuilder &b, mlir::Value value, mlir::Value array,
                mlir::Value program, mlir::Value iteration);

/// Returns the value of a type that storeState has stored.
mlir::Value loadState(ValueBuilder &b, mlir::Type type, mlir::Value array,
                      mlir::Value program, mlir::Value iteration);

/// Returns the index of the program among all programs of the grid, computed at
/// the start of the kernel that has `op`.
mlir::Value getProgramIndex(ValueBuilder &b, mlir::Operation *op);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RULES_KEPTSTATES_H
