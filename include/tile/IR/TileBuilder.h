// TileBuilder.h - arithmetic on whole tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes use the builder to replace an operation by simpler ones on tiles of
// one shape and storage. Before -tile-assign-storage, tiles have no storage.

#ifndef TILE_IR_TILEBUILDER_H
#define TILE_IR_TILEBUILDER_H

#include "tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

namespace tile {

class TileBuilder {
public:
  TileBuilder(mlir::OpBuilder &builder, mlir::Location loc,
              llvm::ArrayRef<int64_t> shape, mlir::Attribute storage = {})
      : builder(builder), loc(loc), shape(shape), storage(storage) {}

  TileType getType(mlir::Type element) {
    return TileType::get(shape, element).withStorage(storage);
  }
  /// Returns a tile in which every element is `value`. The type must be able to
  /// represent the value.
  mlir::Value constant(mlir::Type element, uint64_t value);
  mlir::Value constant(mlir::FloatType element, double value);
  mlir::Value zero(mlir::Type element);
  /// Returns a tile in which every element is the real `value`, for a
  /// floating-point or complex type.
  mlir::Value real(mlir::Type element, double value);
  mlir::Value fill(mlir::Value scalar);
  mlir::Value iota(mlir::Type element, int64_t axis);
  /// Returns a tile in which each element is its own index in row-major order.
  mlir::Value number(mlir::Type element);
  /// Returns the tile with its elements converted; integers are unsigned.
  mlir::Value cast(mlir::Value tile, mlir::Type element);
  /// Returns the bits of the tile's elements as integers.
  mlir::Value bitcast(mlir::Value tile, mlir::IntegerType element);
  /// Creates an operation of the dialects arith, math or tile, such as an
  /// addition of two tiles.
  template <typename Op, typename... Args>
  mlir::Value create(Args... args) {
    return Op::create(builder, loc, args...);
  }

private:
  mlir::OpBuilder &builder;
  mlir::Location loc;
  llvm::ArrayRef<int64_t> shape;
  mlir::Attribute storage;
};

/// Replaces the uses of `old` with `tile`, which is converted if its type
/// differs.
void replaceResult(mlir::OpBuilder &builder, mlir::Value old, mlir::Value tile);

} // namespace tile

#endif // TILE_IR_TILEBUILDER_H
