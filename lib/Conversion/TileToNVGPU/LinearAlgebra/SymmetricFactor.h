// SymmetricFactor.h - A = L L' and A = L D L' of matrices that a warp holds
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_SYMMETRICFACTOR_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_SYMMETRICFACTOR_H

#include "tile/IR/Tile.h"

namespace tile {

enum class SymmetricForm {
  cholesky, ///< L L', NaN where a pivot is not positive
  ldlt,     ///< L D L', D on the diagonal
};

/// Returns the packs of the factors and, if `hasStatus`, the status of each
/// matrix: the one-based index of the first column whose pivot is not positive
/// (Cholesky), or zero or NaN (LDL'); zero if there is none.
/// @p source the packs of a tile of `type`, whose layout is that of
/// getFactorLayout.
llvm::SmallVector<llvm::SmallVector<mlir::Value>>
createSymmetricFactor(mlir::OpBuilder &builder, mlir::Location loc,
                      TileType type, mlir::ValueRange source,
                      SymmetricForm form, bool hasStatus);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_SYMMETRICFACTOR_H
