// DecomposeIota.cpp - tile.iota from a start as arithmetic on one without
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

bool IotaOp::isComposite() { return bool(getStart()); }

FailureOr<SmallVector<Value>> IotaOp::decompose(OpBuilder &builder) {
  TileBuilder tiles(builder, getLoc(), getType().getShape());
  Type element = getType().getElementType();
  Value index = tiles.iota(element, getAxis());
  Value start = tiles.fill(getStart()), step = tiles.fill(getStep());
  if (isa<FloatType>(element)) {
    Value way = tiles.create<arith::MulFOp>(index, step);
    return SmallVector<Value>{tiles.create<arith::AddFOp>(start, way)};
  }
  Value way = tiles.create<arith::MulIOp>(index, step);
  return SmallVector<Value>{tiles.create<arith::AddIOp>(start, way)};
}
