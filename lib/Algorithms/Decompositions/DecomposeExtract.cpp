// DecomposeExtract.cpp - tile.extract as a view of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

bool tile::hasCompositeForm(ExtractOp op) {
  return op.getSource().getType().getRank() != 0;
}

Replacements tile::decompose(ExtractOp op, OpBuilder &builder) {
  TileType type = op.getSource().getType();
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value box = ViewOp::create(builder, op.getLoc(),
                             TileType::get(ones, type.getElementType()),
                             op.getSource(), op.getIndices());
  Value element = ReshapeOp::create(
      builder, op.getLoc(), TileType::get({}, type.getElementType()), box);
  return SmallVector<Value>{
      ExtractOp::create(builder, op.getLoc(), element, ValueRange())};
}
