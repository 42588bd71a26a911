// MatrixScale.h - matrices times a power of two, against overflow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSCALE_H
#define TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSCALE_H

#include "../RealArithmetic.h"
#include "WarpMatrix.h"

namespace tile {

/// Multiplies a matrix, in all lanes that hold it, by the power of two that
/// brings the largest element of its first `numColumns` columns near 2^target.
/// Returns the reciprocal of this power. Zeros, infinities and NaNs are kept.
/// The magnitude of a complex element is that of its larger part.
mlir::Value scaleMatrix(RealArithmetic &arithmetic, WarpMatrix &matrix,
                        int64_t i, int64_t numColumns, int64_t target);

/// Multiplies a column like `scaleMatrix`, but by a power of two of its own.
/// The column is the lane's value with the index `column` along the columns, so
/// lanes with different columns have different powers.
mlir::Value scaleColumn(RealArithmetic &arithmetic, WarpMatrix &matrix,
                        int64_t i, int64_t column, int64_t target);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_LINEARALGEBRA_MATRIXSCALE_H
