// MatrixScale.h - matrices times a power of two, against overflow
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_CONVERSION_TILETONVGPU_MATRIXSCALE_H
#define TILE_CONVERSION_TILETONVGPU_MATRIXSCALE_H

#include "RealArithmetic.h"
#include "WarpMatrix.h"

namespace tile {

/// Multiplies a matrix, in all lanes that hold it, by the power of two that
/// brings the largest of its first `numColumns` columns near 2^target, and
/// returns the reciprocal of that power. Zero stays zero, and what is infinite
/// or NaN stays so. Of complex numbers the larger parts count.
mlir::Value scaleMatrix(RealArithmetic &arithmetic, WarpMatrix &matrix,
                        int64_t number, int64_t numColumns, int64_t target);

/// The same of one value along the columns, each column by a power of its own.
mlir::Value scaleColumn(RealArithmetic &arithmetic, WarpMatrix &matrix,
                        int64_t number, int64_t column, int64_t target);

} // namespace tile

#endif // TILE_CONVERSION_TILETONVGPU_MATRIXSCALE_H
