// RegisterDerivatives.h - derivatives of operations
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_GRADIENT_REGISTERDERIVATIVES_H
#define TILE_GRADIENT_REGISTERDERIVATIVES_H

#include "mlir/IR/DialectRegistry.h"

namespace tile {

/// Registers TangentOpInterface and LinearOpInterface of operations of the
/// dialects tile, arith, math and complex. tile::registerAllDialects includes
/// them.
void registerDerivatives(mlir::DialectRegistry &registry);

} // namespace tile

#endif // TILE_GRADIENT_REGISTERDERIVATIVES_H
