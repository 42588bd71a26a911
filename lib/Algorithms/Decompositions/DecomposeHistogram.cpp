// DecomposeHistogram.cpp - tile.histogram as ones put into zeros
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

Replacements tile::decompose(HistogramOp op, OpBuilder &builder) {
  Location loc = op.getLoc();
  TileType source = op.getSource().getType(), result = op.getType();
  Type count = result.getElementType();
  int64_t row[] = {source.getNumElements()};
  TileBuilder tiles(builder, loc, row);
  Value mask = op.getMask();
  if (mask)
    mask = tiles.create<ReshapeOp>(tiles.getType(builder.getI1Type()), mask);
  Value indices = tiles.create<ReshapeOp>(
      tiles.getType(source.getElementType()), op.getSource());
  Value zeros = TileBuilder(builder, loc, result.getShape()).constant(count, 0);
  Value counts = PutOp::create(
      builder, loc, zeros.getType(), tiles.constant(count, 1), zeros, indices,
      /*axis=*/0, mask, AtomicKindAttr::get(op.getContext(), AtomicKind::add));
  return SmallVector<Value>{counts};
}
