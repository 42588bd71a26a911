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

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

bool BroadcastOp::isComposite() { return bool(getDims()); }

FailureOr<SmallVector<Value>> BroadcastOp::decompose(OpBuilder &builder) {
  TileType source = getSource().getType(), result = getType();
  SmallVector<int64_t> shape(result.getRank(), 1);
  for (auto [dim, extent] : llvm::zip_equal(*getDims(), source.getShape()))
    shape[dim] = extent;
  Value column = ReshapeOp::create(
      builder, getLoc(), TileType::get(shape, source.getElementType()),
      getSource());
  return SmallVector<Value>{BroadcastOp::create(
      builder, getLoc(),
      TileType::get(result.getShape(), result.getElementType()), column)};
}

bool MapOp::isComposite() {
  return llvm::any_of(getInputs().getTypes(), [&](Type type) {
    return getTileShape(type) != getShape();
  });
}

FailureOr<SmallVector<Value>> MapOp::decompose(OpBuilder &builder) {
  SmallVector<Value> inputs;
  for (Value input : getInputs()) {
    auto type = cast<TileType>(input.getType());
    if (type.getShape() != getShape())
      input = BroadcastOp::create(
          builder, getLoc(), TileType::get(getShape(), type.getElementType()),
          input);
    inputs.push_back(input);
  }
  auto map = cast<MapOp>(builder.clone(**this));
  map.getInputsMutable().assign(inputs);
  return SmallVector<Value>(map.getResults());
}
