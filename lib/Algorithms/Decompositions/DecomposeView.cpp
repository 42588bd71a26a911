// DecomposeView.cpp - tile.view with steps, also negative, or of lower rank
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %v = tile.view %t[%i, %j] steps [1, -2] : !tile.tile<8x64xf32>
//        to !tile.tile<20xf32>
//
// becomes a view of a box along the dimensions whose step is one, a tile.take
// along each other dimension, and a reshape:
//
//   %b = tile.view %t[%i, %c0] : ... to !tile.tile<1x64xf32>
//   %n = tile.iota axis 1 from %j step %minus2 : !tile.tile<1x20xi32>
//   %u = tile.take %b at %n axis 1 : ... to !tile.tile<1x20xf32>
//   %v = tile.reshape %u : ... to !tile.tile<20xf32>

#include "Decompositions.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

/// Returns the elements at `offset + i * step` along an axis.
static Value takeSteps(OpBuilder &builder, Location loc, Value tile,
                       int64_t axis, int64_t extent, Value offset,
                       int64_t step) {
  auto type = cast<TileType>(tile.getType());
  SmallVector<int64_t> shape(type.getShape()), along(type.getRank(), 1);
  shape[axis] = along[axis] = extent;
  Type i32 = builder.getI32Type();
  Value start = arith::IndexCastOp::create(builder, loc, i32, offset);
  Value each = arith::ConstantIntOp::create(builder, loc, step, 32);
  Value indices = IotaOp::create(builder, loc, TileType::get(along, i32),
                                 builder.getI64IntegerAttr(axis), start, each);
  return TakeOp::create(builder, loc,
                        TileType::get(shape, type.getElementType()), tile,
                        indices, axis);
}

bool tile::hasCompositeForm(ViewOp op) {
  return op.getSteps() ||
         op.getType().getRank() != op.getSource().getType().getRank();
}

Replacements tile::decompose(ViewOp op, OpBuilder &builder) {
  TileType source = op.getSource().getType(), result = op.getType();
  int64_t rank = source.getRank();
  SmallVector<int64_t> steps(rank, 1), extents(rank - result.getRank(), 1);
  if (op.getSteps())
    steps.assign(op.getSteps()->begin(), op.getSteps()->end());
  llvm::append_range(extents, result.getShape());
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> offsets(op.getOffsets());
  SmallVector<int64_t> box(extents), stepped;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (steps[dim] == 1 || extents[dim] == 1)
      continue;
    stepped.push_back(dim);
    offsets[dim] = zero;
    box[dim] = source.getDimSize(dim);
  }
  Value tile = op.getSource();
  if (ArrayRef(box) != source.getShape())
    tile = ViewOp::create(builder, loc,
                          TileType::get(box, source.getElementType()), tile,
                          offsets);
  for (int64_t dim : stepped)
    tile = takeSteps(builder, loc, tile, dim, extents[dim],
                     op.getOffsets()[dim], steps[dim]);
  if (result.getRank() != rank)
    tile = ReshapeOp::create(
        builder, loc, TileType::get(result.getShape(), result.getElementType()),
        tile);
  return SmallVector<Value>{tile};
}
