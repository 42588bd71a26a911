// QrFactors.h - the reflections and the R of matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_QRFACTORS_H
#define TILE_LIB_ALGORITHMS_QRFACTORS_H

#include "tile/IR/Tile.h"

namespace tile {

HouseholderOp createReflections(mlir::OpBuilder &builder, mlir::Location loc,
                                mlir::Value matrices);

/// Returns R, with zeros below its diagonal.
mlir::Value takeTriangle(mlir::OpBuilder &builder, HouseholderOp factors);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_QRFACTORS_H
