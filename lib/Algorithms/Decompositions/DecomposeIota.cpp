// DecomposeIota.cpp - tile.iota with a start, by adding it to a plain tile.iota
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Decompositions.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

bool tile::hasCompositeForm(IotaOp op) { return bool(op.getStart()); }

Replacements tile::decompose(IotaOp op, OpBuilder &builder) {
  TileBuilder tiles(builder, op.getLoc(), op.getType().getShape());
  Type element = op.getType().getElementType();
  Value index = tiles.iota(element, op.getAxis());
  Value start = tiles.fill(op.getStart()), step = tiles.fill(op.getStep());
  if (isa<FloatType>(element)) {
    Value way = tiles.create<arith::MulFOp>(index, step);
    return SmallVector<Value>{tiles.create<arith::AddFOp>(start, way)};
  }
  Value way = tiles.create<arith::MulIOp>(index, step);
  return SmallVector<Value>{tiles.create<arith::AddIOp>(start, way)};
}
