// AddToGradients.h - kernels that add to gradients
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_ADDTOGRADIENTS_H
#define TILE_LIB_GRADIENT_ADDTOGRADIENTS_H

#include "tile/IR/Tile.h"

#include "llvm/ADT/StringSet.h"

namespace tile {

/// Makes the kernels of a derivative, which is a kernel or a function that
/// launches kernels, add to the gradients, the arrays of these names, instead
/// of overwriting them. Sums are rounded once, after the addition.
void addToGradients(mlir::Operation *derivative,
                    const llvm::StringSet<> &gradients);

} // namespace tile

#endif // TILE_LIB_GRADIENT_ADDTOGRADIENTS_H
