// DecomposeHistogram.cpp - tile.histogram as ones put into zeros
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

FailureOr<SmallVector<Value>> HistogramOp::decompose(OpBuilder &builder) {
  Location loc = getLoc();
  TileType source = getSource().getType(), result = getType();
  Type count = result.getElementType();
  int64_t row[] = {source.getNumElements()};
  TileBuilder tiles(builder, loc, row);
  Value mask = getMask();
  if (mask)
    mask = tiles.create<ReshapeOp>(tiles.getType(builder.getI1Type()), mask);
  Value numbers = tiles.create<ReshapeOp>(
      tiles.getType(source.getElementType()), getSource());
  Value zeros = TileBuilder(builder, loc, result.getShape()).constant(count, 0);
  Value counts = PutOp::create(
      builder, loc, zeros.getType(), tiles.constant(count, 1), zeros, numbers,
      /*axis=*/0, mask, AtomicKindAttr::get(getContext(), AtomicKind::add));
  return SmallVector<Value>{counts};
}
