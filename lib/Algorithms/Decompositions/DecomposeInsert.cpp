// DecomposeInsert.cpp - tile.insert of a scalar
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"

#include "tile/IR/Tile.h"

using namespace mlir;
using namespace tile;

bool tile::hasCompositeForm(InsertOp op) {
  return !isa<TileType>(op.getPart().getType());
}

Replacements tile::decompose(InsertOp op, OpBuilder &builder) {
  Value part = FillOp::create(
      builder, op.getLoc(), TileType::get(op.getBox(), op.getPart().getType()),
      op.getPart());
  return SmallVector<Value>{InsertOp::create(
      builder, op.getLoc(), op.getType(), part, op.getDest(), op.getOffsets())};
}
