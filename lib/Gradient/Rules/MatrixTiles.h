// MatrixTiles.h - matrices that several rules create
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last two dimensions of a tile are the rows and columns of matrices; the
// others count the matrices. transposeLast and multiplyMatrices are in
// TileRules.h.

#ifndef TILE_LIB_GRADIENT_RULES_MATRIXTILES_H
#define TILE_LIB_GRADIENT_RULES_MATRIXTILES_H

#include "tile/Gradient/ValueBuilder.h"

namespace tile {

mlir::Value transposeConjugate(ValueBuilder &b, mlir::Value matrices);

/// Compares the index of the row with that of the column, for each element.
mlir::Value compareIndices(ValueBuilder &b, mlir::Value matrices,
                           mlir::arith::CmpIPredicate predicate);

/// Returns the elements for whose indices (row, column) the predicate holds;
/// the others are zero.
mlir::Value takeWhere(ValueBuilder &b, mlir::Value matrices,
                      mlir::arith::CmpIPredicate predicate);

/// Returns a triangle with its diagonal; the other elements are zero.
mlir::Value takeTriangle(ValueBuilder &b, mlir::Value matrices, bool isUpper);

/// Returns a triangle with half of its diagonal.
mlir::Value takeHalf(ValueBuilder &b, mlir::Value matrices, bool isUpper);

/// Returns the symmetric (Hermitian) matrix of a triangle.
mlir::Value symmetrize(ValueBuilder &b, mlir::Value matrices, bool isUpper);

/// Repeats vectors as the rows of matrices, or as their columns, of the extents
/// of `like`.
mlir::Value repeatAsRows(ValueBuilder &b, mlir::Value vectors,
                         mlir::Value like);
mlir::Value repeatAsColumns(ValueBuilder &b, mlir::Value vectors,
                            mlir::Value like);

/// Returns the diagonals of square matrices.
mlir::Value takeDiagonal(ValueBuilder &b, mlir::Value matrices);

/// Creates a tile.triangular_solve with these words.
mlir::Value solveTriangle(ValueBuilder &b, mlir::Value triangle,
                          mlir::Value rhs, bool isUpper, bool isTransposed,
                          bool isUnit, bool isRight);

/// Returns L^-1 A L^-H or, if `isTransposed`, L^-H A L^-1. With `isUnit` the
/// diagonal of L counts as ones.
mlir::Value divideBySides(ValueBuilder &b, mlir::Value lower,
                          mlir::Value matrices, bool isTransposed, bool isUnit);

} // namespace tile

#endif // TILE_LIB_GRADIENT_RULES_MATRIXTILES_H
