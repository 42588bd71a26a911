// TileBuilder.h - arithmetic on whole tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It expands operations into others, on tiles of one shape and storage; tiles
// have no storage before -tile-assign-storage.

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
  /// A tile with `number`, which the type can represent, in every element.
  mlir::Value constant(mlir::Type element, uint64_t number);
  mlir::Value constant(mlir::FloatType element, double number);
  mlir::Value zero(mlir::Type element);
  /// A tile with the real `number` in every element, of a floating-point or
  /// complex type.
  mlir::Value real(mlir::Type element, double number);
  mlir::Value fill(mlir::Value scalar);
  mlir::Value iota(mlir::Type element, int64_t axis);
  /// The index of each element in row-major order.
  mlir::Value number(mlir::Type element);
  /// Integers are unsigned.
  mlir::Value cast(mlir::Value tile, mlir::Type element);
  /// The elements' bits as an integer.
  mlir::Value bitcast(mlir::Value tile, mlir::IntegerType element);
  /// An operation of arith or math on tiles, or on tiles and their like.
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

/// Replaces the uses of `old` with `tile`, which is converted if its storage
/// differs.
void replaceResult(mlir::OpBuilder &builder, mlir::Value old, mlir::Value tile);

} // namespace tile

#endif // TILE_IR_TILEBUILDER_H
