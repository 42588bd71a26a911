// TileRules.h - tiles that several rules create
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_GRADIENT_RULES_TILERULES_H
#define TILE_LIB_GRADIENT_RULES_TILERULES_H

#include "tile/Gradient/ValueBuilder.h"

namespace tile {

/// kDistinctAttr marks a `tile.take` whose indices along its axis are all
/// different, so that its transpose adds nothing up.
constexpr llvm::StringLiteral kDistinctAttr = "distinct";

/// Creates a `tile.take` with such indices.
mlir::Value takeDistinct(ValueBuilder &b, mlir::Type type, mlir::Value source,
                         mlir::Value indices, int64_t axis);

/// Returns the tile with its last two dimensions exchanged.
mlir::Value transposeLast(ValueBuilder &b, mlir::Value tile);

/// Multiplies matrices of one element type, whose tiles have the
/// same rank, of at least two, and the same extents before the last two.
mlir::Value multiplyMatrices(ValueBuilder &b, mlir::Value lhs, mlir::Value rhs);

/// Adds up the elements of a tile along a dimension, which keeps extent one.
mlir::Value sumAlong(ValueBuilder &b, mlir::Value tile, int64_t dim);

/// Adds up all elements of a tile; returns a scalar.
mlir::Value sumElements(ValueBuilder &b, mlir::Value tile);

/// Returns the tile with another shape of as many elements.
mlir::Value reshape(ValueBuilder &b, mlir::Value tile,
                    llvm::ArrayRef<int64_t> shape);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RULES_TILERULES_H
