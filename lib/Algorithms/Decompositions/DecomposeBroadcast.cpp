// DecomposeBroadcast.cpp - broadcasts along named dimensions, and in tile.map
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %u = tile.broadcast %t dims [0] : !tile.tile<32xf32> to
//   !tile.tile<32x9xf32>
//
// becomes
//
//   %c = tile.reshape %t : !tile.tile<32xf32> to !tile.tile<32x1xf32>
//   %u = tile.broadcast %c : !tile.tile<32x1xf32> to !tile.tile<32x9xf32>

#include "Decompositions.h"

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

bool tile::hasCompositeForm(BroadcastOp op) { return bool(op.getDims()); }

Replacements tile::decompose(BroadcastOp op, OpBuilder &builder) {
  TileType source = op.getSource().getType(), result = op.getType();
  SmallVector<int64_t> shape(result.getRank(), 1);
  for (auto [dim, extent] : llvm::zip_equal(*op.getDims(), source.getShape()))
    shape[dim] = extent;
  Value column = ReshapeOp::create(
      builder, op.getLoc(), TileType::get(shape, source.getElementType()),
      op.getSource());
  return SmallVector<Value>{BroadcastOp::create(
      builder, op.getLoc(),
      TileType::get(result.getShape(), result.getElementType()), column)};
}

bool tile::hasCompositeForm(MapOp op) {
  return llvm::any_of(op.getInputs().getTypes(), [&](Type type) {
    return getTileShape(type) != op.getShape();
  });
}

Replacements tile::decompose(MapOp op, OpBuilder &builder) {
  SmallVector<Value> inputs;
  for (Value input : op.getInputs()) {
    auto type = cast<TileType>(input.getType());
    if (type.getShape() != op.getShape())
      input = BroadcastOp::create(
          builder, op.getLoc(),
          TileType::get(op.getShape(), type.getElementType()), input);
    inputs.push_back(input);
  }
  auto map = cast<MapOp>(builder.clone(*op));
  map.getInputsMutable().assign(inputs);
  return SmallVector<Value>(map.getResults());
}
