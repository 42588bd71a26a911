// ExpandExtract.cpp - tile.extract as a view of one element
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Expansions.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tile;

void tile::expandExtract(ExtractOp op) {
  TileType type = op.getSource().getType();
  if (type.getRank() == 0)
    return;
  OpBuilder builder(op);
  SmallVector<int64_t> ones(type.getRank(), 1);
  Value box = ViewOp::create(builder, op.getLoc(),
                             TileType::get(ones, type.getElementType()),
                             op.getSource(), op.getIndices());
  Value element = ReshapeOp::create(
      builder, op.getLoc(), TileType::get({}, type.getElementType()), box);
  op.getSourceMutable().assign(element);
  op.getIndicesMutable().clear();
}
