// RegisterAlgorithms.h - algorithms of the dialect's operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_ALGORITHMS_REGISTERALGORITHMS_H
#define TILE_ALGORITHMS_REGISTERALGORITHMS_H

#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// Registers the interfaces of the dialect's operations that algorithms
/// implement: decompositions, Fourier transforms, factorisations, sorting. The
/// dialect promises them. A pass on a kernel whose context lacks them fails
/// with an error at the kernel. tile::registerAllDialects includes them.
void registerAlgorithms(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_ALGORITHMS_REGISTERALGORITHMS_H
