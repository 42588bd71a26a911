// DecomposeExtract.cpp - tile.extract as a view of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

bool ExtractOp::isComposite() { return getSource().getType().getRank() != 0; }

FailureOr<SmallVector<Value>> ExtractOp::decompose(OpBuilder &builder) {
  TileType type = getSource().getType();
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value box = ViewOp::create(builder, getLoc(),
                             TileType::get(ones, type.getElementType()),
                             getSource(), getIndices());
  Value element = ReshapeOp::create(
      builder, getLoc(), TileType::get({}, type.getElementType()), box);
  return SmallVector<Value>{
      ExtractOp::create(builder, getLoc(), element, ValueRange())};
}
