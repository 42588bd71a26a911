// MatrixTiles.h - arithmetic on tiles of matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_ALGORITHMS_MATRIXTILES_H
#define TILE_LIB_ALGORITHMS_MATRIXTILES_H

#include "tile/IR/TileBuilder.h"

namespace tile {

/// Builder of tiles of a shape whose last two dimensions are the rows and the
/// columns of matrices.
class MatrixTiles : public TileBuilder {
public:
  /// @param type a tile type with the shape of the tiles.
  MatrixTiles(mlir::OpBuilder &builder, mlir::Location loc, TileType type);

  /// Return the index of each element's row, or column, as i32.
  mlir::Value rows();
  mlir::Value columns();
  /// Repeats a tile that has a value for each row, or column: each element gets
  /// the value of its row, or column.
  mlir::Value ofRows(mlir::Value values);
  mlir::Value ofColumns(mlir::Value values);
  /// Whether `a` is equal to `b`, or is at most `b`, for integers.
  mlir::Value areEqual(mlir::Value a, mlir::Value b);
  mlir::Value areAtMost(mlir::Value a, mlir::Value b);
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b);

private:
  mlir::Value repeat(mlir::Value values, int64_t without);

  TileType type;
};

/// Combines the elements along an axis.
mlir::Value createReduce(mlir::OpBuilder &builder, mlir::Location loc,
                         ReduceKind kind, mlir::Value tile, int64_t axis);

/// Transposes the matrices of a tile, without moving elements.
mlir::Value transposeMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value matrices);

/// Returns the conjugates of a tile's elements, or the tile itself if they are
/// real.
mlir::Value conjugate(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value values);
/// Returns the conjugate transposes of the matrices of a tile.
mlir::Value createAdjoint(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value matrices);
/// Returns the Hermitian matrices of the lower triangles of a tile. Imaginary
/// parts of the diagonals are not read.
mlir::Value createHermitian(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value lower);
/// Returns the sums of the elements of two tiles.
mlir::Value addElements(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value a, mlir::Value b);
/// Returns the negated elements of a tile.
mlir::Value negate(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value values);

/// Whether a tile's elements are complex.
bool isComplex(mlir::Value values);

/// Returns the real or imaginary parts of complex elements, as `kind`
/// specifies.
mlir::Value takePart(mlir::OpBuilder &builder, mlir::Location loc,
                     ComplexKind kind, mlir::Value values);

/// Returns the real parts of a tile's elements, or the tile itself if they are
/// real.
mlir::Value getRealParts(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value values);
/// Returns real elements as elements of the real or complex type `element`.
mlir::Value fromReal(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value values, mlir::Type element);

/// Applies `make` to the parts of a tile's elements, or to the tile itself if
/// they are real.
mlir::Value mapParts(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value values,
                     llvm::function_ref<mlir::Value(mlir::Value part)> make);

/// Multiplies the elements of a tile by those of `factors`, a tile of the same
/// shape with real elements.
mlir::Value multiplyByReal(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value values, mlir::Value factors);

/// Returns the first `count` rows of each matrix.
mlir::Value takeFirstRows(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value matrices, int64_t count);

/// Sorts the columns of matrices by `values`, which has a value for each
/// column, in ascending or descending order. Returns the sorted values and
/// columns.
llvm::SmallVector<mlir::Value>
sortColumns(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value values,
            mlir::Value matrices, bool isDescending);

} // namespace tile

#endif // TILE_LIB_ALGORITHMS_MATRIXTILES_H
