// TileBuilder.h - arithmetic on whole tiles
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For operations that become others, on tiles of one shape and storage, before
// -tile-assign-storage of none.

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
  /// Every element one number, that the type has.
  mlir::Value constant(mlir::Type element, uint64_t number);
  mlir::Value constant(mlir::FloatType element, double number);
  mlir::Value zero(mlir::Type element);
  /// Every element a real number, of a floating-point or complex type.
  mlir::Value real(mlir::Type element, double number);
  mlir::Value fill(mlir::Value scalar);
  mlir::Value iota(mlir::Type element, int64_t axis);
  /// Each element's number in row-major order.
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

/// Puts a value where another one is used; a tile may differ in storage, and is
/// converted then.
void replaceResult(mlir::OpBuilder &builder, mlir::Value old, mlir::Value tile);

} // namespace tile

#endif // TILE_IR_TILEBUILDER_H
