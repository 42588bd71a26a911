// MatrixTiles.h - arithmetic on tiles of matrices
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef TILE_LIB_IR_MATRIXTILES_H
#define TILE_LIB_IR_MATRIXTILES_H

#include "tile/IR/TileBuilder.h"

namespace tile {

/// Tiles of a shape whose last two dimensions are the rows and the columns of
/// matrices.
class MatrixTiles : public TileBuilder {
public:
  /// @p type a type of that shape.
  MatrixTiles(mlir::OpBuilder &builder, mlir::Location loc, TileType type);

  /// The number of each element's row, and of its column, as i32.
  mlir::Value rows();
  mlir::Value columns();
  /// Of a tile that has a number for each row, or column, that of each
  /// element's row, or column.
  mlir::Value ofRows(mlir::Value numbers);
  mlir::Value ofColumns(mlir::Value numbers);
  /// Whether integers are equal, and at most others.
  mlir::Value areEqual(mlir::Value a, mlir::Value b);
  mlir::Value areAtMost(mlir::Value a, mlir::Value b);
  mlir::Value choose(mlir::Value condition, mlir::Value a, mlir::Value b);

private:
  mlir::Value repeat(mlir::Value numbers, int64_t without);

  TileType type;
};

/// What the elements along an axis are combined to.
mlir::Value createReduce(mlir::OpBuilder &builder, mlir::Location loc,
                         ReduceKind kind, mlir::Value tile, int64_t axis);

/// The transposed matrices of a tile, which moves nothing.
mlir::Value transposeMatrices(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::Value matrices);

/// The conjugate numbers of a tile, itself where they are real; and the
/// negative ones.
mlir::Value conjugate(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value numbers);
mlir::Value negate(mlir::OpBuilder &builder, mlir::Location loc,
                   mlir::Value numbers);

/// Whether a tile's numbers are complex.
bool isComplex(mlir::Value numbers);

/// One or the other part of complex numbers, as `kind` says.
mlir::Value takePart(mlir::OpBuilder &builder, mlir::Location loc,
                     ComplexKind kind, mlir::Value numbers);

/// The real parts of a tile's numbers, itself where they are real; and numbers
/// of an element type that are real.
mlir::Value getRealParts(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value numbers);
mlir::Value fromReal(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value numbers, mlir::Type element);

/// Numbers whose parts are what `make` makes of those of a tile's numbers,
/// which are themselves where they are real.
mlir::Value mapParts(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value numbers,
                     llvm::function_ref<mlir::Value(mlir::Value part)> make);

/// The numbers of a tile times real ones, a tile of its shape.
mlir::Value multiplyByReal(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value numbers, mlir::Value factors);

/// The type of a tile's numbers, or of their parts where they are complex.
mlir::FloatType getRealType(TileType type);

/// The first rows of each matrix.
mlir::Value takeFirstRows(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value matrices, int64_t count);

/// A number of each column of matrices, ascending or descending along a matrix,
/// and the columns in that order.
llvm::SmallVector<mlir::Value>
sortColumns(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value numbers,
            mlir::Value matrices, bool isDescending);

} // namespace tile

#endif // TILE_LIB_IR_MATRIXTILES_H
