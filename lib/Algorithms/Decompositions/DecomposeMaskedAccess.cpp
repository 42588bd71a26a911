// DecomposeMaskedAccess.cpp - accesses with a mask, or with dims
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//   %t = tile.load %x[%i, %j] mask %m : ... -> !tile.tile<8x64xf32>
//
// becomes
//
//   %n = tile.iota axis 1 : !tile.tile<1x64xi32>
//   %t = tile.gather %x[%i, %j] at %n axis 1 mask %m : ...
//
// A masked access reads or writes single elements. The indices are therefore
// along the contiguous dimension, so that adjacent lanes access adjacent
// elements. PermutedAccess.cpp handles `dims`.

#include "Decompositions.h"

#include "tile/IR/PermutedAccess.h"

#include "tile/IR/TileBuilder.h"

using namespace mlir;
using namespace tile;

namespace {
/// The shape of the tile of an indexed access, and its indices along `axis`. A
/// scalar is accessed as a tile of one element, so the rank is at least one.
struct IndexedBox {
  SmallVector<int64_t> shape;
  int64_t axis;
  Value indices;
};
} // namespace

static IndexedBox createBox(OpBuilder &builder, Location loc, TileType type,
                            Value array) {
  IndexedBox box{SmallVector<int64_t>(type.getShape()), 0, Value()};
  if (box.shape.empty())
    box.shape.push_back(1);
  int64_t rank = box.shape.size();
  box.axis = getContiguousDimension(cast<MemRefType>(array.getType()), rank)
                 .value_or(rank - 1);
  SmallVector<int64_t> along(rank, 1);
  along[box.axis] = box.shape[box.axis];
  box.indices =
      TileBuilder(builder, loc, along).iota(builder.getI32Type(), box.axis);
  return box;
}

static Value reshape(OpBuilder &builder, Location loc, Value tile,
                     ArrayRef<int64_t> shape) {
  auto type = cast<TileType>(tile.getType());
  if (type.getShape() == shape)
    return tile;
  return ReshapeOp::create(builder, loc,
                           TileType::get(shape, type.getElementType()), tile);
}

bool tile::hasCompositeForm(LoadOp op) { return op.getMask() || op.getDims(); }

Replacements tile::decompose(LoadOp op, OpBuilder &builder) {
  if (op.getDims())
    return accessPermuted(builder, op);
  Location loc = op.getLoc();
  TileType type = op.getType();
  IndexedBox box = createBox(builder, loc, type, op.getSource());
  Value gathered = GatherOp::create(
      builder, loc, TileType::get(box.shape, type.getElementType()),
      op.getSource(), op.getOffsets(), box.indices,
      builder.getI64IntegerAttr(box.axis), /*axes=*/DenseI64ArrayAttr(),
      reshape(builder, loc, op.getMask(), box.shape), op.getPad(),
      op.getInBoundsAttr(),
      /*dims=*/DenseI64ArrayAttr());
  return SmallVector<Value>{reshape(builder, loc, gathered, type.getShape())};
}

bool tile::hasCompositeForm(StoreOp op) { return op.getMask() || op.getDims(); }

Replacements tile::decompose(StoreOp op, OpBuilder &builder) {
  if (op.getDims())
    return accessPermuted(builder, op);
  Location loc = op.getLoc();
  IndexedBox box =
      createBox(builder, loc, op.getValue().getType(), op.getDest());
  ScatterOp::create(builder, loc, /*old=*/Type(),
                    reshape(builder, loc, op.getValue(), box.shape),
                    op.getDest(), op.getOffsets(), box.indices,
                    builder.getI64IntegerAttr(box.axis),
                    /*axes=*/DenseI64ArrayAttr(),
                    reshape(builder, loc, op.getMask(), box.shape),
                    /*kind=*/AtomicKindAttr(), op.getInBoundsAttr(),
                    /*dims=*/DenseI64ArrayAttr());
  return SmallVector<Value>();
}

bool tile::hasCompositeForm(GatherOp op) { return bool(op.getDims()); }

Replacements tile::decompose(GatherOp op, OpBuilder &builder) {
  return accessPermuted(builder, op);
}

bool tile::hasCompositeForm(ScatterOp op) { return bool(op.getDims()); }

Replacements tile::decompose(ScatterOp op, OpBuilder &builder) {
  return accessPermuted(builder, op);
}
